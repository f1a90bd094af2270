internal import Foundation
package import WhimbrelEngine

/// Objects as people name them in an option: a class, and a query behind `where`, as in
/// `Zone` or `Zone where latitude > 60 SORT(identifier ASC) LIMIT(10)`.
///
/// The name of a class may stand in quotes, which one with the word `where` needs:
/// `"link origin" where count > 1`.
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
    rest = rest.drop { $0.isWhitespace }
    guard !name.isEmpty else {
      throw InspectionError.badArgument(
        text, "it names no class", "Write it as 'Zone where latitude > 60'.")
    }
    className = name
    if rest.isEmpty {
      query = ""
    } else if rest.lowercased().hasPrefix("where "), rest.count > 6 {
      query = String(rest.dropFirst(6))
    } else {
      throw Self.withoutWhere(text)
    }
  }

  /// Takes what stands before the word `where`, or everything.
  private static func takePlainName(from text: inout Substring) -> String {
    var end = text.startIndex
    while end < text.endIndex {
      let word = text[end...].prefix { !$0.isWhitespace }
      if word.lowercased() == "where", end > text.startIndex { break }
      end = text[word.endIndex...].firstIndex { !$0.isWhitespace } ?? text.endIndex
    }
    let name = text[..<end].trimmingCharacters(in: .whitespacesAndNewlines)
    text = text[end...]
    return name
  }

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
    let schema = Schema(classes: session.classes.map(\.resolved.schema))
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
    let word = className.prefix { !$0.isWhitespace }
    if session.find(className) == nil, word.count < className.count,
      session.find(String(word)) != nil
    {
      throw Self.withoutWhere(className)
    }
    return try session.table(className)
  }
}
