package import Foundation

/// A decimal number as digits and a power of ten, without zeros at the end, so
/// that equal numbers are the same.
package struct DecimalParts: Hashable, Sendable {
  package var isNegative = false
  package var isNaN = false
  /// The digits as a whole number.
  package var digits: UInt128 = 0
  package var exponent = 0
}

extension Decimal {
  /// The digits and the power of ten.
  package var parts: DecimalParts {
    if isNaN { return DecimalParts(isNaN: true) }
    // Foundation keeps its digits to itself; its text has all of them.
    return DecimalParts(text: description) ?? DecimalParts(isNaN: true)
  }

  /// The number of digits and a power of ten, or nil when a `Decimal` cannot
  /// have it.
  package init?(_ parts: DecimalParts) {
    if parts.isNaN {
      self = .nan
      return
    }
    guard (-165...165).contains(parts.exponent) else { return nil }
    let text = "\(parts.isNegative ? "-" : "")\(parts.digits)e\(parts.exponent)"
    guard let number = Decimal(string: text), number.parts == parts else { return nil }
    self = number
  }

  /// The text from which ``init(exactText:)`` makes the same number: its digits,
  /// or `nan`.
  package var exactText: String { isNaN ? "nan" : description }

  /// Reads a number, or returns nil when the text is none or has more digits than
  /// a `Decimal` holds.
  package init?(exactText text: String) {
    if text == "nan" {
      self = .nan
      return
    }
    guard let parts = DecimalParts(text: text), let number = Decimal(parts) else { return nil }
    self = number
  }

  /// The number as the 24 bytes that a slot has: the digits, then the exponent,
  /// the sign in bit 16 and NaN in bit 17. Equal numbers have the same.
  package var words: [UInt64] {
    let parts = parts
    let flags: UInt64 = (parts.isNegative ? 1 << 16 : 0) | (parts.isNaN ? 1 << 17 : 0)
    return [
      UInt64(truncatingIfNeeded: parts.digits), UInt64(truncatingIfNeeded: parts.digits >> 64),
      UInt64(UInt16(bitPattern: Int16(parts.exponent))) | flags,
    ]
  }

  /// Makes the number of the bytes of a slot; what is none is NaN.
  package init(words low: UInt64, _ high: UInt64, _ rest: UInt64) {
    let exponent = Int(Int16(bitPattern: UInt16(truncatingIfNeeded: rest)))
    if high == 0, rest & 1 << 17 == 0, (-100...100).contains(exponent) {
      // Nearly all numbers: no text is needed for them.
      let sign: FloatingPointSign = rest & 1 << 16 != 0 && low != 0 ? .minus : .plus
      self.init(sign: sign, exponent: exponent, significand: Decimal(low))
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
  /// Reads `-12.50` or `1.5e-3`, or returns nil when there are too many digits.
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
