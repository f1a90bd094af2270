/// Rows of text with their columns aligned, as wide as a terminal shows them.
package struct TextTable: CustomStringConvertible {
  private let rows: [[TextCell]]
  private let indent: Int
  private let rightAligned: Set<Int>
  private let styling: TextStyling

  /// - Parameters:
  ///   - rightAligned: the numbers of the columns that end where their widest does, as those
  ///     of numbers do.
  ///   - heading: the first row, if it is one of headings.
  package init(
    _ rows: [[String]], indent: Int = 0, rightAligned: Set<Int> = [], heading: [String]? = nil,
    styling: TextStyling = .plain
  ) {
    let head = heading.map { [$0.map { TextCell(text: $0, style: .heading) }] } ?? []
    self.rows = head + rows.map { $0.map { TextCell(text: $0) } }
    self.indent = indent
    self.rightAligned = rightAligned
    self.styling = styling
  }

  /// The lines, each with a line break at its end.
  package var description: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], DisplayWidth.of(cell.text))
      }
    }
    let layout = TableLayout(widths: widths, rightAligned: rightAligned, styling: styling)
    return rows.map { layout.line($0, indent: indent) }.joined()
  }
}
