/// Tests on the bytes of text, eight at a time.
enum TextScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of each byte.
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns whether a byte is zero.
  ///
  /// See https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
  @inline(__always)
  private static func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & highBits != 0 }

  /// Returns whether a byte must be escaped in a JSON string: a control character, a quote or a
  /// backslash.
  @inline(__always)
  static func hasEscape(_ word: UInt64) -> Bool {
    // A byte below 0x20 borrows when 0x20 is subtracted, which sets its highest bit. The other
    // bytes become zero in an exclusive or with themselves.
    (word &- ones &* 0x20) & ~word & highBits != 0 || hasZero(word ^ ones &* 0x22)
      || hasZero(word ^ ones &* 0x5C) || hasZero(word ^ ones &* 0x7F)
  }

  /// Returns whether a byte must be escaped in a JSON string.
  @inline(__always)
  static func isEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }
}
