/// A cell of a table: escaped text with a style.
struct TextCell: Hashable {
  var text: String
  var style: TextStyle = .plain
}

/// The widths of a table's columns, and the layout of its lines.
struct TableLayout {
  /// The widths in columns of the terminal.
  var widths: [Int]
  /// The indexes of the right-aligned columns.
  var rightAligned: Set<Int>
  var styling = TextStyling.plain

  /// The number of spaces between columns.
  static let gap = 2

  /// Returns the line of a row with a line end and without trailing spaces. Cells that are too wide
  /// push the following cells to the right.
  func line(_ cells: [TextCell], indent: Int = 0) -> String {
    var line = ""
    var spaces = indent
    for (column, cell) in cells.enumerated() {
      let padding = max(0, widths[column] - DisplayWidth.of(cell.text))
      let isRight = rightAligned.contains(column)
      if isRight { spaces += padding }
      if !cell.text.isEmpty {
        line += String(repeating: " ", count: spaces) + styling.apply(cell.style, to: cell.text)
        spaces = 0
      }
      spaces += Self.gap + (isRight ? 0 : padding)
    }
    return line + "\n"
  }
}

extension TableLayout {
  /// Returns the widths of the columns that no row exceeds.
  static func widths(of rows: [[TextCell]]) -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], DisplayWidth.of(cell.text))
      }
    }
    return widths
  }

  /// Returns the widths of columns that fit into a total width. The widest columns are cut to one
  /// common width, which is at least four.
  ///
  /// - Parameters:
  ///   - wanted: The widths without a limit.
  ///   - fixed: The indexes of the columns that are never cut.
  ///   - width: The total width.
  static func fit(_ wanted: [Int], fixed: Set<Int>, within width: Int) -> [Int] {
    func widths(_ most: Int) -> [Int] {
      wanted.enumerated().map { fixed.contains($0) ? $1 : min($1, most) }
    }
    let room = width - gap * max(0, wanted.count - 1)
    var most = min(wanted.max() ?? 0, max(room, 4))
    while most > 4, widths(most).reduce(0, +) > room { most -= 1 }
    return widths(most)
  }
}
