public import WhimbrelEngine

extension StoredSet: ModelValue {
  /// The stored type.
  public static var propertyType: PropertyType { .set(of: Element._$elementType) }
  /// The raw values of the elements if they are an enum, as text, otherwise nil.
  public static var propertyCases: [String]? { Element._$elementCases }

  /// Makes an unmanaged set from a stored value. Returns nil if the value has another type, or if
  /// it is a set of links, which lead nowhere without a store.
  public convenience init?(propertyValue: PropertyValue) {
    guard case .list(let values) = propertyValue,
      let elements = [Element](propertyValues: values)
    else { return nil }
    self.init(elements)
  }

  /// The elements as a stored value. Unmanaged objects are stored as null.
  public var propertyValue: PropertyValue { .list(map(\._$plainValue)) }

  /// The empty set.
  public static var _$placeholder: StoredSet { StoredSet() }

  /// Returns the set of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> StoredSet {
    StoredSet(CollectionStorage(row, index))
  }

  /// Replaces the elements of a managed object's set by those of another set.
  public static func _$store(_ value: StoredSet, _ row: inout ModelRow, _ index: Int) {
    let target = CollectionStorage(row, index)
    guard !value.storage.isSame(as: target) else { return }
    target.edit(adding: value, else: ()) { values, editor in
      try editor.removeSubrange(0..<editor.count())
      try editor.insertIntoSet(contentsOf: values)
    }
  }

  /// Encodes the elements of an unmanaged object's set.
  public static func _$encode(
    _ value: StoredSet, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    if !value.isManaged { value.storage.onManaged = { [weak value] in value?.local = .init() } }
    try encoder._$setElements(index, value, of: value.storage)
  }

  /// Converts a sequence whose elements can be converted to an unmanaged set. Nil becomes an empty
  /// set.
  public static func _$converted(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> StoredSet {
    StoredSet(try conversion.elements(value, as: propertyType))
  }
}

extension StoredSet: ExpressibleByArrayLiteral {
  /// Makes an unmanaged set from a literal.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StoredSet: CustomStringConvertible, CustomDebugStringConvertible {
  /// The first hundred elements as text.
  public var description: String {
    isInvalidated ? "[invalidated set]" : "[\(describe(self) { "\($0)" })]"
  }

  /// The type, and the first hundred elements as text.
  public var debugDescription: String {
    let elements = isInvalidated ? "invalidated" : describe(self) { String(reflecting: $0) }
    return "StoredSet<\(Element.self)>([\(elements)])"
  }
}

extension StoredSet: Encodable where Element: Encodable {
  /// Encodes the elements as an array, in the order of the store.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension StoredSet: Decodable where Element: Decodable {
  /// Decodes an unmanaged set from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}
