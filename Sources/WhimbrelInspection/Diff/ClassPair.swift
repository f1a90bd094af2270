internal import WhimbrelEngine

/// A class of two stores, or of one of them, with what belongs to what.
struct ClassPair {
  /// The name: the new one if the class was renamed.
  let name: String
  let old: ClassTable?
  let new: ClassTable?
  /// Whether objects are told by their primary keys, or by their IDs.
  let order: ObjectWalk.Order
  /// The properties that the new class has, and that are to be compared.
  let properties: [PropertyPair]
  /// How the class differs.
  let changes: [SchemaChange]
  /// Whether the records of both have the same forms, so that equal bytes are equal values but for
  /// what links lead to: see ``SameRecords``.
  let hasComparableRecords: Bool

  /// Whether the objects are parts of others in all stores that have the class.
  var isEmbedded: Bool {
    [old, new].compactMap(\.self).allSatisfy { $0.resolved.isEmbedded }
  }

  /// Whether only one store has the class.
  var isOneSided: Bool { old == nil || new == nil }
}

extension ClassPair {
  /// Pairs two shapes of a class.
  ///
  /// - Parameters:
  ///   - matching: which properties belong together.
  ///   - ignored: the names of properties that are not compared.
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

  /// By primary key where both have the same one, of one kind.
  private static func order(
    _ old: ClassTable, _ new: ClassTable, _ matching: PropertyMatching
  ) -> ObjectWalk.Order {
    guard let before = old.resolved.schema.primaryKey, let after = new.resolved.schema.primaryKey,
      matching.newNames[before.name] == after.name,
      before.type == after.type || before.type.isInteger && after.type.isInteger
    else { return .objectID }
    return .primaryKey
  }

  /// Whether the same bytes are the same value of both properties.
  private static func areReadAlike(_ old: CatalogProperty, _ new: CatalogProperty) -> Bool {
    old.id == new.id && old.type == new.type && old.isOptional == new.isOptional
      && old.fill.isIdentical(to: new.fill) && old.nilFill.isIdentical(to: new.nilFill)
  }
}
