/// A text, or the beginning of a long one, with the number of its characters.
struct BoundedText {
  /// The whole text, or its beginning.
  let text: String
  /// The number of characters of the whole text, or nil if it is not cut.
  let length: Int?

  /// The limit of characters.
  static let characterLimit = 500
  /// The limit of bytes. A character may have a thousand accents.
  private static let byteLimit = 4_096

  init(_ whole: String) {
    var whole = whole
    guard whole.utf8.count > Self.characterLimit else {
      (text, length) = (whole, nil)
      return
    }
    // A string from another library may not be native. Its views are slow.
    whole.makeContiguousUTF8()
    let end =
      whole.index(whole.startIndex, offsetBy: Self.characterLimit, limitedBy: whole.endIndex)
      ?? whole.endIndex
    let beginning = Self.cut(whole[..<end])
    let isWhole = beginning.endIndex == whole.endIndex
    text = isWhole ? whole : String(beginning)
    length = isWhole ? nil : Self.characterCount(of: whole)
  }

  /// Returns the part of a text that the limit of bytes allows.
  private static func cut(_ text: Substring) -> Substring {
    guard text.utf8.count > byteLimit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: byteLimit)
    // A byte `10…` continues a scalar.
    while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return text[..<end]
  }

  /// Returns the number of characters. ASCII without carriage returns is counted by its bytes,
  /// because finding the bounds of characters takes ten times as long.
  private static func characterCount(of text: String) -> Int {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    return isPlain ? text.utf8.count : text.count
  }

  /// Returns a name, which is cut and ends with `…` if it is long.
  static func name(_ text: String) -> String {
    let bounded = BoundedText(text)
    return bounded.length == nil ? bounded.text : bounded.text + "…"
  }
}
