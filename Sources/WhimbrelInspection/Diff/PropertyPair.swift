internal import WhimbrelEngine

/// A property in both stores, or only in the new one.
struct PropertyPair {
  let name: String
  /// The index of the property in the old class, or nil if that class lacks it.
  let oldPosition: Int?
  let newPosition: Int
  /// The property in the old store, with the shared names of classes.
  let old: CatalogProperty?
  let new: CatalogProperty
  /// Whether the stored values can be compared without translation of types or links.
  let isPlain: Bool

  /// - Parameters:
  ///   - old: The property of the old class and its index there.
  ///   - new: The property of the new class.
  ///   - newPosition: Its index there.
  ///   - sharing: Translates a type of the old store to the shared names of classes.
  init(
    _ old: (property: CatalogProperty, position: Int)?, _ new: CatalogProperty,
    at newPosition: Int, sharing: (PropertyType) -> PropertyType
  ) {
    var before = old?.property
    if let type = before?.type { before?.type = sharing(type) }
    name = new.name
    oldPosition = old?.position
    self.newPosition = newPosition
    self.old = before
    self.new = new
    isPlain =
      before?.type == new.type && before?.isOptional == new.isOptional && !new.type.isCollection
      && !new.type.holdsLinks
  }

  /// Pairs a property with itself.
  init(_ property: CatalogProperty, at position: Int) {
    self.init((property, position), property, at: position) { $0 }
  }

  /// Returns the result of migrating an old value, or nil if it cannot be converted without loss.
  ///
  /// - Parameter classID: Returns the class of the old store with a shared name.
  func migrated(_ value: PropertyValue, _ classID: (String) -> ClassID?) -> PropertyValue? {
    old.flatMap { Self.converted(value, from: $0, to: new, classID) }
  }

  /// Returns the result of migrating a new value back to the old schema, or nil if it cannot be
  /// converted without loss.
  func migratedBack(_ value: PropertyValue, _ classID: (String) -> ClassID?) -> PropertyValue? {
    old.flatMap { Self.converted(value, from: new, to: $0, classID) }
  }

  private static func converted(
    _ value: PropertyValue, from old: CatalogProperty, to new: CatalogProperty,
    _ classID: (String) -> ClassID?
  ) -> PropertyValue? {
    if value.isNull, !new.isOptional, !new.type.isCollection { return new.nilFill }
    return Conversion.lossless(from: old.type, to: new.type)?.apply(value, classID)
  }

  /// Returns whether a value is the one that a migration gives to existing objects.
  func isFill(_ value: PropertyValue) -> Bool {
    if value.isIdentical(to: new.fill) { return true }
    return new.makeDefault(nil).map(value.isIdentical) ?? false
  }
}
