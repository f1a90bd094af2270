internal import Foundation
internal import WhimbrelLMDB

/// A decimal number in the form that a record's slot stores: see `Decimal.words`.
///
/// Comparing the words is faster than creating decimals, and is exact.
struct DecimalWords: BitwiseCopyable, Sendable {
  private let low: UInt64
  private let high: UInt64
  private let rest: UInt64

  init(_ bytes: PageBytes, at offset: Int) {
    low = UInt64(littleEndian: bytes.load(UInt64.self, at: offset))
    high = UInt64(littleEndian: bytes.load(UInt64.self, at: offset + 8))
    rest = UInt64(littleEndian: bytes.load(UInt64.self, at: offset + 16))
  }

  private var isNaN: Bool { rest & 1 << 17 != 0 }
  private var isNegative: Bool { rest & 1 << 16 != 0 }
  private var exponent: Int { Int(Int16(bitPattern: UInt16(truncatingIfNeeded: rest))) }

  /// Whether the words certainly represent a number or NaN. Words with another exponent may exceed
  /// the range of `Decimal`, which reads them as NaN.
  var isInRange: Bool { isNaN || Decimal.commonExponents ~= exponent }

  /// Returns the order of two numbers, or nil if one of them is NaN.
  func order(to other: DecimalWords) -> ValueOrder? {
    if isNaN || other.isNaN { return nil }
    let (isBelow, isOtherBelow) = (isNegative && !isZero, other.isNegative && !other.isZero)
    if isBelow != isOtherBelow { return isBelow ? .before : .behind }
    let order = magnitude(to: other)
    return isBelow ? order.reversed : order
  }

  private var isZero: Bool { low == 0 && high == 0 }
  private var digits: UInt128 { UInt128(high) << 64 | UInt128(low) }

  /// Returns the order of two numbers without their signs.
  private func magnitude(to other: DecimalWords) -> ValueOrder {
    if exponent == other.exponent || isZero || other.isZero {
      return ValueOrder(digits, other.digits)
    }
    return exponent > other.exponent
      ? Self.order(digits, raisedBy: exponent - other.exponent, to: other.digits)
      : Self.order(other.digits, raisedBy: other.exponent - exponent, to: digits).reversed
  }

  /// Returns the order of two numbers, the first of which gets zeros appended.
  private static func order(
    _ digits: UInt128, raisedBy zeros: Int, to other: UInt128
  ) -> ValueOrder {
    var digits = digits
    for _ in 0..<zeros {
      let (product, overflows) = digits.multipliedReportingOverflow(by: 10)
      // The other digits fit into 128 bits.
      if overflows { return .behind }
      digits = product
    }
    return ValueOrder(digits, other)
  }
}
