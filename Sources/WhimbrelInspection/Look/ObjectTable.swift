internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Objects of a class as rows: as a table for people, as lines of JSON, or as CSV. This is
/// what `whimbrel ls` and `whimbrel query` write.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let table = try ObjectTable(
///   ObjectSelection("Zone where latitude > 60"), columns: "identifier, country.name",
///   of: inspector)
/// try table.writeText { print($0, terminator: "") }
/// ```
///
/// Rows are written while objects are read: the text for people begins after a thousand of
/// them, the others at once.
public struct ObjectTable {
  let rows: ObjectRows
  /// In the order in which they were asked for, or else declared.
  let columns: [ObjectColumn]
  /// Whether somebody chose the columns.
  let hasChosenColumns: Bool
  let inspector: StoreInspector

  var table: ClassTable { rows.table }

  /// Makes the table of a selection; nothing is read before it is written.
  ///
  /// - Parameters:
  ///   - columns: the columns as paths with commas between them, `identifier, country.name`;
  ///     `#` is the object ID. The default, nil, is all properties in the order declared.
  ///   - offset: how many objects are left out at the beginning; none by default.
  ///   - limit: how many objects are shown at most; by default all are.
  /// - Throws: ``InspectionError`` with `badArgument` for a column that cannot be understood,
  ///   and `StoreError` with `unknownClass` or `invalidQuery`.
  public init(
    _ selection: ObjectSelection, columns: String? = nil, offset: Int = 0, limit: Int? = nil,
    of inspector: StoreInspector
  ) throws {
    let table = try selection.table(in: inspector.session)
    _ = try selection.prepared(in: inspector.session)
    rows = ObjectRows(
      table: table, selection: selection, offset: max(0, offset), limit: limit.map { max(0, $0) })
    self.columns =
      try columns.map { try ObjectColumn.columns($0, of: table) }
      ?? table.resolved.properties.indices.map {
        ObjectColumn(property: $0, of: table.resolved)
      }
    hasChosenColumns = columns != nil
    self.inspector = inspector
  }
}

/// What a table for people has shown, and what not.
public struct TableSummary: Hashable, Sendable {
  /// How many rows it has.
  public let rowCount: Int
  /// The columns that had no room.
  public let hiddenColumns: [String]
}

// MARK: - Text

extension ObjectTable {
  /// How many characters of a value are shown where nothing is cut.
  private static let longestText = 1_000

  /// Writes the table for people: a line of headings, and a line for each object. Of values
  /// no more than 1,000 characters are shown.
  ///
  /// Columns that nobody chose are left out at the end when the width has no room for them;
  /// the object ID, `#`, and the primary key stand before the others. Classes whose object IDs
  /// are made of their keys have no `#`. Cells that are too wide are cut, but for numbers.
  /// The widths are those of the first thousand rows.
  ///
  /// - Parameter write: is given the text in pieces of whole lines.
  /// - Throws: `StoreError` for a damaged object; the rows before it are written then. And
  ///   what `write` throws.
  /// - Complexity: O(*n*), in memory for a thousand rows and, where there is a query or a
  ///   limit, for 8 bytes an object.
  public func writeText(
    _ format: TableFormat = TableFormat(), _ write: (String) throws -> Void
  ) throws -> TableSummary {
    try withoutActuallyEscaping(write) { write in
      let width = format.width.map { max($0, FittedTable.narrowest) }
      let columns = shownColumns(within: width)
      let numbers = columns.indices.filter { columns[$0].isNumeric }
      var fitted = FittedTable(
        columns.map { PlainText.escaped($0.title) }, numbers: Set(numbers),
        TableFormat(width: width, styling: format.styling), dropsColumns: !hasChosenColumns, write)
      let values = ValueText(table.session, limit: width ?? Self.longestText)
      var count = 0
      try inspector.explaining {
        try rows.forEach { id, record in
          let shown = columns.prefix(fitted.columnCount ?? columns.count)
          try fitted.append(shown.map { try cell($0, id, record, values) })
          count += 1
        }
        try fitted.finish()
      }
      let shown = columns.prefix(fitted.columnCount ?? columns.count).map(\.title)
      let all = self.columns.map(\.title)
      return TableSummary(
        rowCount: count, hiddenColumns: hasChosenColumns ? [] : all.filter { !shown.contains($0) })
    }
  }

  /// The columns that may have room.
  private func shownColumns(within width: Int?) -> [ObjectColumn] {
    if hasChosenColumns { return columns }
    let ordered = columns.filter(\.isPrimaryKey) + columns.filter { !$0.isPrimaryKey }
    // Where the object IDs are made of the keys they say nothing more.
    let identity = table.resolved.isClustered ? [] : [ObjectColumn.objectID]
    let most = width.map { $0 / (1 + TableLayout.gap) + 1 } ?? ordered.count
    return identity + ordered.prefix(most)
  }

  private func cell(
    _ column: ObjectColumn, _ id: ObjectID, _ record: PageBytes, _ values: ValueText
  ) throws -> TextCell {
    switch column.source {
    case .objectID:
      return TextCell(text: "\(id)", style: .note)
    case .collection(let position):
      return TextCell(text: try values.text(collection: position, of: id, in: table))
    case .value(let source):
      let value = try source.value(of: id, record, in: table)
      let style: TextStyle = value.isNull ? .null : column.isPrimaryKey ? .key : .plain
      return TextCell(text: try values.text(value, as: column.type), style: style)
    }
  }
}
