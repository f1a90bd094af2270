/// A parser for one JSON value that fills a whole line or text.
///
/// Foundation's decoder does not keep the spelling of numbers, and does not report where a problem
/// is.
package struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0

  /// The limit of nested arrays and objects. A value of any type needs two for each of its 100
  /// levels.
  private static let maximumDepth = 256

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func parse(_ line: [UInt8]) throws(JSONProblem) -> JSONNode {
    var parser = JSONParser(line)
    let node = try parser.parseValue()
    parser.skipSpace()
    guard parser.current == nil else {
      throw parser.problem("unexpected text after the end of the value")
    }
    return node
  }

  /// Parses the value at an offset of a line, and moves the offset past it.
  static func parse(_ line: [UInt8], at offset: inout Int) throws(JSONProblem) -> JSONNode {
    var parser = JSONParser(line)
    parser.position = offset
    let node = try parser.parseValue()
    offset = parser.position
    return node
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func problem(_ reason: String) -> JSONProblem { JSONProblem(position, reason) }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A {
      position += 1
    }
  }

  private mutating func parseScalar() throws(JSONProblem) -> JSONNode.Content {
    guard let byte = current else { throw problem("the line ends where a value is expected") }
    switch byte {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try parseNumber())
    default: throw problem("this is not valid JSON")
    }
  }

  private mutating func parseWord(
    _ word: String, _ content: JSONNode.Content
  ) throws(JSONProblem) -> JSONNode.Content {
    guard bytes[position...].starts(with: word.utf8) else {
      throw problem("this is not valid JSON")
    }
    position += word.utf8.count
    return content
  }
}

// MARK: - Arrays and objects

extension JSONParser {
  /// An array or an object that has not ended yet.
  private struct Open {
    let offset: Int
    let isObject: Bool
    var elements: [JSONNode] = []
    var members: [JSONNode.Member] = []
    /// The name of the current member, and its offset.
    var name = ""
    var nameOffset = 0

    var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    var node: JSONNode {
      JSONNode(content: isObject ? .object(members) : .array(elements), offset: offset)
    }

    mutating func append(_ node: JSONNode) {
      if isObject {
        members.append(JSONNode.Member(name: name, offset: nameOffset, value: node))
      } else {
        elements.append(node)
      }
    }
  }

  /// Parses a value after optional white space.
  ///
  /// It uses a loop instead of recursion, because the stack of a thread may be small.
  private mutating func parseValue() throws(JSONProblem) -> JSONNode {
    var open: [Open] = []
    while true {
      skipSpace()
      var node: JSONNode
      if current == UInt8(ascii: "{") || current == UInt8(ascii: "[") {
        guard open.count < Self.maximumDepth else {
          throw problem("the value is nested too deeply")
        }
        var inner = Open(offset: position, isObject: current == UInt8(ascii: "{"))
        position += 1
        skipSpace()
        if current != inner.end {
          try parseName(of: &inner)
          open.append(inner)
          continue
        }
        position += 1
        node = inner.node
      } else {
        let start = position
        node = JSONNode(content: try parseScalar(), offset: start)
      }
      // The value may end its array or object, which may end the enclosing one, and so on.
      while let last = open.indices.last {
        open[last].append(node)
        guard try parseSeparator(end: open[last].end) else {
          try parseName(of: &open[last])
          break
        }
        node = open.removeLast().node
      }
      if open.isEmpty { return node }
    }
  }

  /// Parses the comma or the end after an element. Returns whether it was the end.
  private mutating func parseSeparator(end: UInt8) throws(JSONProblem) -> Bool {
    skipSpace()
    let found = current
    guard found == end || found == UInt8(ascii: ",") else {
      let expected = "a comma or '\(Character(Unicode.Scalar(end)))'"
      throw problem(
        found == nil ? "the line ends where \(expected) is expected" : "expected \(expected)")
    }
    position += 1
    return found == end
  }

  /// Parses the name of a member and the colon, in an object. Does nothing in an array.
  private mutating func parseName(of open: inout Open) throws(JSONProblem) {
    guard open.isObject else { return }
    skipSpace()
    open.nameOffset = position
    guard current == UInt8(ascii: "\"") else {
      throw problem(
        current == nil
          ? "the line ends where a name is expected" : "expected a name in quotes")
    }
    open.name = try parseString()
    skipSpace()
    guard current == UInt8(ascii: ":") else {
      throw problem(
        current == nil ? "the line ends where a colon is expected" : "expected a colon")
    }
    position += 1
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func parseNumber() throws(JSONProblem) -> String {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
      if let byte = current, Self.isDigit(byte) {
        throw problem("a number must not have a leading zero")
      }
    } else {
      try skipDigits()
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skipDigits() throws(JSONProblem) {
    let start = position
    while let byte = current, Self.isDigit(byte) { position += 1 }
    guard position > start else {
      throw problem(
        current == nil ? "the line ends where a digit is expected" : "expected a digit")
    }
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func parseString() throws(JSONProblem) -> String {
    position += 1
    let start = position
    var seen: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      seen |= byte
      position += 1
    }
    if current == UInt8(ascii: "\"") {
      defer { position += 1 }
      let content = bytes[start..<position]
      // ASCII needs no validation, which would take longer than the copy.
      return seen < 0x80 ? String(decoding: content, as: UTF8.self) : try text(content, at: start)
    }
    var unescaped = Array(bytes[start..<position])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try text(unescaped[...], at: start)
      case UInt8(ascii: "\\"): try appendEscape(to: &unescaped)
      case ..<0x20: throw problem("a control character in a string must be escaped")
      default:
        unescaped.append(byte)
        position += 1
      }
    }
    throw problem("the line ends inside a string")
  }

  private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONProblem(start, "this is not valid UTF-8")
    }
    return text
  }

  private mutating func appendEscape(to unescaped: inout [UInt8]) throws(JSONProblem) {
    position += 1
    guard let byte = current else { throw problem("the line ends inside a string") }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      let scalar = try parseEscapedScalar()
      unescaped.append(contentsOf: String(Character(scalar)).utf8)
      return
    default: throw problem("unknown escape sequence")
    }
    position += 1
  }

  private mutating func parseEscapedScalar() throws(JSONProblem) -> Unicode.Scalar {
    let start = position
    let first = try parseHexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A unit that is not a scalar is one half of a surrogate pair.
    if (0xD800...0xDBFF).contains(first), bytes[position...].starts(with: #"\u"#.utf8) {
      position += 2
      let second = try parseHexUnit()
      if (0xDC00...0xDFFF).contains(second) {
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw JSONProblem(start, "half of a surrogate pair is not valid text")
  }

  private mutating func parseHexUnit() throws(JSONProblem) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current else { throw problem("the line ends inside a string") }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw problem("expected four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
