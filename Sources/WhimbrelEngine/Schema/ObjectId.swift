public import Foundation
internal import Synchronization

/// An identifier of 12 bytes that is made without asking anybody, as Realm and
/// MongoDB have it.
///
/// The first four bytes are the time in seconds since 1970, so that identifiers
/// sort roughly by when they were made; five are random and the same for one
/// process, and three count up. It is written as 24 hexadecimal digits.
///
/// ```swift
/// let id = ObjectId.generate()
/// let same = ObjectId("6740c1d2a3b4c5d6e7f80912")
/// ```
///
/// New code has no need of it: `UUID` serves as well.
public struct ObjectId: Hashable, Sendable {
  /// The first 8 bytes, the first of them the most significant.
  package let high: UInt64
  /// The last 4 bytes.
  package let low: UInt32

  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier of 24 hexadecimal digits of either case, or returns nil.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 24, digits.allSatisfy({ $0 < 0x80 && Character(.init($0)).isHexDigit }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// Explains how an identifier is made.
  @available(
    *, unavailable, renamed: "ObjectId.generate()",
    message: "Write 'ObjectId.generate()' for an identifier that no other is the same as."
  )
  public init() { self.init(high: 0, low: 0) }

  /// Makes an identifier that no other is the same as.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970)))
    let count = counter.add(1, ordering: .relaxed).newValue & 0xFF_FFFF
    return ObjectId(
      high: seconds << 32 | process >> 8, low: UInt32(process & 0xFF) << 24 | UInt32(count))
  }

  /// Five random bytes.
  private static let process = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<Int>(Int.random(in: 0..<(1 << 24)))

  /// When the identifier was made, to the second.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(high >> 32)) }
}

extension ObjectId: Comparable {
  /// The order of the bytes.
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
