internal import Foundation
package import WhimbrelEngine

/// Objects as people name them in an option: a class, and a query behind `where`, as in
/// `Zone` or `Zone where latitude > 60 SORT(identifier ASC) LIMIT(10)`.
public struct ObjectSelection: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The query, in the language of text queries; empty for all objects.
  public let query: String

  /// Reads the text of a selection.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  public init(_ text: String) throws {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let name = trimmed.prefix { !$0.isWhitespace }
    let rest = trimmed.dropFirst(name.count).drop { $0.isWhitespace }
    guard !name.isEmpty else {
      throw InspectionError.badArgument(
        text, "it names no class", "Write it as 'Zone where latitude > 60'.")
    }
    className = String(name)
    if rest.isEmpty {
      query = ""
    } else if rest.lowercased().hasPrefix("where "), rest.count > 6 {
      query = String(rest.dropFirst(6))
    } else {
      throw InspectionError.badArgument(
        text, "'where' should stand behind the class", "Write it as 'Zone where latitude > 60'.")
    }
  }

  /// Makes a selection of its parts.
  public init(className: String, query: String = "") {
    self.className = className
    self.query = query
  }

  /// What is asked of a session.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`.
  package func prepared(in session: Session) throws -> PreparedQuery {
    _ = try session.table(className)
    let schema = Schema(classes: session.classes.map(\.resolved.schema))
    let request =
      query.isEmpty
      ? QueryRequest(className) : try QueryRequest(className, parsing: query, in: schema)
    return try PreparedQuery(request, in: session)
  }
}
