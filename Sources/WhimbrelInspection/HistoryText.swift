public import Foundation
public import WhimbrelEngine

/// The migrations of a store as text for people, as `whimbrel log` shows them.
public struct HistoryText: CustomStringConvertible {
  private let history: [MigrationHistoryEntry]

  /// Creates the text.
  ///
  /// - Parameter history: The migrations, oldest first.
  public init(_ history: [MigrationHistoryEntry]) { self.history = history }

  /// The migrations, newest first, with a line end.
  public var description: String {
    if history.isEmpty { return "No migrations.\n" }
    return history.reversed().map { $0.text(indent: 0) }.joined(separator: "\n")
  }

  /// Returns the migrations as JSON, newest first, with ISO 8601 dates and
  /// sorted keys.
  public func json() throws -> Data {
    try Coding.encoder(isPretty: true).encode(Array(history.reversed()))
  }
}

extension MigrationHistoryEntry {
  /// Returns the migration as lines of text.
  func text(indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let rewritten = StoreError.count(objects, "object")
    var lines = [
      "\(DateText.words(date))  version \(from) to \(to): \(rewritten) rewritten in "
        + "\(durationText) s by Whimbrel \(PlainText.escaped(library))"
    ]
    lines += changes.map { "  - \(PlainText.escaped($0))" }
    lines += marks.map { mark in
      let count = mark.count == 1 ? "" : " (\(mark.count) times)"
      return "  reported: \(PlainText.escaped(mark.text))\(count)"
    }
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
