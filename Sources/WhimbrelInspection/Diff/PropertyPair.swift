internal import WhimbrelEngine

/// A property of a class in both stores, or only in the new one.
struct PropertyPair {
  let name: String
  /// The position in the old class, and nil where it has no such property.
  let oldPosition: Int?
  let newPosition: Int
  /// The property in the old store, with the names of classes that both stores share.
  let old: CatalogProperty?
  let new: CatalogProperty
  /// Whether the values can be compared as they are stored.
  let isPlain: Bool

  /// - Parameters:
  ///   - old: the property of the old class, and its position there.
  ///   - sharing: gives a type of the old store with the names that both share.
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

  /// Makes the pair of a property with itself.
  init(_ property: CatalogProperty, at position: Int) {
    self.init((property, position), property, at: position) { $0 }
  }

  /// What an old value becomes when the old store is migrated, or nil when it has no counterpart.
  ///
  /// - Parameter classID: gives the class of the old store that has a name in both.
  func migrated(_ value: PropertyValue, _ classID: (String) -> ClassID?) -> PropertyValue? {
    old.flatMap { Self.converted(value, from: $0, to: new, classID) }
  }

  /// What a new value would become if the new store were migrated to the schema of the old one.
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

  /// Whether an object that never was given a value of a new property has this one.
  func isFill(_ value: PropertyValue) -> Bool {
    if value.isIdentical(to: new.fill) { return true }
    return new.makeDefault(nil).map(value.isIdentical) ?? false
  }
}
