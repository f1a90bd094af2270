/// A Swift type that a property may have.
///
/// `Bool`, integers of up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`,
/// `UUID`, `Decimal`, ``ObjectId``, enums that are `PersistableEnum`, types that are
/// `CustomPersistable`, and optionals of all of them.
public protocol Persistable: SendableMetatype {
  /// The type as it is stored.
  static var propertyType: PropertyType { get }
  /// Whether the property may be nil.
  static var isOptionalProperty: Bool { get }
  /// The raw values of an enum, as text, or nil.
  static var propertyCases: [String]? { get }
  /// Reads a stored value, or returns nil when it is one of another type.
  init?(propertyValue: PropertyValue)
  /// The value as it is stored.
  var propertyValue: PropertyValue { get }
}

extension Persistable {
  /// Whether the property may be nil.
  public static var isOptionalProperty: Bool { false }
  /// The raw values of an enum, as text, or nil.
  public static var propertyCases: [String]? { nil }
}

extension Optional: Persistable where Wrapped: PersistableAsOptional {
  /// The type as it is stored.
  public static var propertyType: PropertyType { Wrapped.optionalPropertyType }
  /// Whether the property may be nil.
  public static var isOptionalProperty: Bool { true }
  /// The raw values of an enum, as text, or nil.
  public static var propertyCases: [String]? { Wrapped.optionalPropertyCases }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    if propertyValue.isNull {
      self = .none
    } else if let value = Wrapped.wrapped(propertyValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { self?.optionalPropertyValue ?? .null }
}

/// A Swift type whose optional a property may have: every ``Persistable`` that is
/// not optional itself, and models, whose optionals are links.
@_documentation(visibility: internal)
public protocol PersistableAsOptional {
  /// The type of an optional property as it is stored.
  static var optionalPropertyType: PropertyType { get }
  /// The raw values of an enum, as text, or nil.
  static var optionalPropertyCases: [String]? { get }
  /// Reads a stored value that is not nil, or returns nil when it is one of
  /// another type.
  static func wrapped(_ value: PropertyValue) -> Self?
  /// The value as it is stored.
  var optionalPropertyValue: PropertyValue { get }
}

extension PersistableAsOptional where Self: Persistable {
  /// The type of an optional property as it is stored.
  public static var optionalPropertyType: PropertyType { propertyType }
  /// The raw values of an enum, as text, or nil.
  public static var optionalPropertyCases: [String]? { propertyCases }
  /// Reads a stored value that is not nil, or returns nil when it is one of another type.
  public static func wrapped(_ value: PropertyValue) -> Self? { Self(propertyValue: value) }
  /// The value as it is stored.
  public var optionalPropertyValue: PropertyValue { propertyValue }
}
