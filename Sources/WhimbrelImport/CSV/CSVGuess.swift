internal import WhimbrelEngine
public import WhimbrelInspection

extension GuessedSchema {
  /// Guesses the class of CSV rows. All rows are read.
  ///
  /// - Parameters:
  ///   - file: The CSV text, whose first row names the columns.
  ///   - className: The class of the rows.
  ///   - key: The column that is the primary key, or nil for none.
  ///   - options: The options for reading the text.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument`, `cannotRead` or `cancelled`.
  /// - Complexity: O(*n*), in memory for one row.
  public init(
    csv file: ImportFile, class className: String, key: String? = nil,
    _ options: CSVImport.Options = CSVImport.Options(), monitor: WorkMonitor = .silent
  ) throws {
    let name = file.input.name
    let (columns, rows) = try Self.columns(of: file, options, monitor)
    if let key, !columns.contains(where: { $0.isNamed(key) }) {
      throw Self.unknownKey(key, columns.map(\.column), name)
    }
    properties = try columns.map { column in
      let isKey = key.map(column.isNamed) ?? false
      return Property(
        className: className,
        property: isKey
          ? try Self.keyed(column.property, missing: column.missing, source: name)
          : column.property,
        missing: column.missing, reason: column.reason)
    }
    self.rows = rows
    self.className = className
    names = [
      className: Dictionary(columns.map { ($0.column, $0.name) }, uniquingKeysWith: { $1 })
    ]
    notes = columns.filter { $0.column != $0.name }.map {
      "Column \(PlainText.quoted($0.column)) is property \(PlainText.quoted($0.name))."
    }
    schema = SchemaExport(
      schemaVersion: 1,
      classes: [SchemaExport.ClassExport(name: className, properties: properties.map(\.property))])
  }

  /// Reads all rows, and returns the guesses about the columns and the number of rows.
  private static func columns(
    of file: ImportFile, _ options: CSVImport.Options, _ monitor: WorkMonitor
  ) throws -> (columns: [CSVColumnGuess], rows: Int) {
    let name = file.input.name
    var reader = CSVReader(try file.input.source(), separator: try options.separatorByte)
    guard let header = try reader.next() else {
      throw InspectionError.badInput(.badImport, name, "", "it is empty")
    }
    var columns = try Self.columns(header, name, options)
    var rows = 0
    while let row = try reader.next() {
      guard row.count == columns.count else {
        throw InspectionError.unevenRow(row, columns.count, name)
      }
      for (index, field) in row.enumerated() { columns[index].add(field) }
      rows += 1
      if rows % 1_000 == 0 {
        try monitor.update(
          "Reading rows", rows, of: nil,
          orThrow: InspectionError.cancelled(name, "guess the schema of"))
      }
    }
    return (columns, rows)
  }

  private static func columns(
    _ header: [CSVReader.Field], _ source: String, _ options: CSVImport.Options
  ) throws -> [CSVColumnGuess] {
    try options.requireColumns(header.map { $0.text ?? "" })
    var names = GuessedNames()
    var seen: Set<String> = []
    var properties: Set<String> = []
    return try header.map { field in
      let column = field.text ?? ""
      if column.isEmpty { throw field.problem(in: source, "the column has no name") }
      guard seen.insert(column).inserted else {
        throw field.problem(in: source, "two columns have the name \(PlainText.quoted(column))")
      }
      // Only a renamed column can get the property of another column.
      let name = names.property(for: options.properties[column] ?? column)
      guard properties.insert(name).inserted else {
        throw field.problem(in: source, "\(PlainText.quoted(name)) occurs twice")
      }
      return CSVColumnGuess(column: column, name: name)
    }
  }
}

private struct CSVColumnGuess {
  let column: String
  let name: String
  var missing = 0
  private var guess = TextGuess.bare

  init(column: String, name: String) {
    self.column = column
    self.name = name
  }

  /// Returns whether a text names the column, by its own name or by its property.
  func isNamed(_ text: String) -> Bool { text == column || text == name }

  mutating func add(_ field: CSVReader.Field) {
    if let text = field.text { guess.add(text, line: field.line) } else { missing += 1 }
  }

  var property: PropertySchema {
    PropertySchema(
      name: name, type: guess.type ?? .string, isOptional: missing > 0 || guess.type == nil)
  }

  /// The reason why the values are text where another type might be meant, or nil.
  var reason: String? {
    if guess.type == nil { return "no value" }
    return guess.reason
  }
}

extension TextGuess {
  /// The text that no narrower type holds, with its line, or nil.
  var reason: String? {
    firstText.map { sample in
      let isLong = sample.text.count > 24
      return "\"\(sample.text.prefix(24))\(isLong ? "…" : "")\" in line \(sample.line)"
    }
  }
}

extension InspectionError {
  /// Returns the error for a row with more or fewer fields than the first row.
  static func unevenRow(
    _ row: [CSVReader.Field], _ columns: Int, _ source: String
  ) -> InspectionError {
    let line = row.first?.line ?? 0
    return badInput(
      .badImport, source, "line \(line)",
      "the row has \(StoreError.count(row.count, "field")), but the header has \(columns)",
      line: line)
  }
}

extension CSVImport.Options {
  /// Throws if the text lacks a column that the options rename.
  func requireColumns(_ names: [String]) throws {
    for name in properties.keys.sorted() where !names.contains(name) {
      throw InspectionError.badArgument(
        name, "the file has no such column", "The columns are \(names.joined(separator: ", ")).")
    }
  }

  /// The separator as a byte, or nil if the first line decides.
  var separatorByte: UInt8? {
    get throws {
      guard let separator else { return nil }
      guard let byte = separator.asciiValue, separator != "\"", byte != 0x0A, byte != 0x0D else {
        throw InspectionError.badArgument(
          String(separator), "it cannot separate fields", "Choose one ASCII character.")
      }
      return byte
    }
  }
}
