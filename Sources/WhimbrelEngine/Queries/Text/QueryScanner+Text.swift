internal import Foundation

extension QueryScanner {
  /// Reads a value in parentheses, with or without quotes, starting at the parenthesis.
  ///
  /// - Parameter example: An example of such a literal.
  mutating func literal(
    _ kind: any Scalar.Type, example: String
  ) throws(QueryProblem) -> PropertyValue {
    let start = place
    let limit = min(place + 200, bytes.count)
    guard let end = bytes[place..<limit].firstIndex(of: UInt8(ascii: ")")) else {
      throw QueryProblem(
        start, "this '(' has no matching ')'", "Write the value as '\(example)'.")
    }
    place = end + 1
    var content = text(start + 1..<end).drop { $0.isWhitespace }
    while content.last?.isWhitespace == true { content.removeLast() }
    if let quote = content.first, quote == "'" || quote == "\"", content.count > 1,
      content.last == quote
    {
      content = content.dropFirst().dropLast()
    }
    guard let value = kind.value(queryText: String(content)) else {
      throw QueryProblem(
        start + 1, "\(quoted(start + 1..<end)) is not a valid value of this type",
        "Write the value as '\(example)'.")
    }
    return value
  }

  /// Reads bytes in base 64, starting at `B64`.
  mutating func data() throws(QueryProblem) -> QueryToken.Kind {
    let start = place
    place += 3
    let text = try quotedText()
    guard let data = Data(base64Encoded: text) else {
      throw QueryProblem(start, "the text is not in base 64", "Write the bytes as 'B64\"AAEC\"'.")
    }
    return .literal(.data(data))
  }

  /// Reads a text in quotes, starting at the first quote.
  mutating func quotedText() throws(QueryProblem) -> String {
    let start = place
    let quote = bytes[place]
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      if byte == quote {
        place += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: try escape().utf8)
      } else {
        text.append(byte)
        place += 1
      }
    }
    throw QueryProblem(
      start, "this quote is never closed",
      "Write the same quote at the end, and '\\' before such a quote inside the text.")
  }

  /// Reads an escape sequence, starting at the backslash. Returns the text that it represents.
  private mutating func escape() throws(QueryProblem) -> String {
    let start = place
    let letter = byte(1)
    place += 2
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "0"): return "\u{00}"
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"),
      UInt8(ascii: "/"):
      return String(Unicode.Scalar(letter))
    case UInt8(ascii: "u"):
      if let scalar = byte() == UInt8(ascii: "{") ? bracedScalar() : fourDigitScalar() {
        return String(scalar)
      }
      throw QueryProblem(
        start, "no character has this number",
        "Write a character by its number as '\\u{1F600}' or '\\u00E9'.")
    default:
      throw QueryProblem(
        start, "this escape sequence is not valid",
        "Write '\\\\' for a backslash itself.")
    }
  }

  /// Reads `{1F600}`.
  private mutating func bracedScalar() -> Unicode.Scalar? {
    let limit = min(place + 10, bytes.count)
    guard let end = bytes[place..<limit].firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let number = hexadecimal(place + 1..<end)
    place = end + 1
    return number.flatMap(Unicode.Scalar.init)
  }

  /// Reads `00E9`, or a surrogate pair: `D83D\uDE00`.
  private mutating func fourDigitScalar() -> Unicode.Scalar? {
    guard let first = hexadecimal(place..<place + 4) else { return nil }
    place += 4
    guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) }
    guard byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u"),
      let second = hexadecimal(place + 2..<place + 6), 0xDC00...0xDFFF ~= second
    else { return nil }
    place += 6
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private func hexadecimal(_ range: Range<Int>) -> UInt32? {
    guard range.upperBound <= bytes.count, !range.isEmpty,
      bytes[range].allSatisfy({ $0 < 0x80 && Character(.init($0)).isHexDigit })
    else { return nil }
    return UInt32(text(range), radix: 16)
  }
}
