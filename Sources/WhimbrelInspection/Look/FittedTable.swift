/// A table that is written while rows arrive. Its columns are as wide as the first rows need.
///
/// Cells that are wider than their column are cut. Numbers are not cut, because a cut number is
/// wrong; they push the following cells to the right.
struct FittedTable {
  /// The number of rows that determine the widths. They are kept in memory.
  static let sampleSize = 1_000
  /// The minimum width of a table. Cells of a narrower table would not be readable.
  static let narrowest = 20
  /// The maximum width that a text column counts for when the number of columns is determined.
  private static let usualWidth = 24

  private let headings: [TextCell]
  private let numbers: Set<Int>
  private let format: TableFormat
  private let dropsColumns: Bool
  private let write: (String) throws -> Void

  private var sample: [[TextCell]] = []
  private var layout: TableLayout?
  private var gathered = ""
  /// The number of shown columns once it is known. Later rows need no cells for the others.
  private(set) var columnCount: Int?

  /// - Parameters:
  ///   - headings: The headings of the columns.
  ///   - numbers: The indexes of the columns with numbers.
  ///   - format: The width and the styles.
  ///   - dropsColumns: Whether to drop the last columns if they do not fit.
  ///   - write: Receives the text.
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

  mutating func append(_ row: [TextCell]) throws {
    guard let layout else {
      sample.append(row)
      if sample.count == Self.sampleSize { try fit() }
      return
    }
    add(row, layout)
    try flush(atLeast: 1 << 16)
  }

  /// Writes the rest of the table.
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

  /// Determines the widths, and writes the rows collected so far.
  private mutating func fit() throws {
    var widths = TableLayout.widths(of: [headings] + sample)
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

  /// Returns the number of columns that fit, but at least two: the object ID and one more.
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

/// The format of a table.
public struct TableFormat: Hashable, Sendable {
  /// The width of the terminal in columns, or nil for a table as wide as its rows.
  public var width: Int?
  /// Whether the text has colours.
  public var styling: TextStyling

  /// Creates a format. The default is 80 columns without colours.
  public init(width: Int? = 80, styling: TextStyling = .plain) {
    self.width = width
    self.styling = styling
  }
}
