internal import Foundation

extension KeyEncoding {
  /// Appends the encoding of a decimal number: one byte for its sign, two for the
  /// power of ten of its first digit, and 20 with its digits, two in a byte.
  ///
  /// Negative numbers have all bits behind the first byte flipped. NaN follows
  /// everything.
  static func append(_ number: Decimal, to key: inout some KeyBytes) {
    let parts = number.parts
    if parts.isNaN || parts.digits == 0 {
      key.append(parts.isNaN ? 3 : 1)
      for _ in 0..<22 { key.append(0) }
      return
    }
    key.append(parts.isNegative ? 0 : 2)
    let flip: UInt8 = parts.isNegative ? 0xFF : 0
    let text = Array(String(parts.digits).utf8)
    let power = UInt16(truncatingIfNeeded: parts.exponent + text.count + 0x4000)
    key.append(UInt8(power >> 8) ^ flip)
    key.append(UInt8(power & 0xFF) ^ flip)
    for pair in 0..<20 {
      let first = 2 * pair < text.count ? text[2 * pair] & 0xF : 0
      let second = 2 * pair + 1 < text.count ? text[2 * pair + 1] & 0xF : 0
      key.append((first << 4 | second) ^ flip)
    }
  }

  /// Appends the encoding of an identifier: its bytes in their order.
  static func append(_ id: ObjectId, to key: inout some KeyBytes) {
    append(bigEndian: id.high, to: &key)
    append(id.low, to: &key)
  }
}
