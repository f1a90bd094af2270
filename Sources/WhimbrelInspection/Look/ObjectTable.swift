internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A table of objects of a class, as text for people, lines of JSON, or CSV. `whimbrel ls` and
/// `whimbrel query` write it.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let table = try ObjectTable(
///   ObjectSelection("Zone where latitude > 60"), columns: "identifier, country.name",
///   of: inspector)
/// try table.writeText { print($0, terminator: "") }
/// ```
///
/// Rows are written while objects are read. The text for people begins after a thousand rows, the
/// other formats at once.
public struct ObjectTable {
  let rows: ObjectRows
  /// The chosen columns in the chosen order, or all properties in the declared order.
  let columns: [ObjectColumn]
  let hasChosenColumns: Bool
  /// The names of the properties that the query uses.
  let queried: Set<String>
  let inspector: StoreInspector

  var table: ClassTable { rows.table }

  /// Creates the table of a selection. Objects are read only when the table is written.
  ///
  /// - Parameters:
  ///   - selection: The objects.
  ///   - columns: Paths separated by commas, such as `identifier, country.name`; `#` is the object
  ///     ID. The default, nil, is all properties in the declared order.
  ///   - offset: The number of objects to skip at the beginning. The default is 0.
  ///   - limit: The limit of objects. The default is all.
  ///   - inspector: The store.
  /// - Throws: ``InspectionError`` with `badArgument` if a column is not valid, and `StoreError`
  ///   with `unknownClass` or `invalidQuery`.
  public init(
    _ selection: ObjectSelection, columns: String? = nil, offset: Int = 0, limit: Int? = nil,
    of inspector: StoreInspector
  ) throws {
    let table = try selection.table(in: inspector.session)
    let query = try selection.prepared(in: inspector.session)
    queried = Set(
      query.request.paths.compactMap { path in
        if case .property(let name)? = path.steps.first { name } else { nil }
      })
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

/// The size of a written table, and the columns that it left out.
public struct TableSummary: Hashable, Sendable {
  /// The number of rows.
  public let rowCount: Int
  /// The names of the columns that did not fit.
  public let hiddenColumns: [String]
}

// MARK: - Text

extension ObjectTable {
  /// The limit of characters of a value in a table without a width.
  private static let longestText = 1_000

  /// Writes the table for people: a line of headings, and a line for each object.
  ///
  /// If no columns were chosen, the object ID `#`, the primary key and the properties that the query
  /// uses come first, and the last columns are left out if they do not fit. Classes whose object IDs
  /// are their keys have no `#`.
  /// Cells that are too wide are cut, except numbers. The first thousand rows determine the widths.
  /// A value has at most 1,000 characters.
  ///
  /// - Parameters:
  ///   - format: The width and the styles. The default is 80 columns without colours.
  ///   - write: Receives the text in chunks of whole lines.
  /// - Returns: The number of rows, and the columns that did not fit.
  /// - Throws: `StoreError` for a damaged object, after the rows before it have been written, and
  ///   what `write` throws.
  /// - Complexity: O(*n*). Memory: a thousand rows, and 8 bytes per object with a query or a limit.
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

  /// Returns the columns that may fit.
  private func shownColumns(within width: Int?) -> [ObjectColumn] {
    if hasChosenColumns { return columns }
    let keys = columns.filter(\.isPrimaryKey)
    let others = columns.filter { !$0.isPrimaryKey }
    let ordered =
      keys + others.filter { queried.contains($0.title) }
      + others.filter { !queried.contains($0.title) }
    // Object IDs that are the primary keys add nothing to the key column.
    let identity = table.resolved.isClustered ? [] : [ObjectColumn.objectID]
    // Every column takes at least one character and the gap.
    let most = width.map { $0 / (1 + TableLayout.gap) + 1 } ?? ordered.count
    return identity + ordered.prefix(most)
  }

  private func cell(
    _ column: ObjectColumn, _ id: ObjectID, _ record: PageBytes, _ values: ValueText
  ) throws -> TextCell {
    if try column.isLacking(in: id, record, of: table) { return TextCell(text: "") }
    switch column.source {
    case .objectID:
      return TextCell(text: "\(id)", style: .note)
    case .property(let position) where column.type.isCollection:
      return TextCell(text: try values.text(collection: position, of: id, in: table))
    case .property, .path:
      let value = try column.value(of: id, record, in: table)
      let style: TextStyle = value.isNull ? .null : column.isPrimaryKey ? .key : .plain
      return TextCell(text: try values.text(value, as: column.type), style: style)
    }
  }
}
