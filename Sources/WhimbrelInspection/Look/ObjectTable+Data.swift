internal import WhimbrelEngine
internal import WhimbrelLMDB

extension ObjectTable {
  /// Writes a line of JSON for each object.
  ///
  /// If no columns were chosen, the line is that of a dump, see ``StoreDump``. Otherwise it is an
  /// object with a member for each chosen column.
  ///
  /// ```json
  /// {"class":"Zone","id":17,"values":{"identifier":"Europe/Andorra","country":{"key":"AD"}}}
  /// {"identifier":"Europe/Andorra","country.name":"Andorra"}
  /// ```
  ///
  /// An object that is not yet converted has the line that it has in a dump, with its version. With
  /// chosen columns, members that it has no value for are missing.
  ///
  /// Values are written as in a dump. The values of a path that leads to several are an array. `#`
  /// is the object ID as a number.
  ///
  /// - Parameter write: Receives the text as UTF-8, in chunks of about 64 KiB that end with a line.
  /// - Throws: `StoreError` for a damaged object, after the lines before it have been written, and
  ///   what `write` throws.
  /// - Complexity: O(*n*). Memory: one object, and 8 bytes per object with a query or a limit.
  public func writeJSONLines(_ write: ([UInt8]) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      var output = DumpOutput(write)
      let json = ValueJSON(table, DumpClasses(inspector.tables))
      let lines = ObjectLine(table, DumpClasses(inspector.tables), nil)
      let names = columns.map(\.title)
      try inspector.explaining {
        try rows.forEach { id, record in
          if !hasChosenColumns, table.isUnconverted(record) {
            try lines.append(id, record, to: &output.writer)
            return try output.flush()
          }
          if !hasChosenColumns { output.writer.append(head: table.name, id) }
          output.writer.append(raw: "{")
          for (name, column) in zip(names, columns) {
            if try column.isLacking(in: id, record, of: table) { continue }
            output.writer.append(name: name)
            try json.append(column, of: id, record, to: &output.writer)
          }
          output.writer.append(raw: hasChosenColumns ? "}\n" : "}}\n")
          try output.flush()
        }
        try output.flush(atLeast: 1)
      }
    }
  }

  /// Writes comma-separated values: a line of headings, and a row for each object.
  ///
  /// The format is that of RFC 4180, but lines end with a line feed alone. An empty field is nil,
  /// and `""` is an empty string. A link is the primary key of its target, or `id:` and the object
  /// ID if there is no key. Collections are JSON as in a dump, except that links in them are
  /// written as outside of them. Values of any type are JSON as in a dump. All other values are
  /// written as in ``StoreDump``, without quotes.
  ///
  /// - Parameter write: Receives the text as UTF-8, in chunks of about 64 KiB that end with a row.
  /// - Throws: The same errors as ``writeJSONLines(_:)``.
  /// - Complexity: The same as ``writeJSONLines(_:)``.
  public func writeCSV(_ write: ([UInt8]) throws -> Void) throws {
    var csv = CSVWriter()
    let values = CSVValues(DumpClasses(inspector.tables))
    for column in columns { csv.append(column.title) }
    csv.endRow()
    try inspector.explaining {
      try rows.forEach { id, record in
        for column in columns {
          if try column.isLacking(in: id, record, of: table) {
            csv.append(nil)
          } else {
            try append(column, of: id, record, values, to: &csv)
          }
        }
        csv.endRow()
        if csv.bytes.count >= 1 << 16 {
          try write(csv.bytes)
          csv.removeAll()
        }
      }
      try write(csv.bytes)
    }
  }

  private func append(
    _ column: ObjectColumn, of id: ObjectID, _ record: PageBytes, _ values: CSVValues,
    to csv: inout CSVWriter
  ) throws {
    try table.explainingClasses(of: id) {
      if case .objectID = column.source { return csv.append("\(id)") }
      try values.append(column.value(of: id, record, in: table), column.type, to: &csv)
    }
  }
}

extension JSONWriter {
  /// Appends the start of an object's line in a dump, up to the values.
  ///
  /// - Parameter version: The schema version of an object that is not yet converted, or nil.
  mutating func append(head className: String, _ id: ObjectID, version: SchemaVersion? = nil) {
    append(raw: #"{"class":"#)
    append(className)
    append(raw: #","id":"#)
    append(exact: id.rawValue)
    if let version {
      append(raw: #","version":"#)
      append(exact: version)
    }
    append(raw: #","values":"#)
  }
}
