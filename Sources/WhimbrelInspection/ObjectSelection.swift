internal import Foundation
package import WhimbrelEngine

/// A selection of objects as people write it in an option: a class, and a query after `where`, as
/// in `Zone` or `Zone where latitude > 60 SORT(identifier ASC) LIMIT(10)`.
///
/// A query without a condition needs no `where`: `Zone SORT(identifier ASC)`. The name of a class
/// may be in quotes. A name with the word `where` needs them: `"link origin" where count > 1`.
public struct ObjectSelection: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The query in the text query language. An empty query selects all objects.
  public let query: String
  /// The values of `$0`, `$1` and so on in the query, as text. Each is read as the type that it is
  /// compared with. The default is none.
  public var arguments: [String] = []

  /// Parses the text of a selection.
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
        text, "it does not name a class", "Write it as 'Zone where latitude > 60'.")
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

  /// Takes the text before the word `where` or a stage such as `LIMIT(10)`, or all of it.
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

  /// Returns whether a text begins with a word, in any case, followed by a space or the end.
  private static func isWord(_ word: String, at text: Substring.UnicodeScalarView) -> Bool {
    let found = text.prefix { !$0.properties.isWhitespace }
    return String(Substring(found)).lowercased() == word
  }

  /// Returns whether a text begins with a stage such as `SORT(name ASC)`, and thus has no
  /// condition.
  private static func isStage(at text: Substring.UnicodeScalarView) -> Bool {
    let letters = text.prefix { $0.isASCII && $0.properties.isAlphabetic }
    let behind = text.dropFirst(letters.count).first { !$0.properties.isWhitespace }
    return behind == "(" && stages.contains(String(Substring(letters)).uppercased())
  }

  private static let stages: Set = ["SORT", "DISTINCT", "OFFSET", "LIMIT", "FILTER"]

  private static func withoutWhere(_ text: String) -> InspectionError {
    InspectionError.badArgument(
      text, "'where' must follow the class", "Write it as 'Zone where latitude > 60'.")
  }

  /// Creates a selection from its parts.
  public init(className: String, query: String = "") {
    self.className = className
    self.query = query
  }

  /// Prepares the query in a session. The query leaves out objects that are not yet converted and
  /// lack a property that it uses.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, and ``InspectionError`` with
  ///   `badArgument` or `noSuchObject` for an argument.
  package func prepared(in session: Session) throws -> BoundQuery {
    let query = try preparedForAll(in: session)
    if try query.changedProperties().isEmpty { return query }
    var request = query.request
    request.source = .answerable(request.paths)
    return try BoundQuery(request, in: session)
  }

  /// Prepares the query in a session, for a use in which no object may be left out.
  ///
  /// - Throws: As ``prepared(in:)``, and ``InspectionError`` with `notConverted`.
  package func preparedToChange(in session: Session) throws -> BoundQuery {
    let query = try preparedForAll(in: session)
    if let first = try session.unconvertedObjects(query.changedProperties()).first {
      throw InspectionError.notConverted(session.file.path, "answer a query of the store", first)
    }
    return query
  }

  /// Returns the properties that the query uses and that some unconverted objects lack.
  func changedProperties(in session: Session) throws -> Set<ChangedProperty> {
    try preparedForAll(in: session).changedProperties()
  }

  private func preparedForAll(in session: Session) throws -> BoundQuery {
    _ = try table(in: session)
    let schema = StoreSchema(classes: session.classes.map(\.resolved.schema))
    if query.isEmpty, arguments.isEmpty {
      return try BoundQuery(QueryRequest(className), in: session)
    }
    let request =
      try arguments.isEmpty
      ? QueryRequest(className, parsing: query, in: schema)
      : QueryArguments(arguments, in: session).request(className, query, in: schema)
    return try BoundQuery(request, in: session)
  }

  /// Returns the class table.
  ///
  /// - Throws: `StoreError` with `unknownClass`, or ``InspectionError`` if the class exists and
  ///   `where` is missing after it.
  package func table(in session: Session) throws -> ClassTable {
    // A class name may contain spaces, so a missing `where` looks like a longer name.
    let isLonger = session.classes.contains { className.utf8.starts(with: "\($0.name) ".utf8) }
    if session.find(className) == nil, isLonger { throw Self.withoutWhere(className) }
    return try session.table(className)
  }
}
