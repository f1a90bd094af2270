internal import WhimbrelEngine

/// What of a schema is what of an earlier one, by their stable numbers: those of two stores of
/// one lineage, which share a UUID, tell what was renamed.
struct SchemaLineage {
  /// The earlier catalog, with the later names of its classes.
  let old: Catalog
  /// The later schema, whose properties know their earlier names.
  let new: Schema
  /// The classes that have other names now, sorted by the new ones.
  let renamedClasses: [(from: String, to: String)]

  init(from old: SchemaSource, to new: SchemaSource) {
    guard let uuid = old.uuid, uuid == new.uuid else {
      (self.old, self.new, renamedClasses) = (old.catalog, new.declared, [])
      return
    }
    let later = Dictionary(
      new.catalog.classes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var newNames: [String: String] = [:]
    for entry in old.catalog.classes {
      // A name that another class had before is not one that can be told apart.
      guard let name = later[entry.id]?.name, name != entry.name, old.catalog[name] == nil else {
        continue
      }
      newNames[entry.name] = name
    }
    var catalog = old.catalog
    for index in catalog.classes.indices {
      catalog.classes[index] = catalog.classes[index].renamingLinks(newNames)
      let name = catalog.classes[index].name
      catalog.classes[index].name = newNames[name] ?? name
    }
    self.old = catalog
    self.new = Schema(
      classes: new.declared.classes.map { schema in
        guard let before = catalog[schema.name], let after = new.catalog[schema.name],
          before.id == after.id
        else { return schema }
        return schema.knowing(before, after)
      })
    renamedClasses = newNames.map { (from: $0.key, to: $0.value) }.sorted { $0.to < $1.to }
  }
}

extension ClassSchema {
  /// The class, whose properties know the names that they had in an earlier catalog.
  fileprivate func knowing(_ before: CatalogClass, _ after: CatalogClass) -> ClassSchema {
    let oldNames = Dictionary(
      before.properties.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let numbers = Dictionary(
      after.properties.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
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
      }, indexes: indexes)
  }
}
