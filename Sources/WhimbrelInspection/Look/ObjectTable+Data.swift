internal import WhimbrelEngine
internal import WhimbrelLMDB

extension ObjectTable {
  /// Writes a line of JSON for each object: as in a dump, see ``StoreDump``, where nobody
  /// chose columns, and else an object with a member for each of these.
  ///
  /// ```json
  /// {"class":"Zone","id":17,"values":{"identifier":"Europe/Andorra","country":{"key":"AD"}}}
  /// {"identifier":"Europe/Andorra","country.name":"Andorra"}
  /// ```
  /// Values are as in a dump, those of a path that leads to several are an array, and `#` is
  /// the object ID as a number.
  ///
  /// - Parameter write: is given the text as UTF-8, in pieces of some 64 KiB that end with a
  ///   line.
  /// - Throws: `StoreError` for a damaged object; the lines before it are written then. And
  ///   what `write` throws.
  /// - Complexity: O(*n*), in memory for one object and, where there is a query or a limit,
  ///   for 8 bytes an object.
  public func writeJSONLines(_ write: ([UInt8]) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      var output = DumpOutput(write)
      let json = ValueJSON(table, DumpClasses(inspector.tables))
      let names = columns.map(\.title)
      try inspector.explaining {
        try rows.forEach { id, record in
          if !hasChosenColumns { output.writer.append(head: table.name, id) }
          output.writer.append(raw: "{")
          for (name, column) in zip(names, columns) {
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

  /// Writes comma-separated values: a line of headings, and a row for each object, as RFC
  /// 4180 has them but with line feeds alone at the ends.
  ///
  /// Nothing is nil, and `""` a text without characters. Links are the primary key of the object
  /// that they lead to, or `id:` and its object ID where it has none. Collections are JSON as in a
  /// dump, with links in them as outside of them, and values of any type are JSON as in a dump. All
  /// else is as ``StoreDump`` has it, without quotes.
  ///
  /// - Parameter write: is given the text as UTF-8, in pieces of some 64 KiB that end with a
  ///   row.
  /// - Throws: as ``writeJSONLines(_:)`` does.
  /// - Complexity: as that of ``writeJSONLines(_:)``.
  public func writeCSV(_ write: ([UInt8]) throws -> Void) throws {
    var csv = CSVWriter()
    let values = CSVValues(DumpClasses(inspector.tables))
    for column in columns { csv.append(column.title) }
    csv.endRow()
    try inspector.explaining {
      try rows.forEach { id, record in
        for column in columns { try append(column, of: id, record, values, to: &csv) }
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
      switch column.source {
      case .objectID: csv.append("\(id)")
      case .collection(let position):
        try values.append(table.value(position, of: record, id), column.type, to: &csv)
      case .value(let source):
        try values.append(source.value(of: id, record, in: table), column.type, to: &csv)
      }
    }
  }
}

extension JSONWriter {
  /// Appends what a line of a dump begins with.
  mutating func append(head className: String, _ id: ObjectID) {
    append(raw: #"{"class":"#)
    append(className)
    append(raw: #","id":"#)
    append(exact: id.rawValue)
    append(raw: #","values":"#)
  }
}
