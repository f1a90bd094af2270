public import Foundation
public import WhimbrelEngine

/// A Swift type that a ``StoredList``, a ``StoredSet`` or a ``StoredMap`` may hold: a model, every
/// property type except collections, and optionals of those.
///
/// A link in a collection is never nil: when an object is deleted, collections lose it.
public protocol CollectionElement: SendableMetatype {
  /// The stored type of an element.
  static var _$elementType: ElementType { get }
  /// The raw values of an enum as text, otherwise nil.
  static var _$elementCases: [String]? { get }
  /// Whether elements are stored as bits: see `_$element(bits:)`.
  static var _$hasBits: Bool { get }
  /// Makes an element from the stored bits.
  static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self
  /// Makes an element from bits that were read before the store changed. Returns nil if the object
  /// was deleted since.
  static func _$elementIfPresent(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self?
  /// Makes an element from a stored value.
  static func _$element(_ value: PropertyValue, _ owner: ModelRow, _ index: Int) -> Self
  /// Converts a value of another type to an element: see ``ValueConversion``.
  static func _$convertedElement(_ value: Any?, _ conversion: ValueConversion) throws -> Self
  /// Returns the stored value, and adds an object to the store.
  func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue
  /// The stored value as far as it does not depend on a store. Elements are compared by it.
  var _$plainValue: PropertyValue { get }
  /// The object if the element is an object, otherwise nil.
  var _$object: (any Model)? { get }
}

extension CollectionElement {
  /// Whether elements are stored as bits.
  public static var _$hasBits: Bool { false }
  /// Returns whether a stored value is a link that leads nowhere, which is not an element.
  static func _$isMissing(_ value: PropertyValue) -> Bool {
    value == .null && _$elementType.type.linkTarget != nil
  }
  /// Makes an element from the stored bits. It is called only if elements have bits.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    _$element(.int(Int64(bitPattern: bits)), owner, index)
  }
  /// Makes an element from bits that were read before the store changed.
  public static func _$elementIfPresent(
    bits: UInt64, _ owner: ModelRow, _ index: Int
  ) -> Self? {
    _$element(bits: bits, owner, index)
  }
  /// Nil, because the element is not an object.
  public var _$object: (any Model)? { nil }

  func isSameElement(as other: Self) -> Bool {
    if let object = _$object, let other = other._$object {
      return object.isSameObject(asAny: other)
    }
    return _$plainValue.isSameElement(as: other._$plainValue)
  }
}

extension CollectionElement where Self: ModelValue {
  /// The stored type of an element.
  public static var _$elementType: ElementType {
    ElementType(propertyType, isOptional: isOptionalProperty)
  }
  /// The raw values of an enum as text, otherwise nil.
  public static var _$elementCases: [String]? { propertyCases }
  /// Makes an element from a stored value.
  public static func _$element(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> Self {
    if let element = Self(propertyValue: value) { return element }
    owner._$noteUnknownCase(index)
    return _$placeholder
  }
  /// Converts a value of another type to an element.
  public static func _$convertedElement(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> Self {
    try _$converted(value, conversion)
  }
  /// Returns the stored value.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue { propertyValue }
  /// The stored value.
  public var _$plainValue: PropertyValue { propertyValue }
}

extension CollectionElement where Self: ModelNumber {
  /// Whether elements are stored as bits.
  public static var _$hasBits: Bool { true }
  /// Makes an element from the stored bits.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    Self(_$bits: bits)
  }
}

extension CollectionElement where Self: PersistableEnum, RawValue: ModelNumber {
  /// Whether elements are stored as bits.
  public static var _$hasBits: Bool { true }
  /// Makes an element from the stored bits.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    if let element = Self(rawValue: RawValue(_$bits: bits)) { return element }
    owner._$noteUnknownCase(index)
    return _$placeholder
  }
}

extension Model {
  /// The stored type of an element.
  public static var _$elementType: ElementType { ElementType(.link(to: _$schema.name)) }
  /// Nil, because a model is not an enum.
  public static var _$elementCases: [String]? { nil }
  /// Whether elements are stored as bits: true, because an ID is.
  public static var _$hasBits: Bool { true }
  /// Makes an element from an ID.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    Self(_$row: owner.elementTarget(ObjectID(rawValue: bits), by: index))
  }
  /// Makes an element from an ID that was read before the store changed. Returns nil if the object
  /// was deleted since.
  public static func _$elementIfPresent(
    bits: UInt64, _ owner: ModelRow, _ index: Int
  ) -> Self? {
    owner.target(ObjectID(rawValue: bits), by: index).map(Self.init(_$row:))
  }
  /// Makes an element from a stored value.
  public static func _$element(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> Self {
    let id: ObjectID? = if case .link(let id) = value { id } else { nil }
    return Self(_$row: owner.elementTarget(id, by: index))
  }
  /// Converts a value of another type to an element.
  public static func _$convertedElement(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> Self {
    try conversion.object(of: Self.self, value)
  }
  /// Returns a link to the object, and adds the object to the store.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue {
    try adder.link(to: self).map { .link($0) } ?? .null
  }
  /// A link to the object, or null if it is unmanaged.
  public var _$plainValue: PropertyValue { _$row.isManaged ? .link(_$row.id) : .null }
  /// The object itself.
  public var _$object: (any Model)? { self }

  /// Returns whether an object of any model is the same object.
  func isSameObject(asAny other: any Model) -> Bool {
    if self === other { return true }
    guard _$row.isManaged, other._$row.isManaged else { return false }
    return _$row.id == other._$row.id && _$row.isSameStore(as: other._$row)
  }
}

extension Optional: CollectionElement where Wrapped: ModelValueAsOptional & ModelValue {}
extension Bool: CollectionElement {}
extension Int: CollectionElement {}
extension Int8: CollectionElement {}
extension Int16: CollectionElement {}
extension Int32: CollectionElement {}
extension Int64: CollectionElement {}
extension UInt8: CollectionElement {}
extension UInt16: CollectionElement {}
extension UInt32: CollectionElement {}
extension Float: CollectionElement {}
extension Double: CollectionElement {}
extension String: CollectionElement {}
extension Data: CollectionElement {}
extension Date: CollectionElement {}
extension UUID: CollectionElement {}
extension Decimal: CollectionElement {}
extension ObjectId: CollectionElement {}
