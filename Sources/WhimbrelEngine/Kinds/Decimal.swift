public import Foundation
package import WhimbrelLMDB

extension Decimal: Persistable, PersistableAsOptional {
  /// The type of the stored property.
  public static var propertyType: PropertyType { .decimal }
  /// Reads a stored value, or returns nil if it has another type.
  public init?(propertyValue: PropertyValue) {
    guard case .decimal(let value) = propertyValue else { return nil }
    self = value
  }
  /// The value to store.
  public var propertyValue: PropertyValue { .decimal(self) }
}

extension Decimal: Scalar {
  static var name: String { "decimal" }
  static var comparand: String { "a number" }
  static var queryWord: (word: String, example: String)? { ("decimal", "decimal(12.50)") }
  static var isNumber: Bool { true }

  static var slotSize: Int { 24 }
  static var keySize: Int { 23 }
  static var marks: (any: UInt8, rank: Int) { (9, 5) }

  @inline(__always)
  init(_ bytes: PageBytes, at offset: Int) { self = bytes.decimal(at: offset) }
  func append(to bytes: inout [UInt8]) {
    for word in words { bytes.append(littleEndian: word) }
  }

  /// Appends one byte for the sign, two bytes for the power of ten of the first digit plus 16,385,
  /// and 20 bytes of digits, two digits in a byte.
  ///
  /// All bits after the first byte are flipped in negative numbers. NaN sorts after all numbers.
  func append(toKey key: inout some KeyBytes) {
    let parts = parts
    if parts.isNaN || parts.digits == 0 {
      key.append(parts.isNaN ? 3 : 1)
      for _ in 0..<22 { key.append(0) }
      return
    }
    key.append(parts.isNegative ? 0 : 2)
    let flip: UInt8 = parts.isNegative ? 0xFF : 0
    let text = Array(String(parts.digits).utf8)
    // 0x4000 keeps the power positive, so that it sorts as an unsigned number.
    let power = UInt16(truncatingIfNeeded: parts.exponent + text.count + 0x4000)
    key.append(UInt8(power >> 8) ^ flip)
    key.append(UInt8(power & 0xFF) ^ flip)
    for pair in 0..<20 {
      let first = 2 * pair < text.count ? text[2 * pair] & 0xF : 0
      let second = 2 * pair + 1 < text.count ? text[2 * pair + 1] & 0xF : 0
      key.append((first << 4 | second) ^ flip)
    }
  }

  func precedesInOrder(_ other: Decimal) -> Bool { isNaN ? false : other.isNaN || self < other }
  func order(to other: Decimal) -> ValueOrder? {
    isNaN || other.isNaN ? nil : ValueOrder(self, other)
  }
  func isIdentical(to other: Decimal) -> Bool { words == other.words }
  func hashElement(into hasher: inout Hasher) { hasher.combine(parts) }

  static var becomesText: Bool { true }
  var text: String { description }
  var queryLiteral: String? {
    Decimal(exactText: exactText)?.words == words ? "decimal(\(exactText))" : nil
  }
  static var textForm: String? { "a decimal number of up to 38 digits" }
  var swiftLiteral: String { isNaN ? "Decimal.nan" : "Decimal(string: \"\(exactText)\")!" }

  static func example(using generator: inout some RandomNumberGenerator) -> Decimal {
    Decimal(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 100
  }
}

// MARK: - Records

extension PageBytes {
  package func decimal(at offset: Int) -> Decimal {
    Decimal(
      words: UInt64(littleEndian: load(UInt64.self, at: offset)),
      UInt64(littleEndian: load(UInt64.self, at: offset + 8)),
      UInt64(littleEndian: load(UInt64.self, at: offset + 16)))
  }
}

extension RecordEncoder {
  package mutating func set(_ index: Int, _ decimal: Decimal) {
    let place = place(index)
    for (number, word) in decimal.words.enumerated() {
      buffer.store(word.littleEndian, at: place.slot.offset + 8 * number)
    }
    mark(place, hasValue: true)
  }
}
