public import Foundation
internal import Synchronization
package import WhimbrelLMDB

/// An identifier of 12 bytes that can be made without coordination, as in Realm and MongoDB.
///
/// The first four bytes are the time in seconds since 1970, so identifiers sort roughly by the time
/// they were made. The next five are random and the same in one process. The last three are a
/// counter. An identifier is written as 24 hexadecimal digits.
///
/// ```swift
/// let id = ObjectId.generate()
/// let same = ObjectId("6740c1d2a3b4c5d6e7f80912")
/// ```
///
/// New code does not need it: `UUID` serves as well.
public struct ObjectId: Hashable, Sendable {
  /// The first 8 bytes, big-endian.
  package let high: UInt64
  /// The last 4 bytes, big-endian.
  package let low: UInt32

  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Reads 24 hexadecimal digits in upper or lower case, or returns nil if the text is anything
  /// else.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 24, digits.allSatisfy({ $0 < 0x80 && Character(.init($0)).isHexDigit }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// Not available: use ``generate()``.
  @available(
    *, unavailable, renamed: "ObjectId.generate()",
    message: "Use 'ObjectId.generate()' to create a unique identifier."
  )
  public init() { self.init(high: 0, low: 0) }

  /// Returns a new, unique identifier.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970)))
    let count = counter.add(1, ordering: .relaxed).newValue & 0xFF_FFFF
    return ObjectId(
      high: seconds << 32 | process >> 8, low: UInt32(process & 0xFF) << 24 | UInt32(count))
  }

  /// Five random bytes.
  private static let process = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<Int>(Int.random(in: 0..<(1 << 24)))

  /// The time when the identifier was made, in whole seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(high >> 32)) }
}

extension ObjectId: Comparable {
  /// Returns whether the bytes of the first identifier sort before those of the second.
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool {
    (lhs.high, lhs.low) < (rhs.high, rhs.low)
  }
}

extension ObjectId: CustomStringConvertible {
  /// The 24 hexadecimal digits, in lower case.
  public var description: String {
    let (first, last) = (String(high, radix: 16), String(low, radix: 16))
    return String(repeating: "0", count: 16 - first.count) + first
      + String(repeating: "0", count: 8 - last.count) + last
  }
}

extension ObjectId: Codable {
  /// Reads the 24 digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = ObjectId(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "An ObjectId is written as 24 hexadecimal digits.")
    }
    self = id
  }

  /// Writes the 24 digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

// MARK: - As a kind of values

extension ObjectId: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .objectId }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .objectId(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .objectId(self) }
}

extension ObjectId: Scalar {
  static var name: String { "objectId" }
  static var comparand: String { "an object identifier" }
  static var queryWord: (word: String, example: String)? {
    ("oid", "oid(6740c1d2a3b4c5d6e7f80912)")
  }
  static var canBePrimaryKey: Bool { true }

  static var slotSize: Int { 12 }
  static var marks: (any: UInt8, rank: Int) { (10, 10) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) { self = bytes.objectId(at: offset) }
  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: high.byteSwapped)
    bytes.append(littleEndian: low.byteSwapped)
  }
  func append(toKey key: inout some KeyBytes) {
    KeyEncoding.append(bigEndian: high, to: &key)
    KeyEncoding.append(low, to: &key)
  }

  static var becomesText: Bool { true }
  init?(exactText: String) { self.init(exactText) }
  static var textForm: String? { "an object identifier of 24 hexadecimal digits" }
  static var swiftGenerator: String? { "ObjectId.generate()" }
  var swiftLiteral: String { "ObjectId(\"\(self)\")!" }

  static func example(using generator: inout some RandomNumberGenerator) -> ObjectId {
    ObjectId(high: generator.next(), low: .random(in: 0...(.max), using: &generator))
  }
}

// MARK: - Records

extension PageBytes {
  package func objectId(at offset: Int) -> ObjectId {
    ObjectId(
      high: UInt64(bigEndian: load(UInt64.self, at: offset)),
      low: UInt32(bigEndian: load(UInt32.self, at: offset + 8)))
  }
}

extension RecordEncoder {
  package mutating func set(_ index: Int, _ id: ObjectId) {
    let place = place(index)
    buffer.store(id.high.bigEndian, at: place.slot.offset)
    buffer.store(id.low.bigEndian, at: place.slot.offset + 8)
    mark(place, hasValue: true)
  }
}
