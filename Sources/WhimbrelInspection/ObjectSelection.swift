internal import Foundation
package import WhimbrelEngine

/// Objects as people name them in an option: a class, and a query behind `where`, as in
/// `Zone` or `Zone where latitude > 60 SORT(identifier ASC) LIMIT(10)`.
///
/// A query without a condition needs no `where`: `Zone SORT(identifier ASC)`. The name of a class
/// may stand in quotes, which one with the word `where` needs: `"link origin" where count > 1`.
public struct ObjectSelection: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The query, in the language of text queries; empty for all objects.
  public let query: String
  /// What `$0`, `$1` and so on stand for in the query, as text: a value of the type that it is
  /// compared with. The default is none.
  public var arguments: [String] = []

  /// Reads the text of a selection.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  public init(_ text: String) throws {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    var rest = Substring(trimmed)
    let quoted = QualifiedName.takeQuoted(from: &rest)
    let name = quoted ?? Self.takePlainName(from: &rest)
    rest = Substring(rest.unicodeScalars.drop { $0.properties.isWhitespace })
    guard !name.isEmpty else {
      throw InspectionError.badArgument(
        text, "it names no class", "Write it as 'Zone where latitude > 60'.")
    }
    className = name
    if rest.isEmpty {
      query = ""
    } else if Self.isWord("where", at: rest.unicodeScalars[...]), rest.unicodeScalars.count > 6 {
      query = String(Substring(rest.unicodeScalars.dropFirst(6)))
    } else if Self.isStage(at: rest.unicodeScalars[...]) {
      query = String(rest)
    } else {
      throw Self.withoutWhere(text)
    }
  }

  /// Takes what stands before the word `where` or a stage as `LIMIT(10)`, or everything.
  private static func takePlainName(from text: inout Substring) -> String {
    let scalars = text.unicodeScalars
    var end = scalars.startIndex
    while end < scalars.endIndex {
      let rest = scalars[end...]
      if end > scalars.startIndex, isWord("where", at: rest) || isStage(at: rest) { break }
      let behind = rest.drop { !$0.properties.isWhitespace }
      end = behind.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    }
    let name = Substring(scalars[..<end]).trimmingCharacters(in: .whitespacesAndNewlines)
    text = Substring(scalars[end...])
    return name
  }

  /// Whether a text begins with a word, in any case, and a space or its end.
  private static func isWord(_ word: String, at text: Substring.UnicodeScalarView) -> Bool {
    let found = text.prefix { !$0.properties.isWhitespace }
    return String(Substring(found)).lowercased() == word
  }

  /// Whether a text begins with a stage of a query, as `SORT(name ASC)`: no condition is before it.
  private static func isStage(at text: Substring.UnicodeScalarView) -> Bool {
    let letters = text.prefix { $0.isASCII && $0.properties.isAlphabetic }
    let behind = text.dropFirst(letters.count).first { !$0.properties.isWhitespace }
    return behind == "(" && stages.contains(String(Substring(letters)).uppercased())
  }

  private static let stages: Set = ["SORT", "DISTINCT", "OFFSET", "LIMIT", "FILTER"]

  private static func withoutWhere(_ text: String) -> InspectionError {
    InspectionError.badArgument(
      text, "'where' should stand behind the class", "Write it as 'Zone where latitude > 60'.")
  }

  /// Makes a selection of its parts.
  public init(className: String, query: String = "") {
    self.className = className
    self.query = query
  }

  /// What is asked of a session.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, and ``InspectionError`` with
  ///   `badArgument` or `noSuchObject` for an argument.
  package func prepared(in session: Session) throws -> PreparedQuery {
    _ = try table(in: session)
    let schema = StoreSchema(classes: session.classes.map(\.resolved.schema))
    if query.isEmpty, arguments.isEmpty {
      return try PreparedQuery(QueryRequest(className), in: session)
    }
    let request =
      try arguments.isEmpty
      ? QueryRequest(className, parsing: query, in: schema)
      : QueryArguments(arguments, in: session).request(className, query, in: schema)
    return try PreparedQuery(request, in: session)
  }

  /// The class.
  ///
  /// - Throws: `StoreError` with `unknownClass`, or ``InspectionError`` where the class is there
  ///   and 'where' is missing behind it.
  package func table(in session: Session) throws -> ClassTable {
    // A class may have blanks in its name, too.
    let isLonger = session.classes.contains { className.utf8.starts(with: "\($0.name) ".utf8) }
    if session.find(className) == nil, isLonger { throw Self.withoutWhere(className) }
    return try session.table(className)
  }
}
