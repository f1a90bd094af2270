/// What is wrong with a query that was given as text, and where.
///
/// Its description has the line of the query with a mark under the place:
/// ```
/// Could not read the query: expected a value behind '>'.
/// latitude > AND area < 5
///            ^
/// A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path.
/// ```
/// Apps get it as the ``StoreError/underlying`` error of one with the code
/// ``StoreError/Code/invalidQuery``.
public struct QueryTextError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  public let reason: String
  /// What to do about it, as a sentence.
  public let hint: String
  /// The number of the line, from 1.
  public let line: Int
  /// The place in the line, in characters from 1; one behind the last where something is
  /// missing at the end.
  public let column: Int
  /// The line of the query, cut when it is long, and below it the mark `^`.
  public let excerpt: String

  /// The class and the property that are meant, where it is about a name.
  let names: QueryProblem.Names?

  init(_ problem: QueryProblem, in text: String) {
    reason = problem.reason
    hint = problem.hint
    names = problem.names
    let utf8 = text.utf8
    let place = utf8.index(utf8.startIndex, offsetBy: min(problem.offset, utf8.count))
    let before = utf8[..<place]
    let start = before.lastIndex(where: Self.isLineEnd).map(utf8.index(after:)) ?? text.startIndex
    let end = utf8[place...].firstIndex(where: Self.isLineEnd) ?? text.endIndex
    line = 1 + Self.lines(in: utf8[..<start])
    column = 1 + text[start..<place].count
    excerpt = Self.excerpt(text[start..<place], text[place..<end])
  }
}

extension QueryTextError {
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// How many ends of lines there are; `\r\n` is one.
  private static func lines(in text: Substring.UTF8View) -> Int {
    var count = 0
    var last: UInt8 = 0
    for byte in text {
      if isLineEnd(byte), !(byte == 0x0A && last == 0x0D) { count += 1 }
      last = byte
    }
    return count
  }

  private static func excerpt(_ before: Substring, _ behind: Substring) -> String {
    let shownBefore = before.suffix(40)
    let shownBehind = behind.prefix(40)
    let isCut = shownBefore.startIndex > before.startIndex
    let start = (isCut ? "…" : "") + visible(shownBefore)
    let end = visible(shownBehind) + (shownBehind.endIndex < behind.endIndex ? "…" : "")
    let indent = String(repeating: " ", count: shownBefore.count + (isCut ? 1 : 0))
    return "\(start)\(end)\n\(indent)^"
  }

  /// Every character takes one place, and none of them does anything to a terminal.
  private static func visible(_ text: Substring) -> String {
    String(
      text.map { character in
        if character.unicodeScalars.count > 12 { return "\u{FFFD}" }
        let isControl = character.unicodeScalars.contains { scalar in
          scalar.properties.generalCategory == .control
        }
        return isControl ? (character == "\t" ? " " : "\u{FFFD}") : character
      })
  }
}

extension QueryTextError: CustomStringConvertible {
  /// What is wrong, the line with the mark, and what to do.
  public var description: String {
    "\(sentence.message)\n\(sentence.recovery)"
  }
}

/// What is wrong with a query, and where in its UTF-8.
struct QueryProblem: Error {
  struct Names: Hashable, Sendable {
    var className: String
    var property: String?
  }

  let offset: Int
  let reason: String
  let hint: String
  let names: Names?

  init(_ offset: Int, _ reason: String, _ hint: String, names: Names? = nil) {
    self.offset = offset
    self.reason = reason
    self.hint = hint
    self.names = names
  }
}
