/// A decimal number as digits: `1.50`, `15e-1` and `1.5` are equal.
///
/// It tells whether a narrower type can hold a number without loss.
package struct ExactNumber: Hashable {
  private let isNegative: Bool
  /// The digits without leading and trailing zeros. Empty for zero.
  private let digits: [UInt8]
  /// The power of ten of the last digit.
  private let exponent: Int

  /// Reads a number with an optional sign, fraction and exponent. Returns nil for other text. An
  /// integer part with a leading zero, as in `007`, is a name and not a number.
  package init?(_ text: String) {
    var rest = Substring(text).utf8
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix(while: Self.isDigit)
    rest = rest.dropFirst(whole.count)
    if whole.count > 1, whole.first == UInt8(ascii: "0") { return nil }
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: Self.isDigit)
      if fraction.isEmpty { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    var power = 0
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      let number = String(Substring(rest.dropFirst()))
      guard number.utf8.count <= 6, let value = Int(number) else { return nil }
      (power, rest) = (value, rest.suffix(0))
    }
    guard rest.isEmpty, !whole.isEmpty || !fraction.isEmpty else { return nil }
    var digits = Array(whole.drop { $0 == 0x30 }) + Array(fraction)
    let all = digits.count
    while digits.last == 0x30 { digits.removeLast() }
    exponent = digits.isEmpty ? 0 : power - fraction.count + all - digits.count
    self.digits = Array(digits.drop { $0 == 0x30 })
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns whether a `Double` has exactly the digits of a text, so that its shortest text is the
  /// same number.
  package static func isDouble(_ text: String) -> Bool {
    guard let exact = ExactNumber(text), let double = Double(text), double.isFinite else {
      return false
    }
    // Zero may have a sign, which the digits do not show.
    if exact.digits.isEmpty { return double.isZero }
    return ExactNumber("\(double)") == exact
  }

  /// Returns whether an `Int64` has exactly this text.
  package static func isInteger(_ text: String) -> Bool {
    guard let number = Int64(text) else { return false }
    return text == "\(number)"
  }
}
