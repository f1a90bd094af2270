/// A table of the tz database. Each line is a row, with single tabs between
/// columns. Empty lines and lines that begin with `#` are skipped.
///
/// ```swift
/// let countries = try TabFile(text, columns: 2...2)
/// countries.rows[0].columns   // ["AD", "Andorra"]
/// ```
public struct TabFile: Hashable, Sendable {
  /// One line of the table.
  public struct Row: Hashable, Sendable {
    /// The number of the line in the file, from 1.
    public let line: Int
    /// The columns, never empty.
    public let columns: [String]
  }

  /// The rows, in the order of the file.
  public let rows: [Row]

  /// Parses a table whose rows have an allowed number of columns.
  ///
  /// - Throws: ``TabFileError`` for a row with another number of columns, or
  ///   with an empty column.
  public init(_ text: String, columns: ClosedRange<Int>) throws(TabFileError) {
    var rows: [Row] = []
    var number = 0
    // `isNewline` is true for "\r\n" too, which is one Character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if line.isEmpty || line.hasPrefix("#") { continue }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.contains(fields.count) else {
        throw TabFileError(
          line: number, reason: "it has \(fields.count) columns and should have \(columns.words)")
      }
      if let empty = fields.firstIndex(of: "") {
        throw TabFileError(line: number, reason: "column \(empty + 1) is empty")
      }
      rows.append(Row(line: number, columns: fields))
    }
    self.rows = rows
  }
}

/// An error: a line of a table could not be parsed.
public struct TabFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// The problem with the line.
  public let reason: String

  /// A sentence for people.
  public var description: String { "Could not read line \(line): \(reason)." }
}

extension ClosedRange<Int> {
  /// The range in words: `2`, or `3 to 4`.
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
