/// A Swift type that a property can have.
///
/// These are `Bool`, integers of up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`,
/// `UUID`, `Decimal`, ``ObjectId``, enums that are `PersistableEnum`, types that are
/// `CustomPersistable`, and optionals of all of them.
public protocol Persistable: SendableMetatype {
  /// The type of the stored property.
  static var propertyType: PropertyType { get }
  /// Whether the property can be nil.
  static var isOptionalProperty: Bool { get }
  /// The raw values of an enum, as text, or nil if this is not an enum.
  static var propertyCases: [String]? { get }
  /// Reads a stored value, or returns nil if it has another type.
  init?(propertyValue: PropertyValue)
  /// The value to store.
  var propertyValue: PropertyValue { get }
}

extension Persistable {
  /// Whether the property can be nil. The default is false.
  public static var isOptionalProperty: Bool { false }
  /// The raw values of an enum, as text. The default is nil.
  public static var propertyCases: [String]? { nil }
}

extension Optional: Persistable where Wrapped: PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { Wrapped.optionalPropertyType }
  /// Whether the property can be nil, which is always true.
  public static var isOptionalProperty: Bool { true }
  /// The raw values of an enum, as text, or nil if this is not an enum.
  public static var propertyCases: [String]? { Wrapped.optionalPropertyCases }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    if propertyValue.isNull {
      self = .none
    } else if let value = Wrapped.wrapped(propertyValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
  /// The value to store.
  public var propertyValue: PropertyValue { self?.optionalPropertyValue ?? .null }
}

/// A Swift type whose optional a property can have: each ``Persistable`` type that is not optional
/// itself, and models, whose optionals are links.
@_documentation(visibility: internal)
public protocol PersistableAsOptional {
  /// The type of the stored optional property.
  static var optionalPropertyType: PropertyType { get }
  /// The raw values of an enum, as text, or nil if this is not an enum.
  static var optionalPropertyCases: [String]? { get }
  /// Reads a stored value that is not null, or returns nil if it has another type.
  static func wrapped(_ value: PropertyValue) -> Self?
  /// The value to store.
  var optionalPropertyValue: PropertyValue { get }
}

extension PersistableAsOptional where Self: Persistable {
  /// The type of the stored optional property.
  public static var optionalPropertyType: PropertyType { propertyType }
  /// The raw values of an enum, as text, or nil if this is not an enum.
  public static var optionalPropertyCases: [String]? { propertyCases }
  /// Reads a stored value that is not null, or returns nil if it has another type.
  public static func wrapped(_ value: PropertyValue) -> Self? { Self(propertyValue: value) }
  /// The value to store.
  public var optionalPropertyValue: PropertyValue { propertyValue }
}
