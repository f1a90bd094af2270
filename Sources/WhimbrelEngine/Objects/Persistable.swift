public import Foundation

/// A Swift type that a property may have.
///
/// `Bool`, integers of up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`,
/// `UUID`, enums that are ``PersistableEnum``, and optionals of all of them.
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
  public static var isOptionalProperty: Bool { false }
  public static var propertyCases: [String]? { nil }
}

extension Bool: Persistable {
  public static var propertyType: PropertyType { .bool }
  public init?(propertyValue: PropertyValue) {
    guard case .bool(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .bool(self) }
}

/// A whole number that a property may have.
public protocol PersistableInteger: Persistable, FixedWidthInteger {}

extension PersistableInteger {
  public init?(propertyValue: PropertyValue) {
    guard case .int(let value) = propertyValue else { return nil }
    self.init(exactly: value)
  }
  public var propertyValue: PropertyValue { .int(Int64(self)) }
}

extension Int: PersistableInteger {
  public static var propertyType: PropertyType { .int }
}
extension Int8: PersistableInteger {
  public static var propertyType: PropertyType { .int8 }
}
extension Int16: PersistableInteger {
  public static var propertyType: PropertyType { .int16 }
}
extension Int32: PersistableInteger {
  public static var propertyType: PropertyType { .int32 }
}
extension Int64: PersistableInteger {
  public static var propertyType: PropertyType { .int }
}
extension UInt8: PersistableInteger {
  public static var propertyType: PropertyType { .uint8 }
}
extension UInt16: PersistableInteger {
  public static var propertyType: PropertyType { .uint16 }
}
extension UInt32: PersistableInteger {
  public static var propertyType: PropertyType { .uint32 }
}

extension Float: Persistable {
  public static var propertyType: PropertyType { .float }
  public init?(propertyValue: PropertyValue) {
    guard case .float(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .float(self) }
}

extension Double: Persistable {
  public static var propertyType: PropertyType { .double }
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .double(let value): self = value
    case .float(let value): self = Double(value)
    default: return nil
    }
  }
  public var propertyValue: PropertyValue { .double(self) }
}

extension String: Persistable {
  public static var propertyType: PropertyType { .string }
  public init?(propertyValue: PropertyValue) {
    guard case .string(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .string(self) }
}

extension Data: Persistable {
  public static var propertyType: PropertyType { .data }
  public init?(propertyValue: PropertyValue) {
    guard case .data(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .data(self) }
}

extension Date: Persistable {
  public static var propertyType: PropertyType { .date }
  public init?(propertyValue: PropertyValue) {
    guard case .date(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .date(self) }
}

extension UUID: Persistable {
  public static var propertyType: PropertyType { .uuid }
  public init?(propertyValue: PropertyValue) {
    guard case .uuid(let value) = propertyValue else { return nil }
    self = value
  }
  public var propertyValue: PropertyValue { .uuid(self) }
}

extension Optional: Persistable where Wrapped: PersistableAsOptional {
  public static var propertyType: PropertyType { Wrapped.optionalPropertyType }
  public static var isOptionalProperty: Bool { true }
  public static var propertyCases: [String]? { Wrapped.optionalPropertyCases }
  public init?(propertyValue: PropertyValue) {
    if propertyValue.isNull {
      self = .none
    } else if let value = Wrapped.wrapped(propertyValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
  public var propertyValue: PropertyValue { self?.optionalPropertyValue ?? .null }
}

/// A Swift type whose optional a property may have: every ``Persistable`` that is
/// not optional itself, and models, whose optionals are links.
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
  public static var optionalPropertyType: PropertyType { propertyType }
  public static var optionalPropertyCases: [String]? { propertyCases }
  public static func wrapped(_ value: PropertyValue) -> Self? { Self(propertyValue: value) }
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
