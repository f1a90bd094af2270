internal import WhimbrelEngine

/// A matching of the classes and properties of a schema with those of an earlier one.
///
/// Two stores with the same UUID are of one lineage, and their stable IDs show what was renamed. A
/// schema file lists earlier names itself.
struct SchemaLineage {
  /// The earlier catalog with the later names of its classes.
  let old: Catalog
  /// The later schema with the earlier names of its classes and properties.
  let new: StoreSchema
  /// The renamed classes, sorted by their new names.
  let renamedClasses: [(from: String, to: String)]

  init(from old: SchemaSource, to new: SchemaSource) {
    let isOneLineage = old.uuid != nil && old.uuid == new.uuid
    let newNames =
      isOneLineage
      ? Self.newNames(of: old.catalog, in: new.catalog)
      : new.declared.classRenames(from: Set(old.catalog.classes.map(\.name)))
    var catalog = old.catalog
    for index in catalog.classes.indices {
      catalog.classes[index] = catalog.classes[index].renamingLinks(newNames)
      let name = catalog.classes[index].name
      catalog.classes[index].name = newNames[name] ?? name
    }
    self.old = catalog
    renamedClasses = newNames.map { (from: $0.key, to: $0.value) }.sorted { $0.to < $1.to }
    guard isOneLineage else {
      self.new = new.declared
      return
    }
    let oldNames = Dictionary(keepingFirst: newNames.map { ($0.value, $0.key) })
    self.new = StoreSchema(
      classes: new.declared.classes.map { schema in
        guard let before = catalog[schema.name], let after = new.catalog[schema.name],
          before.id == after.id
        else { return schema }
        return schema.knowing(before, after, oldName: oldNames[schema.name])
      })
  }

  /// Returns the later names of renamed classes by their earlier names.
  private static func newNames(of old: Catalog, in new: Catalog) -> [String: String] {
    let later = Dictionary(keepingFirst: new.classes.map { ($0.id, $0) })
    var newNames: [String: String] = [:]
    for entry in old.classes {
      // If another class had this name before, the rename would be ambiguous.
      guard let name = later[entry.id]?.name, name != entry.name, old[name] == nil else { continue }
      newNames[entry.name] = name
    }
    return newNames
  }
}

extension ClassSchema {
  /// Returns the class with the earlier names of the class and its properties.
  fileprivate func knowing(
    _ before: CatalogClass, _ after: CatalogClass, oldName: String?
  ) -> ClassSchema {
    let oldNames = Dictionary(keepingFirst: before.properties.map { ($0.id, $0.name) })
    let numbers = Dictionary(keepingFirst: after.properties.map { ($0.name, $0.id) })
    return ClassSchema(
      name: name, isEmbedded: isEmbedded,
      properties: properties.map { property in
        var property = property
        if let old = numbers[property.name].flatMap({ oldNames[$0] }), old != property.name,
          self[old] == nil
        {
          property.previousNames = [old]
        }
        return property
      }, indexes: indexes, previousNames: oldName.map { [$0] } ?? previousNames)
  }
}
