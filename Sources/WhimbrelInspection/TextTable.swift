/// A table of text with aligned columns, measured in the columns of a terminal.
package struct TextTable: CustomStringConvertible {
  private let rows: [[TextCell]]
  private let indent: Int
  private let rightAligned: Set<Int>
  private let styling: TextStyling

  /// - Parameters:
  ///   - rows: The cells of each row.
  ///   - indent: The number of spaces before each line.
  ///   - rightAligned: The indexes of the right-aligned columns.
  ///   - heading: A row of headings, or nil.
  ///   - styling: The styles of a terminal.
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

  /// The lines with line ends.
  package var description: String {
    let layout = TableLayout(
      widths: TableLayout.widths(of: rows), rightAligned: rightAligned, styling: styling)
    return rows.map { layout.line($0, indent: indent) }.joined()
  }
}
