/// Writes rows as a table while they come: the widths of its columns are those of the
/// first rows.
///
/// Cells that are wider than their column are cut, but for numbers, which rather move what
/// follows than say something else.
struct FittedTable {
  /// How many rows the widths are taken from; these are kept in memory.
  static let sampleSize = 1_000
  /// What no table is narrower than: there is no sense in cutting more than that.
  static let narrowest = 20
  /// The width that text gets at first where not all columns fit.
  private static let usualWidth = 24

  private let headings: [TextCell]
  private let numbers: Set<Int>
  private let format: TableFormat
  private let dropsColumns: Bool
  private let write: (String) throws -> Void

  private var sample: [[TextCell]] = []
  private var layout: TableLayout?
  private var gathered = ""
  /// How many of the columns are shown, once that is known; the others need no cells.
  private(set) var columnCount: Int?

  /// - Parameters:
  ///   - numbers: the columns of numbers.
  ///   - dropsColumns: whether the last columns are left out when there is no room for them.
  init(
    _ headings: [String], numbers: Set<Int>, _ format: TableFormat, dropsColumns: Bool,
    _ write: @escaping (String) throws -> Void
  ) {
    self.headings = headings.map { TextCell(text: $0, style: .heading) }
    self.numbers = numbers
    self.format = format
    self.dropsColumns = dropsColumns
    self.write = write
  }

  /// Adds a row.
  mutating func append(_ row: [TextCell]) throws {
    guard let layout else {
      sample.append(row)
      if sample.count == Self.sampleSize { try fit() }
      return
    }
    add(row, layout)
    try flush(atLeast: 1 << 16)
  }

  /// Writes what is not written yet.
  mutating func finish() throws {
    if layout == nil { try fit() }
    try flush(atLeast: 1)
  }

  private mutating func add(_ row: [TextCell], _ layout: TableLayout) {
    var cells = Array(row.prefix(layout.widths.count))
    if format.width != nil {
      for column in cells.indices where !numbers.contains(column) {
        cells[column].text = DisplayWidth.cut(cells[column].text, to: layout.widths[column])
      }
    }
    gathered += layout.line(cells)
  }

  private mutating func flush(atLeast count: Int) throws {
    guard gathered.utf8.count >= count else { return }
    try write(gathered)
    gathered = ""
  }

  /// Settles the widths, and writes the rows that they were taken from.
  private mutating func fit() throws {
    var widths = headings.map { DisplayWidth.of($0.text) }
    for row in sample {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], DisplayWidth.of(cell.text))
      }
    }
    if let width = format.width {
      if dropsColumns { widths = Array(widths.prefix(count(fitting: widths, within: width))) }
      widths = TableLayout.fit(widths, fixed: numbers, within: width)
    }
    let layout = TableLayout(widths: widths, rightAligned: numbers, styling: format.styling)
    self.layout = layout
    columnCount = widths.count
    add(headings, layout)
    for row in sample { add(row, layout) }
    sample = []
    try flush(atLeast: 1)
  }

  /// How many columns have room: the object ID and one more always do.
  private func count(fitting widths: [Int], within width: Int) -> Int {
    var used = 0
    for (column, wanted) in widths.enumerated() {
      used += numbers.contains(column) ? wanted : min(wanted, Self.usualWidth)
      if used > width, column > 1 { return column }
      used += TableLayout.gap
    }
    return widths.count
  }
}

/// How a table looks.
public struct TableFormat: Hashable, Sendable {
  /// The columns of the terminal, or nil for a table that is as wide as its rows.
  public var width: Int?
  /// Whether there are colours.
  public var styling: TextStyling

  /// Makes a format; by default for a page of 80 columns, without colours.
  public init(width: Int? = 80, styling: TextStyling = .plain) {
    self.width = width
    self.styling = styling
  }
}
