package import Foundation

/// The digits and the power of ten of a decimal number, without trailing zeros, so that equal
/// numbers have equal parts.
package struct DecimalParts: Hashable, Sendable {
  package var isNegative = false
  package var isNaN = false
  /// The digits as a whole number.
  package var digits: UInt128 = 0
  package var exponent = 0
}

extension Decimal {
  package var parts: DecimalParts {
    if isNaN { return DecimalParts(isNaN: true) }
    // `Decimal` does not expose its digits, but its description has all of them.
    return DecimalParts(text: description) ?? DecimalParts(isNaN: true)
  }

  /// Makes a number from its digits and its power of ten, or returns nil if a `Decimal` cannot hold
  /// it.
  package init?(_ parts: DecimalParts) {
    if parts.isNaN {
      self = .nan
      return
    }
    guard (-165...165).contains(parts.exponent) else { return nil }
    // A power of ten above 127 counts zeros that a `Decimal` keeps among its digits.
    let power = min(parts.exponent, 127)
    let zeros = String(repeating: "0", count: parts.exponent - power)
    let text = "\(parts.isNegative ? "-" : "")\(parts.digits)\(zeros)e\(power)"
    guard let number = Decimal(string: text), number.parts == parts else { return nil }
    self = number
  }

  /// The text from which ``init(exactText:)`` makes the same number: its digits, or `nan`.
  package var exactText: String { isNaN ? "nan" : description }

  /// Reads a number, or returns nil if the text is not a number or has more digits than a `Decimal`
  /// holds.
  package init?(exactText text: String) {
    if text == "nan" {
      self = .nan
      return
    }
    // Bounds the length before parsing. A `Decimal` has at most 38 digits and an exponent of at most
    // 127, so its text always fits.
    guard text.utf8.count <= 300, let parts = DecimalParts(text: text),
      let number = Decimal(parts)
    else { return nil }
    self = number
  }

  /// The 24 bytes of a slot: the digits in two words, then a word with the exponent, the sign in
  /// bit 16 and NaN in bit 17.
  ///
  /// Equal numbers have equal words.
  package var words: [UInt64] {
    let parts = parts
    let flags: UInt64 = (parts.isNegative ? 1 << 16 : 0) | (parts.isNaN ? 1 << 17 : 0)
    return [
      UInt64(truncatingIfNeeded: parts.digits), UInt64(truncatingIfNeeded: parts.digits >> 64),
      UInt64(UInt16(bitPattern: Int16(parts.exponent))) | flags,
    ]
  }

  /// Exponents that a `Decimal` can have whatever its digits are.
  static var commonExponents: ClosedRange<Int> { -100...100 }
  /// 2⁶⁴.
  private static let wordSize = Decimal(UInt64.max) + 1

  /// Makes a number from the words of a slot. Words that are not a number give NaN.
  package init(words low: UInt64, _ high: UInt64, _ rest: UInt64) {
    let exponent = Int(Int16(bitPattern: UInt16(truncatingIfNeeded: rest)))
    if rest & 1 << 17 == 0, Self.commonExponents.contains(exponent) {
      // Nearly all numbers take this path, which needs no text.
      let sign: FloatingPointSign = rest & 1 << 16 != 0 && low | high != 0 ? .minus : .plus
      // Exact: a `Decimal` has 128 bits for its digits.
      let digits = high == 0 ? Decimal(low) : Decimal(high) * Self.wordSize + Decimal(low)
      self.init(sign: sign, exponent: exponent, significand: digits)
      return
    }
    var parts = DecimalParts()
    parts.isNaN = rest & 1 << 17 != 0
    if !parts.isNaN {
      parts.isNegative = rest & 1 << 16 != 0
      parts.digits = UInt128(high) << 64 | UInt128(low)
      parts.exponent = exponent
    }
    self = Decimal(parts) ?? .nan
  }
}

extension DecimalParts {
  /// Reads text like `-12.50` or `1.5e-3`, or returns nil if it is not a number or has too many
  /// digits.
  package init?(text: String) {
    var rest = Substring(text)
    if rest.first == "-" {
      isNegative = true
      rest.removeFirst()
    }
    if let mark = rest.lastIndex(where: { $0 == "e" || $0 == "E" }) {
      guard let power = Int(rest[rest.index(after: mark)...]), (-999...999).contains(power) else {
        return nil
      }
      exponent = power
      rest = rest[..<mark]
    }
    let halves = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    let all = halves[0] + fraction
    guard !all.isEmpty, all.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    exponent -= fraction.count
    let zeros = all.reversed().prefix { $0 == "0" }.count
    let significant = all.dropLast(zeros).drop { $0 == "0" }
    if significant.isEmpty {
      self = DecimalParts()
      return
    }
    exponent += zeros
    guard let number = UInt128(significant) else { return nil }
    digits = number
  }
}
