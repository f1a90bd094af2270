import Foundation
internal import WhimbrelLMDB

/// A kind of values that stand for themselves: all that the engine knows of it.
///
/// Each kind has a file in this folder. What has to be fast asks for a kind in a `switch`, and these
/// stand in two files: `PropertyType+Scalar.swift` by the type of a property, and
/// `PropertyValue+Scalar.swift` by the value. Everything else asks ``PropertyType/scalar`` or
/// ``PropertyValue/scalar``.
///
/// Whole numbers of all widths are one kind of values, `Int64`; the narrower types only say how they
/// are stored.
protocol Scalar: Persistable, PersistableAsOptional, Hashable, Codable, Sendable {
  // MARK: Names

  /// The name in schemas, messages and JSON: `int`, `date` …
  static var name: String { get }
  /// What a value may be compared with, for messages: "a date".
  static var comparand: String { get }
  /// The word in front of the parentheses of a literal in queries, and an example of such a
  /// literal; nil where values are written in another way.
  static var queryWord: (word: String, example: String)? { get }

  // MARK: What a type allows

  /// Whether this is a number, which compares with all others.
  static var isNumber: Bool { get }
  /// Whether a primary key may have this type.
  static var canBePrimaryKey: Bool { get }
  /// Whether properties of this type may be indexed.
  static var canBeIndexed: Bool { get }
  /// The least and the greatest whole number that this type holds, or nil when it holds others too.
  static var integerBounds: ClosedRange<Int64>? { get }
  /// The range in which this type holds every whole number, or nil when it holds no numbers.
  static var exactIntegers: ClosedRange<Int64>? { get }

  // MARK: Bytes

  /// How many bytes a slot has: those of the value, or an offset and a length.
  static var slotSize: Int { get }
  /// How many bytes a value takes in a key of an index, if all take as many.
  static var keySize: Int { get }
  /// What marks such a value in a property of any type, and the place of the kind among the others
  /// in sets: see ``AnyCoding`` and ``PropertyValue/precedes(_:)``.
  static var marks: (any: UInt8, rank: Int) { get }
  /// Reads the bytes of a slot, or all bytes of text or data.
  init(_ bytes: PageBytes, at offset: Int)
  /// Appends the same bytes.
  func append(to bytes: inout [UInt8])
  /// Appends the bytes of a key, which sort as the values do: see ``KeyEncoding``.
  func append(toKey key: inout some KeyBytes)

  // MARK: Order

  /// Whether this comes before another in the order of sets.
  func precedesInOrder(_ other: Self) -> Bool
  /// How this stands to another for conditions.
  func order(to other: Self) -> ValueOrder?
  /// Whether both are the same to the bit.
  func isIdentical(to other: Self) -> Bool
  /// Hashes the value so that those of which neither precedes the other in sets have the same hash.
  func hashElement(into hasher: inout Hasher)

  // MARK: Conversion

  /// Whether every value has text that says it: ``text``.
  static var becomesText: Bool { get }
  /// The counterpart among the values of a type that is neither this nor text, or nothing: written
  /// `.none`, as `nil` may mean the value nil.
  func converted(to type: PropertyType) -> PropertyValue?

  // MARK: Text

  /// The value as text for people.
  var text: String { get }
  /// The same as code has it, shortened.
  var printed: String { get }
  /// The same in the explanation of a query.
  var explained: String { get }
  /// The literal of a query from which the same value is read, to the bit; nil when there is none.
  var queryLiteral: String? { get }
  /// Reads what stands in the parentheses of a literal.
  init?(queryText: String)

  // MARK: JSON

  /// Reads what ``encodeJSON(to:)`` writes.
  init(json decoder: any Decoder) throws
  /// Writes the value without its kind, so that it comes back to the bit.
  func encodeJSON(to encoder: any Encoder) throws
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
  var explained: String { text }
  var queryLiteral: String? { text }
  init?(queryText: String) { nil }

  /// The value that all of these bytes are.
  static func value(_ bytes: PageBytes) -> PropertyValue { Self(bytes, at: 0).propertyValue }

  /// The value of what stands in the parentheses of a literal, or nil.
  static func value(queryText text: String) -> PropertyValue? {
    Self(queryText: text)?.propertyValue
  }

  /// The counterpart among the values of a type that is not a collection, or nil.
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

/// A scalar as JSON has it.
struct CodedScalar<Value: Scalar>: Codable {
  let value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws { value = try Value(json: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encodeJSON(to: encoder) }
}

extension Scalar {
  /// Reads the text of a value.
  ///
  /// - Parameter description: what the text is not, if there is no value of it.
  static func fromJSONText(
    _ decoder: any Decoder, not description: String, _ value: (String) -> Self?
  ) throws -> Self {
    let container = try decoder.singleValueContainer()
    guard let value = value(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not \(description).")
    }
    return value
  }
}

extension Encoder {
  /// Writes a value that stands alone.
  func encodeAlone(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}
