/// An error in the text of a query, with its position.
///
/// Its description shows the line of the query, with a mark under the position:
/// ```
/// Could not read the query: expected a value after '>'.
/// latitude > AND area < 5
///            ^
/// A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path.
/// ```
/// Apps receive it as the ``StoreError/underlying`` error of an error with the code
/// ``StoreError/Code/invalidQuery``.
public struct QueryTextError: Error, Hashable, Sendable {
  /// The problem, without a full stop.
  public let reason: String
  /// Advice on how to fix it, as a sentence.
  public let hint: String
  /// The number of the line, from 1.
  public let line: Int
  /// The position in the line, in characters from 1. If something is missing at the end, it is one
  /// past the last character.
  public let column: Int
  /// The position in the text, in UTF-16 code units.
  package let utf16Offset: Int
  /// The line of the query, shortened if it is long, and the mark `^` on the line below.
  public let excerpt: String

  /// The class and the property that the error names, if it is about a name.
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
    utf16Offset = text[..<place].utf16.count
    excerpt = Self.excerpt(text[start..<place], text[place..<end])
  }
}

extension QueryTextError {
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the number of line ends. `\r\n` counts as one.
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

  /// Replaces characters that would take more or less than one column, or that could control a
  /// terminal.
  private static func visible(_ text: Substring) -> String {
    String(
      text.map { character in
        if character.unicodeScalars.count > 12 { return "\u{FFFD}" }
        let isDisturbing = character.unicodeScalars.contains(where: \.disturbsLine)
        return isDisturbing ? (character == "\t" ? " " : "\u{FFFD}") : character
      })
  }
}

extension QueryTextError: CustomStringConvertible {
  /// The problem, the line with the mark, and the advice.
  public var description: String {
    "\(sentence.message)\n\(sentence.recovery)"
  }
}

/// A problem in a query, with its offset in the UTF-8 of the text.
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

  /// Returns the problem of a path with too many steps.
  static func longPath(_ offset: Int) -> QueryProblem {
    QueryProblem(
      offset, "this path has more than \(QueryParser.depthLimit) steps",
      "End the path earlier, or split the query into several.")
  }
}
