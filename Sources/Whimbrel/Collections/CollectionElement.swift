public import Foundation
public import WhimbrelEngine

/// A Swift type that a ``StoredList``, a ``StoredSet`` or a ``StoredMap`` may hold: every type of
/// a property that is no collection, optionals of them, and models.
///
/// Links to objects are never nil here: when an object is deleted, its elements go.
public protocol CollectionElement: SendableMetatype {
  /// The type of an element as it is stored.
  static var _$elementType: ElementType { get }
  /// The raw values of an enum, as text, or nil.
  static var _$elementCases: [String]? { get }
  /// Whether the elements are made of bits: see `_$element(bits:)`.
  static var _$hasBits: Bool { get }
  /// Makes an element of the bits that are stored.
  static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self
  /// Makes an element of a stored value.
  static func _$element(_ value: PropertyValue, _ owner: ModelRow, _ index: Int) -> Self
  /// Makes an element of a value of another type: see ``ValueConversion``.
  static func _$convertedElement(_ value: Any?, _ conversion: ValueConversion) throws -> Self
  /// The value as it is stored; objects are added to the store.
  func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue
  /// The value as it is stored, as far as it depends on no store: what two elements
  /// are compared by.
  var _$plainValue: PropertyValue { get }
  /// The object, if the element is one, else nil.
  var _$object: (any Model)? { get }
}

extension CollectionElement {
  /// Whether the elements are made of bits.
  public static var _$hasBits: Bool { false }
  /// Whether a stored value is that of no element: a link that leads nowhere.
  static func _$isMissing(_ value: PropertyValue) -> Bool {
    value == .null && _$elementType.type.linkTarget != nil
  }
  /// Makes an element of the bits that are stored; never called where there are none.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    _$element(.int(Int64(bitPattern: bits)), owner, index)
  }
  /// Nil: the element is no object.
  public var _$object: (any Model)? { nil }

  /// Whether both are the same element: the same value, or the same object.
  func isSameElement(as other: Self) -> Bool {
    if let object = _$object, let other = other._$object {
      return object.isSameObject(asAny: other)
    }
    return _$plainValue.isSameElement(as: other._$plainValue)
  }
}

extension CollectionElement where Self: ModelValue {
  /// The type of an element as it is stored.
  public static var _$elementType: ElementType {
    ElementType(propertyType, isOptional: isOptionalProperty)
  }
  /// The raw values of an enum, as text, or nil.
  public static var _$elementCases: [String]? { propertyCases }
  /// Makes an element of a stored value.
  public static func _$element(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> Self {
    if let element = Self(propertyValue: value) { return element }
    owner._$noteUnknownCase(index)
    return _$placeholder
  }
  /// Makes an element of a value of another type.
  public static func _$convertedElement(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> Self {
    try _$converted(value, conversion)
  }
  /// The value as it is stored.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue { propertyValue }
  /// The value as it is stored.
  public var _$plainValue: PropertyValue { propertyValue }
}

extension CollectionElement where Self: ModelNumber {
  /// Whether the elements are made of bits.
  public static var _$hasBits: Bool { true }
  /// Makes an element of the bits that are stored.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    Self(_$bits: bits)
  }
}

extension CollectionElement where Self: PersistableEnum, RawValue: ModelNumber {
  /// Whether the elements are made of bits.
  public static var _$hasBits: Bool { true }
  /// Makes an element of the bits that are stored.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    if let element = Self(rawValue: RawValue(_$bits: bits)) { return element }
    owner._$noteUnknownCase(index)
    return _$placeholder
  }
}

extension Model {
  /// The type of an element as it is stored.
  public static var _$elementType: ElementType { ElementType(.link(to: _$schema.name)) }
  /// The raw values of an enum, as text, or nil.
  public static var _$elementCases: [String]? { nil }
  /// Whether the elements are made of bits: identities are.
  public static var _$hasBits: Bool { true }
  /// Makes an element of an identity.
  public static func _$element(bits: UInt64, _ owner: ModelRow, _ index: Int) -> Self {
    _$element(.link(ObjectID(rawValue: bits)), owner, index)
  }
  /// Makes an element of a stored value.
  public static func _$element(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> Self {
    Self(_$row: owner.elementTarget(of: value, in: _$schema.name))
  }
  /// Makes an element of a value of another type.
  public static func _$convertedElement(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> Self {
    try conversion.object(of: Self.self, value)
  }
  /// The value as it is stored; the object is added to the store.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue {
    try adder.link(to: self).map { .link($0) } ?? .null
  }
  /// The identity in the store, if it is in one.
  public var _$plainValue: PropertyValue { _$row.isManaged ? .link(_$row.id) : .null }
  /// The object itself.
  public var _$object: (any Model)? { self }

  /// Whether another object, of whatever model, is the same.
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
