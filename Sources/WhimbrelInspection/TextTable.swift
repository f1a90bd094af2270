/// Rows of text with their columns aligned.
package struct TextTable: CustomStringConvertible {
  private let rows: [[String]]
  private let indent: Int
  private let rightAligned: Set<Int>

  /// - Parameter rightAligned: the numbers of the columns that end where their
  ///   widest does, as those of numbers do.
  package init(_ rows: [[String]], indent: Int = 0, rightAligned: Set<Int> = []) {
    self.rows = rows
    self.indent = indent
    self.rightAligned = rightAligned
  }

  /// The lines, each with a line break at its end.
  package var description: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    let margin = String(repeating: " ", count: indent)
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? padding + cell : cell + padding
      }
      let line = margin + cells.joined(separator: "  ")
      return line.prefix(
        upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)
        + "\n"
    }.joined()
  }
}
