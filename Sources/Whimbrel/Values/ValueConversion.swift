internal import Foundation
internal import WhimbrelEngine

/// The conversion of values to the types of properties, used by
/// `create(_:value:update:unknownKeys:)` and key-value access.
///
/// A value of the property's own type is used unchanged. Other values are converted by these rules:
///
/// - An integer of any type becomes an integer of any width, a 32-bit or 64-bit floating-point
///   number or a decimal number, if that has the same value. A 64-bit floating-point number becomes
///   the decimal number with the fewest digits that converts back to it.
/// - A 64-bit floating-point number becomes a 32-bit number if that has the same value, and a
///   32-bit number becomes a 64-bit number.
/// - A JSON number that `JSONSerialization` has read becomes a decimal number with the same digits,
///   the nearest 32-bit or 64-bit floating-point number, or an integer with the same value.
/// - A Boolean does not become a number, and a number does not become a Boolean.
/// - A text becomes a `UUID`, an ``ObjectId`` or a decimal number, if it spells one. It does not
///   become a date or data, because their texts have several forms.
/// - A raw value becomes the case of an enum, and the stored value of a `CustomPersistable` becomes
///   such a value.
/// - An array, a set or another sequence becomes a list or a set, and a dictionary becomes a map.
/// - A dictionary of properties by name, or an array of properties in the order of declaration,
///   becomes an object. A dictionary becomes a `PersistableCodable` by its keys.
/// - A `DynamicObject` represents its object. In a migration, an old object represents the new
///   object that it has become, or nil if that was deleted.
/// - Nil and `NSNull` become nil, or an empty collection.
/// - A `PropertyValue` and an `AnyValue` represent the values that they hold. ``AnyValue/none``
///   represents nil.
public struct ValueConversion {
  /// The name of the class, for messages.
  let className: String
  let property: String
  let creation: ObjectCreation
  /// Whether the value comes from an object that is being copied.
  let isCopying: Bool
  let hasDefault: Bool
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

  /// Converts the elements of a collection in their order. A collection of objects leaves out those
  /// that the migration has deleted.
  func elements<Result>(
    _ values: [Any], _ convert: (Any, ValueConversion) throws -> Result
  ) throws -> [Result] {
    let conversion = ofElements
    return try values.enumerated().compactMap { index, value in
      if Result.self is any Model.Type, isGone(value) { return nil }
      return try creation.at(.index(index)) { try convert(value, conversion) }
    }
  }

  /// Converts the values of a map. A map of objects leaves out those that the migration has deleted.
  func entries<Result>(
    _ values: [String: Any], _ convert: (Any, ValueConversion) throws -> Result
  ) throws -> [String: Result] {
    let conversion = ofElements
    return try values.compactMapValues { value in
      if Result.self is any Model.Type, isGone(value) { return nil }
      return try creation.at(.mapValue) { try convert(value, conversion) }
    }
  }

  /// Returns whether a value is an old object of a migration whose new object was deleted.
  private func isGone(_ value: Any) -> Bool {
    guard creation.session?.showsNewObjects == true, let value = flattened(value) else {
      return false
    }
    return content(of: value).map(creation.isGone) ?? true
  }

  private var ofElements: ValueConversion {
    var conversion = self
    conversion.isElement = true
    return conversion
  }

  /// Returns the value without its optionals, or nil. A value of any type that is an object gives
  /// the object, and ``AnyValue/none`` gives nil. An old object of a migration that was deleted also
  /// gives nil.
  public func unwrapped(_ value: Any?) -> Any? {
    guard let value = value.flatMap(flattened).flatMap(content) else { return nil }
    return creation.isGone(value) ? nil : value
  }

  /// Returns the object that a value of any type holds, nil for ``AnyValue/none``, and any other
  /// value unchanged.
  private func content(of value: Any) -> Any? {
    let type = type(of: value)
    // Comparing types is faster than a cast, which most values would not need.
    guard type == AnyValue.self || type == PropertyValue.self else { return value }
    let held =
      switch value {
      case PropertyValue.object(let reference), AnyValue.unknownObject(_, let reference):
        AnyValue(.object(reference), in: creation.session)
      default: value as? AnyValue
      }
    guard let held else { return value }
    if held.isNone { return nil }
    return held._$object.map { $0 as Any } ?? value
  }
}

/// Returns the value without its optionals, or nil. `NSNull` and a null `PropertyValue` also give
/// nil. An `NSString` and the like give the value of Swift.
func flattened(_ value: Any) -> Any? {
  if isPlain(type(of: value)) { return value }
  if let optional = value as? any AnyOptional {
    return optional.content.flatMap(flattened)
  }
  if isClass(value) {
    if value is NSNull { return nil }
    if let swiftValue = swiftValue(of: value) { return swiftValue }
  }
  if let value = value as? PropertyValue, value.isNull { return nil }
  if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
    return flattened(value.base)
  }
  return value
}

/// Returns the value of Swift that an object of Foundation holds, or nil for other objects and for
/// numbers. On macOS, each string from `JSONSerialization` is such an object.
private func swiftValue(of object: Any) -> Any? {
  guard object is NSObject else { return nil }
  return switch object {
  case let text as NSString: text as String
  case let date as NSDate: date as Date
  case let data as NSData: data as Data
  case let uuid as NSUUID: uuid as UUID
  default: nil
  }
}

/// Returns whether values of a type are what most values are: neither optionals nor wrappers. Asking
/// a value for a protocol takes far longer.
func isPlain(_ type: Any.Type) -> Bool {
  type == String.self || type == Int.self || type == Double.self || type == Bool.self
    || type == Date.self || type == Data.self || type == [String: Any].self || type == [Any].self
}

/// Returns whether a value is an object. Ask before a cast to a class: a cast of a `String` or a
/// dictionary makes an `NSString` or an `NSDictionary` of it first.
func isClass(_ value: Any) -> Bool { type(of: value) is AnyClass }

/// Returns the object of a model that a value is, or nil. A cast alone would make an `NSSet` of a
/// `Set` first, which never ends on Linux if it contains a `Decimal`.
func modelObject(_ value: Any) -> (any Model)? {
  guard let value = flattened(value), isClass(value) else { return nil }
  return value as? any Model
}

/// An optional of any type.
protocol AnyOptional {
  static var contentType: Any.Type { get }
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
    let stored = value.flatMap { value in
      (value as? PropertyValue) ?? FoundationNumber(value)?.value(for: .any)
        ?? (value as? any Persistable)?.propertyValue
    }
    let kind = stored.flatMap { $0.isNull ? nil : $0.kind }
    return StoreError.wrongType(
      class: className, property: property, expected: expected, isOptional: isOptional,
      got: kind ?? value.map { Self.typeName(of: $0) } ?? "nil",
      advice: advice(for: expected, stored))
  }

  /// Returns the advice for a value of another type, or nil for the usual one. JSON has texts and
  /// numbers in the place of values that it cannot spell.
  private func advice(for expected: PropertyType, _ given: PropertyValue?) -> String? {
    switch (expected, given) {
    case (.date, .string), (.date, .int), (.date, .double):
      "Convert it to a 'Date' first, or decode the model with 'Codable'."
    case (.data, .string): "Convert it to 'Data' first, or decode the model with 'Codable'."
    case (.uuid, .string), (.objectId, .string), (.decimal, .string):
      "Give it a value of its own type, or a text that spells one."
    default:
      expected.linkTarget == nil
        ? nil
        : "Give it an object of that class, or a dictionary of values by property name."
    }
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

  /// Returns the name that messages use for the type of a value that is not a stored kind.
  static func typeName(of value: Any) -> String {
    if let model = modelObject(value) { return type(of: model)._$schema.name }
    return String(describing: type(of: value))
  }
}
