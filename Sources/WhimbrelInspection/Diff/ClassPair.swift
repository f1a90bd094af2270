internal import WhimbrelEngine

/// A class of two stores, with its paired properties. One of the stores may lack the class.
struct ClassPair {
  /// The name of the class: the new name if the class was renamed.
  let name: String
  let old: ClassTable?
  let new: ClassTable?
  /// Whether objects are paired by primary key or by object ID.
  let order: ObjectWalk.Order
  /// The properties of the new class that are compared.
  let properties: [PropertyPair]
  /// The differences in the schema of the class.
  let changes: [SchemaChange]
  /// Whether both classes store records in the same layouts, so that equal bytes mean equal values,
  /// apart from link targets. See ``SameRecords``.
  let hasComparableRecords: Bool

  /// Whether the class is embedded in all stores that have it.
  var isEmbedded: Bool {
    [old, new].compactMap(\.self).allSatisfy { $0.resolved.isEmbedded }
  }

  var isOneSided: Bool { old == nil || new == nil }
}

extension ClassPair {
  /// Pairs the two versions of a class.
  ///
  /// - Parameters:
  ///   - matching: The pairs of properties.
  ///   - ignored: The names of properties that are not compared.
  init(
    _ name: String, _ old: ClassTable, _ new: ClassTable, _ matching: PropertyMatching,
    _ changes: [SchemaChange], ignoring ignored: Set<String>,
    sharing: (PropertyType) -> PropertyType
  ) {
    let (before, after) = (old.resolved, new.resolved)
    self.init(
      name: name, old: old, new: new, order: Self.order(old, new, matching),
      properties: after.properties.indices.compactMap { position in
        let name = after.properties[position].name
        let oldName = matching.oldNames[name]
        guard !ignored.contains(name) else { return nil }
        let source = oldName.flatMap(before.position).map { (before.properties[$0], $0) }
        return PropertyPair(source, after.properties[position], at: position, sharing: sharing)
      },
      changes: changes,
      hasComparableRecords: before.entry.layouts == after.entry.layouts
        && before.properties.elementsEqual(after.properties, by: Self.areReadAlike))
  }

  /// Returns the primary key if both classes have the same key with comparable types.
  private static func order(
    _ old: ClassTable, _ new: ClassTable, _ matching: PropertyMatching
  ) -> ObjectWalk.Order {
    guard let before = old.resolved.schema.primaryKey, let after = new.resolved.schema.primaryKey,
      matching.newNames[before.name] == after.name,
      before.type == after.type || before.type.isInteger && after.type.isInteger
    else { return .objectID }
    return .primaryKey
  }

  /// Returns whether equal bytes mean equal values of both properties.
  private static func areReadAlike(_ old: CatalogProperty, _ new: CatalogProperty) -> Bool {
    old.id == new.id && old.type == new.type && old.isOptional == new.isOptional
      && old.fill.isIdentical(to: new.fill) && old.nilFill.isIdentical(to: new.nilFill)
  }
}
