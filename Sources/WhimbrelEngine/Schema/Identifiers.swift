/// The identity of an object within its class.
///
/// Object IDs are 64-bit numbers. They do not change with the primary key, so links stay valid if
/// the key changes. The ID of a deleted object is never given to another one, with one exception: an
/// object that is added with the integer primary key of a deleted object may get its ID, and is then
/// the same object again.
public struct ObjectID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt64

  /// Makes an object ID from its number.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Returns whether the first number is less than the second.
  @inlinable
  public static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

extension ObjectID: CustomStringConvertible {
  /// The number in decimal.
  public var description: String { String(rawValue) }
}

/// The stable identity of a class in a store. It stays the same if the class is renamed.
public struct ClassID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt32

  /// Makes a class ID from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Returns whether the first number is less than the second.
  public static func < (lhs: ClassID, rhs: ClassID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The stable identity of a property within its class. It stays the same if the property is
/// renamed. A property that is removed and added again gets a new one.
package struct PropertyID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static func < (lhs: PropertyID, rhs: PropertyID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The stable identity of an index within its class. Indexes that a property declares by
/// ``PropertySchema/isIndexed`` have none.
package struct IndexID: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of one record layout of a class.
package struct LayoutID: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// The number of a class's table. Each rewrite of the class makes a new table with the next number.
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
        in: container, debugDescription: "The text is not a whole number from 0 to \(UInt64.max).")
    }
    self.init(rawValue: number)
  }

  /// Writes the object ID as a number, or beyond 2⁵³ as a string of its digits. JSON readers that
  /// use doubles, such as JavaScript and `jq`, would round the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if rawValue > 1 << 53 {
      try container.encode(String(rawValue))
    } else {
      try container.encode(rawValue)
    }
  }
}
