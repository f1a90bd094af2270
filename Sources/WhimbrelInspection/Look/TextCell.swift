/// A cell of a table: text that is safe to show, and what it is.
struct TextCell: Hashable {
  var text: String
  var style: TextStyle = .plain
}

/// The widths of a table's columns, and the lines that follow from them.
struct TableLayout {
  /// In columns of the terminal.
  var widths: [Int]
  /// The numbers of the columns that end where their widest does, as those of numbers do.
  var rightAligned: Set<Int>
  var styling = TextStyling.plain

  /// What stands between columns.
  static let gap = 2

  /// The line of a row, with a line break and without spaces at its end. Cells that are too
  /// wide move what follows.
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
  /// The widths that columns get to stay within a width together: the widest are cut, all
  /// to the same, and none to fewer than four.
  ///
  /// - Parameters:
  ///   - wanted: the widths that they would have alone.
  ///   - fixed: the columns that are never cut.
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
