/// The identity of an object within its class.
///
/// Object IDs are 64-bit and never reused. They do not change with the primary
/// key, so links survive a change of key.
public struct ObjectID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself.
  public let rawValue: UInt64

  /// Makes an object ID of its number.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The order of the numbers.
  @inlinable
  public static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

extension ObjectID: CustomStringConvertible {
  /// The number in decimal.
  public var description: String { String(rawValue) }
}

/// The stable identity of a class in a store; renaming the class keeps it.
public struct ClassID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself.
  public let rawValue: UInt32

  /// Makes a class ID of its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The order of the numbers.
  public static func < (lhs: ClassID, rhs: ClassID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The stable identity of a property within its class; renaming the property
/// keeps it, and removing and adding it again gives another.
package struct PropertyID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself.
  package let rawValue: UInt32

  /// Makes a property ID of its number.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The order of the numbers.
  package static func < (lhs: PropertyID, rhs: PropertyID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The stable identity of an index within its class, of those that are not a property's.
package struct IndexID: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of one byte layout of one class's records.
package struct LayoutID: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// The number of a class's table: each rewriting of the class makes the next.
package struct Generation: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package static func < (lhs: Generation, rhs: Generation) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension ObjectID {
  /// Reads an object ID: a number, or a string of its digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      self.init(rawValue: try container.decode(UInt64.self))
      return
    }
    guard let number = UInt64(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a whole number from 0 to \(UInt64.max) should be here")
    }
    self.init(rawValue: number)
  }

  /// Writes the object ID: a number, and beyond 2⁵³ a string of its digits, so that no reader that
  /// takes numbers for doubles, as JavaScript and `jq` do, rounds it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if rawValue > 1 << 53 {
      try container.encode(String(rawValue))
    } else {
      try container.encode(rawValue)
    }
  }
}
