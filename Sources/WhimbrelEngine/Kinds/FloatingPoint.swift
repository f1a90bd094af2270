internal import Foundation

/// A floating-point number of 32 or 64 bits. It is stored to the bit, and NaN sorts after all
/// numbers.
protocol FloatingScalar: Scalar, CodableFloatingPoint {
  /// The same number with 64 bits.
  var wide: Double { get }
}

extension FloatingScalar {
  static var comparand: String { "a number" }
  static var isNumber: Bool { true }
  /// Every whole number is exact up to a power of two, which depends on the width.
  static var exactIntegers: ClosedRange<Int64>? {
    let limit: Int64 = 1 << (significandBitCount + 1)
    return -limit...limit
  }

  /// Both widths have the same keys, so widening a property does not change its index.
  static var keySize: Int { 8 }
  func append(to bytes: inout [UInt8]) {
    for byte in 0..<Self.slotSize { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }
  }
  func append(toKey key: inout some KeyBytes) { KeyEncoding.append(wide, to: &key) }

  func precedesInOrder(_ other: Self) -> Bool { isNaN ? false : other.isNaN || self < other }
  func order(to other: Self) -> ValueOrder? {
    self < other ? .before : other < self ? .behind : self == other ? .same : nil
  }
  func isIdentical(to other: Self) -> Bool { bits == other.bits }
  // All NaNs are one element and need one hash, which can be the hash of infinity.
  func hashElement(into hasher: inout Hasher) { hasher.combine(isNaN ? .infinity : self) }

  static var becomesText: Bool { true }
  static var columnType: String { "REAL" }
  var text: String { description }
  var explained: String { description }
  var exactText: String { NumberText.special(self) ?? description }
  var swiftLiteral: String {
    if isInfinite { return "\(sign == .minus ? "-" : "")\(Self.self).infinity" }
    if !isNaN { return description }
    return bits == Self.nan.bits
      ? "\(Self.self).nan" : "\(Self.self)(bitPattern: 0x\(String(bits, radix: 16)))"
  }

  /// The decimal with the digits of the shortest text, or nil if it does not give the same number
  /// back.
  ///
  /// −0 becomes 0.
  var exactDecimal: PropertyValue? {
    guard isFinite, let decimal = Decimal(string: description),
      Self(decimal.description) == self
    else { return .none }
    return .decimal(decimal)
  }

  /// The text of a literal. Only the default NaN has one.
  var literal: String? { !isNaN || bits == Self.nan.bits ? description : nil }

  init(json decoder: any Decoder) throws { self = try CodedNumber<Self>(from: decoder).value }
  func encodeJSON(to encoder: any Encoder) throws {
    try CodedNumber(value: self).encode(to: encoder)
  }
}
