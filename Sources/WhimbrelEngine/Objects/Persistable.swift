public import Foundation

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

extension Bool: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .bool }
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .bool(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  @inlinable
  public var propertyValue: PropertyValue { .bool(self) }
}

/// A whole number that a property may have.
@_documentation(visibility: internal)
public protocol PersistableInteger: Persistable, FixedWidthInteger {}

extension PersistableInteger {
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .int(let value) = propertyValue else { return nil }
    self.init(exactly: value)
  }
  /// The value as it is stored.
  @inlinable
  public var propertyValue: PropertyValue { .int(Int64(self)) }
}

extension Int: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .int }
}
extension Int8: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .int8 }
}
extension Int16: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .int16 }
}
extension Int32: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .int32 }
}
extension Int64: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .int }
}
extension UInt8: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .uint8 }
}
extension UInt16: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .uint16 }
}
extension UInt32: PersistableInteger {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .uint32 }
}

extension Float: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .float }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .float(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .float(self) }
}

extension Double: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .double }
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .double(let value): self = value
    case .float(let value): self = Double(value)
    default: return nil
    }
  }
  /// The value as it is stored.
  @inlinable
  public var propertyValue: PropertyValue { .double(self) }
}

extension String: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .string }
  /// Reads a stored value, or returns nil when it is one of another type.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .string(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  @inlinable
  public var propertyValue: PropertyValue { .string(self) }
}

extension Data: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .data }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .data(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .data(self) }
}

extension Date: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .date }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .date(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .date(self) }
}

extension UUID: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .uuid }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .uuid(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .uuid(self) }
}

extension Decimal: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .decimal }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .decimal(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .decimal(self) }
}

extension ObjectId: Persistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .objectId }
  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard case .objectId(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value as it is stored.
  public var propertyValue: PropertyValue { .objectId(self) }
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

extension Bool: PersistableAsOptional {}
extension Int: PersistableAsOptional {}
extension Int8: PersistableAsOptional {}
extension Int16: PersistableAsOptional {}
extension Int32: PersistableAsOptional {}
extension Int64: PersistableAsOptional {}
extension UInt8: PersistableAsOptional {}
extension UInt16: PersistableAsOptional {}
extension UInt32: PersistableAsOptional {}
extension Float: PersistableAsOptional {}
extension Double: PersistableAsOptional {}
extension String: PersistableAsOptional {}
extension Data: PersistableAsOptional {}
extension Date: PersistableAsOptional {}
extension UUID: PersistableAsOptional {}
extension Decimal: PersistableAsOptional {}
extension ObjectId: PersistableAsOptional {}
