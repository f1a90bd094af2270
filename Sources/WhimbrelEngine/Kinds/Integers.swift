internal import Foundation
internal import WhimbrelLMDB

/// A Swift integer that a property can store.
@_documentation(visibility: internal)
public protocol PersistableInteger: Persistable, FixedWidthInteger {}

extension PersistableInteger {
  /// Reads a stored value, or returns nil if it is not an integer or does not fit.
  @inlinable
  public init?(propertyValue: PropertyValue) {
    guard case .int(let value) = propertyValue else { return nil }
    self.init(exactly: value)
  }
  /// The value to store.
  @inlinable
  public var propertyValue: PropertyValue { .int(Int64(self)) }
}

extension Int: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .int }
}
extension Int8: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .int8 }
}
extension Int16: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .int16 }
}
extension Int32: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .int32 }
}
extension Int64: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .int }
}
extension UInt8: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .uint8 }
}
extension UInt16: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .uint16 }
}
extension UInt32: PersistableInteger, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .uint32 }
}

// MARK: - The kind

/// An integer of the width that a property stores.
protocol IntegerScalar: Scalar, PersistableInteger, BitwiseCopyable {}

extension Int8: IntegerScalar { static var name: String { "int8" } }
extension Int16: IntegerScalar { static var name: String { "int16" } }
extension Int32: IntegerScalar { static var name: String { "int32" } }
extension Int64: IntegerScalar {
  static var name: String { "int" }
  static var swiftName: String { "Int" }
}
extension UInt8: IntegerScalar { static var name: String { "uint8" } }
extension UInt16: IntegerScalar { static var name: String { "uint16" } }
extension UInt32: IntegerScalar { static var name: String { "uint32" } }

extension IntegerScalar {
  static var comparand: String { "a number" }
  static var isNumber: Bool { true }
  static var canBePrimaryKey: Bool { true }
  static var integerBounds: ClosedRange<Int64>? { Int64(Self.min)...Int64(Self.max) }
  static var exactIntegers: ClosedRange<Int64>? { integerBounds }

  static var slotSize: Int { bitWidth / 8 }
  /// All widths have the same keys, so widening a property does not change its index.
  static var keySize: Int { 8 }
  static var marks: (any: UInt8, rank: Int) { (2, 2) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) {
    self.init(littleEndian: bytes.load(Self.self, at: offset))
  }
  func append(to bytes: inout [UInt8]) { bytes.append(littleEndian: self) }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(Int64(self), to: &key) }

  static var becomesText: Bool { true }
  static var columnType: String { "INTEGER" }
  func converted(to type: PropertyType) -> PropertyValue? {
    switch type {
    case .float: Float(exactly: self).map(PropertyValue.float)
    case .double: Double(exactly: self).map(PropertyValue.double)
    case .decimal: .decimal(Decimal(Int64(self)))
    default: type.integerBounds?.contains(Int64(self)) == true ? propertyValue : .none
    }
  }

  init(json decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      self = try container.decode(Self.self)
      return
    }
    guard let number = Self(text), number.isLong else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not a whole number beyond 2⁵³.")
    }
    self = number
  }
  func encodeJSON(to encoder: any Encoder) throws {
    if isLong, encoder.userInfo[.writesLongIntegersAsText] as? Bool == true {
      try encoder.encodeAlone("\(self)")
    } else {
      try encoder.encodeAlone(self)
    }
  }

  static func example(using generator: inout some RandomNumberGenerator) -> Self {
    let (small, large) = (Self(clamping: -100), Self(100))
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0: 0
    case 1: .min
    case 2: .max
    case 3: .random(in: .min ... .max, using: &generator)
    default: .random(in: small...large, using: &generator)
    }
  }

  /// Whether some JSON readers would round the number.
  private var isLong: Bool { magnitude > 1 << 53 }
}

extension CodingUserInfoKey {
  /// The key of a Boolean option: if true, integers beyond 2⁵³ are written as text, because many
  /// JSON readers would round them.
  package static let writesLongIntegersAsText = named("whimbrel.writesLongIntegersAsText")

  static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("The standard library takes every text for a key.")
    }
    return key
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(rest.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest = rest.bitWidth > 8 ? rest >> 8 : 0
    }
  }
}
