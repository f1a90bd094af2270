/// The width of text on a terminal.
///
/// Chinese, Japanese and Korean characters and emoji take two columns; combining marks take none.
/// Terminals disagree about a few characters; these widths are those of most.
package enum DisplayWidth {
  /// Returns the number of columns of a text without control characters.
  ///
  /// - Complexity: O(*n*).
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // U+FE0F selects the emoji form of the character before it.
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
    // Vowels and finals of Hangul share the square of the consonant before them.
    default: return (0x1160...0x11FF).contains(scalar.value) ? 0 : 1
    }
  }

  /// The characters that Unicode calls wide or full-width, without emoji. Adjacent ranges are
  /// merged across unassigned gaps.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F202, 0x1F210...0x1F265,
    0x20000...0x3FFFD,
  ]

  /// Returns the text cut to a number of columns. `…` marks a cut.
  ///
  /// - Complexity: O(*columns*) for a text that is cut.
  package static func cut(_ text: String, to columns: Int) -> String {
    // No text has more columns than bytes.
    if text.utf8.count <= columns { return text }
    var width = 0
    /// The end of the text if `…` follows.
    var end = text.startIndex
    for index in text.indices {
      if width < columns { end = index }
      width += of(text[index])
      if width > columns { return columns > 0 ? text[..<end] + "…" : "" }
    }
    return text
  }
}
