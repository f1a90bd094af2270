import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

/// The options for listing objects: columns, range and format.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns: paths with commas between them; '#' is the object ID.",
      valueName: "a,b,country.name"))
  var columns: String?

  @Option(help: ArgumentHelp("Show at most this many objects.", valueName: "number"))
  var limit: Int?

  @Option(help: ArgumentHelp("Skip this many objects at the beginning.", valueName: "number"))
  var offset = 0

  @Flag(help: "Write a line of JSON for each object, as 'dump' does.")
  var json = false

  @Flag(help: "Write comma-separated values with a line of headings.")
  var csv = false

  @Flag(help: "Show all columns, and do not cut them to the width of the terminal.")
  var wide = false

  func validate() throws {
    if json && csv { throw ValidationError("Choose one of '--json' and '--csv'.") }
    if wide && (json || csv) { throw ValidationError("'--wide' is for tables.") }
    if offset < 0 || limit ?? 0 < 0 {
      throw ValidationError("'--limit' and '--offset' must not be negative.")
    }
  }

  /// Whether any option changes the table. `--json` does not count.
  var areGiven: Bool { columns != nil || limit != nil || offset != 0 || csv || wide }
}

extension TableOptions {
  func write(_ selection: ObjectSelection, of inspector: StoreInspector) throws {
    let table = try ObjectTable(
      selection, columns: columns, offset: offset, limit: limit, of: inspector)
    let left = try inspector.objectsLeftOut(of: selection)
    Output.note(left, .query(of: selection.className))
    // The note on objects that the query leaves out is enough for their class.
    let shown = try table.unconvertedObjects().filter { objects in
      !left.contains { $0.className == objects.className }
    }
    Output.note(shown, json ? columns == nil ? .lines : .members : .rows)
    if json { return try table.writeJSONLines(Output.write) }
    if csv { return try table.writeCSV(Output.write) }
    try Pager.run { write in
      let format = TableFormat(width: wide ? nil : Terminal.width, styling: Terminal.styling)
      let summary = try table.writeText(format, write)
      let rest = try restCount(summary, selection, inspector)
      for line in notes(summary, rest) {
        try write(format.styling.apply(.note, to: PlainText.escaped(line)) + "\n")
      }
    }
  }

  /// Returns the number of objects after those shown that the limit leaves out.
  private func restCount(
    _ summary: TableSummary, _ selection: ObjectSelection, _ inspector: StoreInspector
  ) throws -> Int {
    guard limit == summary.rowCount else { return 0 }
    return max(0, try ObjectQuery(selection, of: inspector).count() - offset - summary.rowCount)
  }

  /// Returns the notes below the table: what it leaves out, and the options
  /// that show it.
  private func notes(_ summary: TableSummary, _ restCount: Int) -> [String] {
    var notes: [String] = []
    let isEmpty = summary.rowCount == 0 && restCount == 0
    if isEmpty {
      notes.append(offset > 0 ? "No objects after the first \(offset)." : "No objects.")
    }
    let objects =
      (offset > 0 && !isEmpty ? ["the first \(StoreError.count(offset, "object"))"] : [])
      + (restCount > 0 ? ["\(StoreError.count(restCount, "object")) after these"] : [])
    if !objects.isEmpty {
      notes.append("Left out: \(objects.joined(separator: " and ")); see '--offset', '--limit'.")
    }
    let hidden = summary.hiddenColumns
    if !hidden.isEmpty {
      let names = hidden.prefix(10).joined(separator: ", ")
      let more = hidden.count > 10 ? " and \(hidden.count - 10) more" : ""
      notes.append(
        "Left out: \(StoreError.count(hidden.count, "column")) (\(names)\(more)); see '--wide', "
          + "'--columns'.")
    }
    return notes
  }
}
