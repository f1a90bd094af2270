internal import Foundation
internal import WhimbrelEngine

/// Makes values of properties of values of other types: what `create(_:value:update:)`
/// and key-value access take.
///
/// The rules, beside that a value of the property's own type is taken as it is:
///
/// - a whole number of any type becomes one of any width, a number of 32 or 64 bits or a
///   decimal number, as far as that has the same value; a number of 64 bits becomes the
///   decimal number with the fewest digits that stands for it;
/// - a number of 64 bits becomes one of 32 bits that has the same value, and the other
///   way;
/// - a number of JSON, as `JSONSerialization` reads it, becomes a decimal number with the same
///   digits, a number of 32 bits that is nearest to it, or a whole number of the same value;
/// - truth values are no numbers, and numbers no truth values;
/// - a raw value becomes the case of an enum, and what is stored for a
///   `CustomPersistable` becomes one;
/// - an array, a set or another sequence becomes a list or a set, and a dictionary a map;
/// - a dictionary of properties by name, or an array of them in the order declared,
///   becomes an object, or a `PersistableCodable`, by its keys;
/// - a `DynamicObject` stands for the object, and in a migration an old object for the new one that
///   it has become, or for nil when that is gone;
/// - nil and `NSNull` become nil, and an empty collection;
/// - a `PropertyValue` and an `AnyValue` stand for what they hold.
public struct ValueConversion {
  /// The class and property, for messages.
  let className: String
  let property: String
  /// What the value is a part of.
  let creation: ObjectCreation
  /// Whether the value comes from an object of which a copy is made.
  let isCopying: Bool
  /// Whether objects that get no value for the property have a default.
  let hasDefault: Bool
  /// Whether the value is an element of a collection.
  private(set) var isElement = false

  init(
    class className: String, property: ModelProperty,
    in creation: ObjectCreation = ObjectCreation(), isCopying: Bool = false
  ) {
    self.className = className
    self.property = property.name
    self.creation = creation
    self.isCopying = isCopying
    hasDefault = property.hasDefault
  }

  /// Converts the elements of a collection, one after the other.
  func elements<Result>(
    _ values: [Any], _ convert: (Any, ValueConversion) throws -> Result
  ) throws -> [Result] {
    let conversion = ofElements
    return try values.enumerated().map { index, value in
      try creation.at(.index(index)) { try convert(value, conversion) }
    }
  }

  /// Converts the values of a map.
  func entries<Result>(
    _ values: [String: Any], _ convert: (Any, ValueConversion) throws -> Result
  ) throws -> [String: Result] {
    let conversion = ofElements
    return try values.mapValues { value in
      try creation.at(.mapValue) { try convert(value, conversion) }
    }
  }

  private var ofElements: ValueConversion {
    var conversion = self
    conversion.isElement = true
    return conversion
  }

  /// The value without optionals around it, or nil.
  public func unwrapped(_ value: Any?) -> Any? {
    guard let value = value.flatMap(flattened) else { return nil }
    return creation.isGone(value) ? nil : value
  }
}

/// The value without optionals around it, or nil; `NSNull` and a `PropertyValue` of null
/// are nil too.
func flattened(_ value: Any) -> Any? {
  if let optional = value as? any AnyOptional {
    return optional.content.flatMap(flattened)
  }
  if value is NSNull { return nil }
  if let value = value as? PropertyValue, value.isNull { return nil }
  if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
    return flattened(value.base)
  }
  return value
}

/// An optional of whatever type.
protocol AnyOptional {
  /// The type of what it wraps.
  static var contentType: Any.Type { get }
  /// What it wraps, or nil.
  var content: Any? { get }
}

extension Optional: AnyOptional {
  static var contentType: Any.Type { Wrapped.self }
  var content: Any? { self }
}

// MARK: - Errors

extension ValueConversion {
  func wrongType(
    _ expected: PropertyType, isOptional: Bool = false, _ value: Any?
  ) -> StoreError {
    let stored = value.flatMap { ($0 as? PropertyValue) ?? ($0 as? any Persistable)?.propertyValue }
    let kind = stored.flatMap { $0.isNull ? nil : $0.kind }
    return StoreError.wrongType(
      class: className, property: property, expected: expected, isOptional: isOptional,
      got: kind ?? value.map { Self.typeName(of: $0) } ?? "nil")
  }

  func outOfRange(_ type: PropertyType, _ kind: String) -> StoreError {
    StoreError.outOfRange(class: className, property: property, got: kind, type: type)
  }

  func nilGiven() -> StoreError {
    StoreError.nilGiven(
      class: className, property: property, isElement: isElement, hasDefault: hasDefault)
  }

  func unusable(_ type: Any.Type) -> StoreError {
    StoreError.unusableValue(
      class: className, property: property, type: String(describing: type))
  }

  /// What messages call a value that the store does not know.
  static func typeName(of value: Any) -> String {
    if let model = value as? any Model { return type(of: model)._$schema.name }
    return String(describing: type(of: value))
  }
}
