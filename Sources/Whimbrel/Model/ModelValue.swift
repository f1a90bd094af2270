public import Foundation
public import WhimbrelEngine

/// A Swift type that a property of a model may have.
@_documentation(visibility: internal)
public protocol ModelValue: Persistable {
  /// The value that a property has if its stored value cannot be read. The next throwing call
  /// rethrows the deferred error.
  static var _$placeholder: Self { get }
  /// Reads a property of a managed object.
  static func _$load(_ row: inout ModelRow, _ index: Int) -> Self
  /// Sets a property of a managed object.
  static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int)
  /// Encodes a value of an unmanaged object.
  static func _$encode(_ value: Self, into encoder: inout ObjectEncoder, at index: Int) throws
  /// Converts a value of another type: see ``ValueConversion``.
  static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self
}

/// A Swift type that an optional property of a model may wrap.
@_documentation(visibility: internal)
public protocol ModelValueAsOptional: PersistableAsOptional {
  static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self?
  static func _$storeOptional(_ value: Self?, _ row: inout ModelRow, _ index: Int)
  static func _$encodeOptional(
    _ value: Self?, into encoder: inout ObjectEncoder, at index: Int) throws
  /// Converts a value that is not nil.
  static func _$convertedWrapped(_ value: Any, _ conversion: ValueConversion) throws -> Self
}

extension Optional: ModelValue where Wrapped: ModelValueAsOptional {
  /// Nil.
  public static var _$placeholder: Self { nil }

  /// Converts a value of another type.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    guard let value = conversion.unwrapped(value) else { return nil }
    return try Wrapped._$convertedWrapped(value, conversion)
  }

  /// Reads a property of a managed object.
  @inlinable
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Self {
    Wrapped._$loadOptional(&row, index)
  }

  /// Sets a property of a managed object.
  @inlinable
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    Wrapped._$storeOptional(value, &row, index)
  }

  /// Encodes a value of an unmanaged object.
  @inlinable
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try Wrapped._$encodeOptional(value, into: &encoder, at: index)
  }
}

extension ModelValueAsOptional where Self: ModelValue {
  /// Sets an optional property of a managed object.
  @inlinable
  public static func _$storeOptional(_ value: Self?, _ row: inout ModelRow, _ index: Int) {
    if let value { _$store(value, &row, index) } else { row._$setNull(index) }
  }

  /// Encodes an optional value of an unmanaged object.
  @inlinable
  public static func _$encodeOptional(
    _ value: Self?, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    if let value {
      try _$encode(value, into: &encoder, at: index)
    } else {
      encoder._$setNull(index)
    }
  }

  /// Reads an optional property of a managed object.
  @inlinable
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self? {
    row._$hasValue(index) ? _$load(&row, index) : nil
  }

  /// Converts a value that is not nil.
  public static func _$convertedWrapped(
    _ value: Any, _ conversion: ValueConversion
  ) throws -> Self {
    try _$converted(value, conversion)
  }
}

// MARK: - Numbers

/// A type that is stored in a slot of at most 64 bits.
@_documentation(visibility: internal)
public protocol ModelNumber: ModelValue, ModelValueAsOptional {
  /// The size of the slot, in bytes.
  static var _$size: Int { get }
  /// Makes a value from the bits of a slot. The bits above its size are zero.
  init(_$bits: UInt64)
  /// The bits for the slot.
  var _$bits: UInt64 { get }
}

extension ModelNumber {
  /// Zero.
  @inlinable public static var _$placeholder: Self { Self(_$bits: 0) }

  /// Reads a property of a managed object.
  @inlinable
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Self {
    if let bits = row._$bits(index, _$size) { return Self(_$bits: bits) }
    return Self(propertyValue: row._$value(index)) ?? Self(_$bits: 0)
  }

  /// Reads an optional property of a managed object.
  @inlinable
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self? {
    if let bits = row._$bits(index, _$size) { return Self(_$bits: bits) }
    return Self(propertyValue: row._$value(index))
  }

  /// Sets a property of a managed object.
  @inlinable
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    row._$set(index, bits: value._$bits)
  }

  /// Encodes a value of an unmanaged object.
  @inlinable
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    encoder._$set(index, bits: value._$bits)
  }
}

extension Bool: ModelNumber {
  /// The size of the slot, in bytes.
  @inlinable public static var _$size: Int { 1 }
  /// Makes a value from the bits of a slot.
  @inlinable public init(_$bits bits: UInt64) { self = bits != 0 }
  /// The bits for the slot.
  @inlinable public var _$bits: UInt64 { self ? 1 : 0 }
}

extension ModelNumber where Self: FixedWidthInteger {
  /// The size of the slot, in bytes.
  @inlinable public static var _$size: Int { bitWidth / 8 }
  /// Makes a value from the bits of a slot.
  @inlinable public init(_$bits bits: UInt64) { self.init(truncatingIfNeeded: bits) }
  /// The bits for the slot.
  @inlinable public var _$bits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: ModelNumber {}
extension Int8: ModelNumber {}
extension Int16: ModelNumber {}
extension Int32: ModelNumber {}
extension Int64: ModelNumber {}
extension UInt8: ModelNumber {}
extension UInt16: ModelNumber {}
extension UInt32: ModelNumber {}

extension Float: ModelNumber {
  /// The size of the slot, in bytes.
  @inlinable public static var _$size: Int { 4 }
  /// Makes a value from the bits of a slot.
  @inlinable public init(_$bits bits: UInt64) {
    self.init(bitPattern: UInt32(truncatingIfNeeded: bits))
  }
  /// The bits for the slot.
  @inlinable public var _$bits: UInt64 { UInt64(bitPattern) }
}

extension Double: ModelNumber {
  /// The size of the slot, in bytes.
  @inlinable public static var _$size: Int { 8 }
  /// Makes a value from the bits of a slot.
  @inlinable public init(_$bits bits: UInt64) { self.init(bitPattern: bits) }
  /// The bits for the slot.
  @inlinable public var _$bits: UInt64 { bitPattern }
}

extension Date: ModelNumber {
  /// The size of the slot, in bytes.
  @inlinable public static var _$size: Int { 8 }
  /// Makes a value from the bits of a slot.
  @inlinable public init(_$bits bits: UInt64) {
    self.init(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }
  /// The bits for the slot.
  @inlinable public var _$bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

/// Returns the value of a required property of an unmanaged object. Stops the program if the
/// property was never set.
@inlinable
public func _$value<Value>(_ value: Value?, of property: String, in className: String) -> Value {
  value ?? unsetValue(of: property, in: className)
}

@usableFromInline
func unsetValue<Value>(of property: String, in className: String) -> Value {
  stopProgram(
    """
    Could not read '\(className).\(property)': it was never set. Give it a value in the \
    initializer, or declare a default.
    """)
}
