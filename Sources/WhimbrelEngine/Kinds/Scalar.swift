import Foundation
internal import WhimbrelLMDB

/// A kind of values that are not links or collections: everything that the engine knows about it.
///
/// Each kind has a file in this folder. Fast paths choose a kind in a `switch`. Those switches are
/// in two files: `PropertyType+Scalar.swift` by the type of a property, and
/// `PropertyValue+Scalar.swift` by the value. All other code uses ``PropertyType/scalar`` or
/// ``PropertyValue/scalar``.
///
/// Whole numbers of all widths are one kind of values, `Int64`. The narrower types only define how
/// the numbers are stored.
protocol Scalar: Persistable, PersistableAsOptional, Hashable, Codable, Sendable {
  // MARK: Names

  /// The name in schemas, messages and JSON: `int`, `date` …
  static var name: String { get }
  /// The values that this kind can be compared with, for messages: "a date".
  static var comparand: String { get }
  /// The word before the parentheses of a query literal, with an example literal, or nil if
  /// literals have another form.
  static var queryWord: (word: String, example: String)? { get }

  // MARK: What a type allows

  /// Whether this is a number. All numbers compare with each other.
  static var isNumber: Bool { get }
  static var canBePrimaryKey: Bool { get }
  static var canBeIndexed: Bool { get }
  /// The range of whole numbers that this type holds, or nil if it also holds other values.
  static var integerBounds: ClosedRange<Int64>? { get }
  /// The range in which this type holds every whole number exactly, or nil if it is not a number.
  static var exactIntegers: ClosedRange<Int64>? { get }

  // MARK: Bytes

  /// The size of a slot in bytes. The slot holds the value, or an offset and a length.
  static var slotSize: Int { get }
  /// The size of a value in an index key, in bytes, if all values have the same size.
  static var keySize: Int { get }
  /// The byte that marks this kind in a property of any type, and its rank among the kinds in the
  /// order of sets.
  ///
  /// See ``AnyCoding`` and ``PropertyValue/precedes(_:)``.
  static var marks: (any: UInt8, rank: Int) { get }
  /// Reads a value from a slot. Text and data take all bytes from the offset to the end.
  init(_ bytes: PageBytes, at offset: Int)
  /// Appends the bytes that ``init(_:at:)`` reads.
  func append(to bytes: inout [UInt8])
  /// Appends the bytes of a key, which sort as the values do: see ``KeyEncoding``.
  func append(toKey key: inout some KeyBytes)

  // MARK: Order

  /// Returns whether this value precedes another in the order of sets.
  func precedesInOrder(_ other: Self) -> Bool
  /// Returns the order of two values in query conditions, or nil if they have no order.
  func order(to other: Self) -> ValueOrder?
  /// Returns whether both values are the same to the bit.
  func isIdentical(to other: Self) -> Bool
  /// Hashes the value. Two values that are equal in the order of sets have the same hash.
  func hashElement(into hasher: inout Hasher)

  // MARK: Conversion

  /// Whether every value can be converted to text: see ``text``.
  static var becomesText: Bool { get }
  /// Returns the value converted to a type that is not `string`, or nothing if the conversion would
  /// lose information.
  ///
  /// "Nothing" is written `.none` here, because `nil` can also be read as the value null.
  func converted(to type: PropertyType) -> PropertyValue?

  // MARK: Text

  /// The value as text, for people and for conversions to `string`.
  var text: String { get }
  /// The value as it appears in code, shortened.
  var printed: String { get }
  /// The value as it appears in the explanation of a query.
  var explained: String { get }
  /// The query literal that gives the same value to the bit, or nil if there is none.
  var queryLiteral: String? { get }
  /// Reads the text between the parentheses of a query literal.
  init?(queryText: String)

  // MARK: Other formats

  /// The text of the value in dumps, tables and SQLite, unless the format has its own form for such
  /// values.
  var exactText: String { get }
  /// Reads the text that ``exactText`` gives. Kinds without a ``textForm`` need not read it.
  init?(exactText: String)
  /// The name of ``exactText`` in messages, such as "UUID", or nil if JSON has its own form for the
  /// values.
  static var textForm: String? { get }
  /// The type of an SQLite column of such values.
  static var columnType: String { get }
  /// The name of the type in Swift.
  static var swiftName: String { get }
  /// The Swift expression that makes a different value each time, or nil.
  static var swiftGenerator: String? { get }
  /// The Swift expression that makes the value.
  var swiftLiteral: String { get }

  // MARK: JSON of the catalog

  /// Reads a value that ``encodeJSON(to:)`` wrote.
  init(json decoder: any Decoder) throws
  /// Writes the value without its kind and without loss.
  func encodeJSON(to encoder: any Encoder) throws

  // MARK: Tests

  /// Returns a random value for tests, such as one that code often forgets: the limits of integers,
  /// and texts that are empty, very long, or not ASCII.
  static func example(using generator: inout some RandomNumberGenerator) -> Self
}

// MARK: - What most kinds have in common

extension Scalar {
  static var queryWord: (word: String, example: String)? { nil }
  static var isNumber: Bool { false }
  static var canBePrimaryKey: Bool { false }
  static var canBeIndexed: Bool { true }
  static var integerBounds: ClosedRange<Int64>? { nil }
  static var exactIntegers: ClosedRange<Int64>? { nil }
  static var keySize: Int { slotSize }
  static var becomesText: Bool { false }
  func isIdentical(to other: Self) -> Bool { self == other }
  func hashElement(into hasher: inout Hasher) { hash(into: &hasher) }
  func converted(to type: PropertyType) -> PropertyValue? { .none }
  var text: String { "\(self)" }
  var printed: String { text }
  var explained: String { exactText }
  var queryLiteral: String? { Self.queryWord.map { "\($0.word)(\(exactText))" } ?? text }
  init?(queryText: String) { self.init(exactText: queryText) }
  var exactText: String { text }
  init?(exactText: String) { nil }
  static var textForm: String? { nil }
  static var columnType: String { "TEXT" }
  static var swiftName: String { "\(Self.self)" }
  static var swiftGenerator: String? { nil }
  var swiftLiteral: String { text }

  init(json decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(exactText: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not \(Self.textForm ?? "a \(Self.name)").")
    }
    self = value
  }
  func encodeJSON(to encoder: any Encoder) throws { try encoder.encodeAlone(exactText) }

  /// Reads a value from all of the bytes.
  static func value(_ bytes: PageBytes) -> PropertyValue { Self(bytes, at: 0).propertyValue }

  /// Reads the text between the parentheses of a query literal, or returns nil.
  static func value(queryText text: String) -> PropertyValue? {
    Self(queryText: text)?.propertyValue
  }

  /// Reads the text that ``exactText`` gives, or returns nil.
  static func value(exactText text: String) -> PropertyValue? {
    Self(exactText: text)?.propertyValue
  }

  /// Returns the value converted to a type that is not a collection, or nil if the conversion would
  /// lose information.
  func counterpart(in type: PropertyType) -> PropertyValue? {
    if type == .string { return Self.becomesText ? .string(text) : .none }
    return converted(to: type)
  }
}

extension Scalar where Self: Comparable {
  func precedesInOrder(_ other: Self) -> Bool { self < other }
  func order(to other: Self) -> ValueOrder? { ValueOrder(self, other) }
}

// MARK: - JSON

/// A scalar in its JSON form.
struct CodedScalar<Value: Scalar>: Codable {
  let value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws { value = try Value(json: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encodeJSON(to: encoder) }
}

extension Encoder {
  /// Writes a value as a single value.
  func encodeAlone(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}

// MARK: - Tests

extension PropertyType {
  /// Returns a random value for tests, or nil for a type that is not a kind of scalars.
  package func example(using generator: inout some RandomNumberGenerator) -> PropertyValue? {
    let example: (any Scalar)? = scalar?.example(using: &generator)
    return example?.propertyValue
  }
}

extension RandomNumberGenerator {
  /// Returns a random number of elements or bytes for tests. Few, one and none are frequent.
  package mutating func exampleCount() -> Int {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: 0
    case 1: 1
    case 2: Int.random(in: 10...40, using: &self)
    default: Int.random(in: 2...5, using: &self)
    }
  }
}
