/// A table of the tz database: a row a line, columns parted by single tabs,
/// lines that begin with `#` and empty lines left out.
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

  /// Reads the text of a table whose rows have this many columns.
  ///
  /// - Throws: ``TabFileError`` for a row of another number of columns, and for
  ///   an empty column.
  public init(_ text: String, columns: ClosedRange<Int>) throws(TabFileError) {
    var rows: [Row] = []
    var number = 0
    // `isNewline` holds for "\r\n" too, which is a single Character.
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

/// A line of a table of the tz database that could not be read.
public struct TabFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// What is wrong with it.
  public let reason: String

  /// A sentence for people.
  public var description: String { "Could not read line \(line): \(reason)." }
}

extension ClosedRange<Int> {
  /// The range as a sentence spells it: `2`, or `3 to 4`.
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
