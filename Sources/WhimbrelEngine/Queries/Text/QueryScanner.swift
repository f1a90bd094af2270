/// A scanner that splits the text of a query into words, symbols and values, in one pass over its
/// UTF-8.
struct QueryScanner {
  let bytes: [UInt8]
  /// The offset of the next token, or of spaces before it.
  var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the next token. At the end of the text, it keeps returning the end token.
  mutating func next() throws(QueryProblem) -> QueryToken {
    place += spaces(at: place)
    let start = place
    let kind = try kind()
    return QueryToken(kind: kind, range: start..<place)
  }

  private mutating func kind() throws(QueryProblem) -> QueryToken.Kind {
    guard place < bytes.count else { return .end }
    switch bytes[place] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try quotedText()))
    case UInt8(ascii: "`"): return .name(try quotedText())
    case UInt8(ascii: "$"): return try argument()
    case UInt8(ascii: "@"): return try function()
    case UInt8(ascii: "%"): return try nextArgument()
    default:
      if Self.nameLength(bytes, at: place) > 0 { return try word() }
      return try symbol()
    }
  }

  /// Returns the byte at a distance from the current position, or 0 after the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    let index = place + distance
    return index < bytes.count ? bytes[index] : 0
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the beginning of the text of a range, in quotes, for messages.
  func quoted(_ range: Range<Int>) -> String {
    let beginning = range.clamped(to: range.lowerBound..<range.lowerBound + 200)
    let shown = String(text(beginning).unicodeScalars.prefix(30))
    return Sentence.quoted(shown.utf8.count < range.count ? shown + "…" : shown)
  }
}

// MARK: - Words and signs

extension QueryScanner {
  private mutating func word() throws(QueryProblem) -> QueryToken.Kind {
    if byte() | 0x20 == UInt8(ascii: "b"), byte(1) == UInt8(ascii: "6"),
      byte(2) == UInt8(ascii: "4"), byte(3) == UInt8(ascii: "'") || byte(3) == UInt8(ascii: "\"")
    {
      return try data()
    }
    let name = takeName()
    let parenthesis = place + spaces(at: place)
    let isCall = parenthesis < bytes.count && bytes[parenthesis] == UInt8(ascii: "(")
    // All words of the language are ASCII.
    let lowercased = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : ""
    if isCall, let kind = Scalars.kinds.first(where: { $0.queryWord?.word == lowercased }),
      let example = kind.queryWord?.example
    {
      place = parenthesis
      return .literal(try literal(kind, example: example))
    }
    return .word(name, QueryKeyword(rawValue: lowercased), isCall: isCall)
  }

  /// Reads the name at the current position. The name is empty if there is none. As in Realm, a
  /// name may contain a space after a backslash.
  private mutating func takeName() -> String {
    var name = ""
    while true {
      let start = place
      place = Self.nameEnd(bytes, from: place)
      name += text(start..<place)
      guard place > start, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: " ") else {
        return name
      }
      name += " "
      place += 2
    }
  }

  private mutating func argument() throws(QueryProblem) -> QueryToken.Kind {
    let start = place
    place += 1
    let name = takeName()
    guard let first = name.utf8.first else {
      throw QueryProblem(
        start, "expected a number or a name after '$'",
        "The arguments are $0, $1 and so on; $name is an object of a SUBQUERY.")
    }
    guard 0x30...0x39 ~= first else { return .variable(name) }
    guard let number = Int(name) else {
      throw QueryProblem(
        start, "there is no argument \(quoted(start..<place))",
        "The arguments are $0, $1 and so on.")
    }
    return .argument(number)
  }

  private mutating func nextArgument() throws(QueryProblem) -> QueryToken.Kind {
    guard byte(1) == UInt8(ascii: "@") else {
      throw QueryProblem(
        place, "expected '%@'",
        "Write '%@' for the next argument, or $0, $1 and so on.")
    }
    place += 2
    return .argument(nil)
  }

  private mutating func function() throws(QueryProblem) -> QueryToken.Kind {
    let start = place
    place += 1
    let name = takeName()
    guard !name.isEmpty else {
      throw QueryProblem(
        start, "expected a name after '@'", "Write @count, @min, @max, @sum, @avg or @links.")
    }
    return .function(name)
  }

  private mutating func symbol() throws(QueryProblem) -> QueryToken.Kind {
    for (spelling, symbol) in QuerySymbol.spellings {
      let end = place + spelling.count
      guard end <= bytes.count, bytes[place..<end].elementsEqual(spelling) else { continue }
      place = end
      return .symbol(symbol)
    }
    let scalar = Self.scalar(bytes, at: place)
    let isQuote = Self.isTypographicQuote(scalar)
    throw QueryProblem(
      place, "the character \(Sentence.quoted(String(scalar))) has no meaning here",
      isQuote
        ? "Write text in straight quotes: 'Paris' or \"Paris\"."
        : "Write text in quotes, and names with such characters in backquotes.")
  }
}

// MARK: - Characters

extension QueryScanner {
  /// Returns the length of the spaces at an offset, in bytes.
  private func spaces(at start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x20 || 0x09...0x0D ~= byte {
        index += 1
      } else if byte >= 0x80 {
        let scalar = Self.scalar(bytes, at: index)
        guard Self.isSpace(scalar) else { break }
        index += UTF8.width(scalar)
      } else {
        break
      }
    }
    return index - start
  }

  /// Returns the length in bytes of the character at an offset, or 0 if it cannot be part of a
  /// name.
  static func nameLength(_ bytes: [UInt8], at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    switch bytes[index] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      return 1
    case ..<0x80: return 0
    default:
      let scalar = scalar(bytes, at: index)
      let isPart = !isSpace(scalar) && !isTypographicQuote(scalar) && !scalar.isControl
      return isPart ? UTF8.width(scalar) : 0
    }
  }

  private static func nameEnd(_ bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while true {
      let length = nameLength(bytes, at: end)
      guard length > 0 else { return end }
      end += length
    }
  }

  /// Returns whether a name can be written after a dot without backquotes.
  static func isPlainName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39 ~= first) else { return false }
    var index = 0
    while index < bytes.count {
      let length = nameLength(bytes, at: index)
      guard length > 0 else { return false }
      index += length
    }
    return true
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{FEFF}"
  }

  private static func isTypographicQuote(_ scalar: Unicode.Scalar) -> Bool {
    0x2018...0x201F ~= scalar.value || scalar == "«" || scalar == "»"
  }

  /// Returns the character that starts at an offset.
  static func scalar(_ bytes: [UInt8], at index: Int) -> Unicode.Scalar {
    var iterator = bytes[index..<min(index + 4, bytes.count)].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return "\u{FFFD}" }
    return scalar
  }
}
