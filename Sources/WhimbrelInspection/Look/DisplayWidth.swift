/// How many columns of a terminal text takes.
///
/// Characters of Chinese, Japanese and Korean and emoji take two, marks that combine with the
/// letter before them none. Terminals differ in a few characters; this is what most do.
package enum DisplayWidth {
  /// The columns of a text without control characters.
  ///
  /// - Complexity: O(*n*).
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of a character.
  package static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // U+FE0F asks for the picture of a character that may be one.
      if scalar.value == 0xFE0F || scalar.properties.isEmojiPresentation { return 2 }
      width += of(scalar)
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if wide.contains(where: { $0.contains(scalar.value) }) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    // The vowels and finals of Hangul stand in the square of the consonant before them.
    default: return (0x1160...0x11FF).contains(scalar.value) ? 0 : 1
    }
  }

  /// What Unicode calls wide or full-width, without emoji, and with the gaps in between.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F202, 0x1F210...0x1F265,
    0x20000...0x3FFFD,
  ]

  /// The text cut to some columns, with `…` where it goes on.
  ///
  /// - Complexity: O(*columns*) for a text that is cut.
  package static func cut(_ text: String, to columns: Int) -> String {
    // Even a text of wide characters only, or of accents, is shorter than its bytes.
    if text.utf8.count <= columns { return text }
    var width = 0
    /// Where the text ends if `…` follows.
    var end = text.startIndex
    for index in text.indices {
      if width < columns { end = index }
      width += of(text[index])
      if width > columns { return columns > 0 ? text[..<end] + "…" : "" }
    }
    return text
  }
}
