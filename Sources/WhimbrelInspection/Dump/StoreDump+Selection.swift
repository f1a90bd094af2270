internal import WhimbrelEngine

extension StoreDump {
  /// Writes a part of the store.
  func writeSelection(to output: inout DumpOutput) throws {
    let subset = try DumpSubset(options, in: inspector.session)
    output.writer.append(raw: try header(subset).line())
    output.writer.append(raw: "\n")
    try output.flush(atLeast: 1)
    let tables = inspector.tables
    let classes = DumpClasses(tables)
    for table in tables {
      let line = ObjectLine(table, classes, subset)
      try subset.forEachRecord(of: table) { id, record in
        try line.append(id, record, to: &output.writer)
        try output.flush()
      }
    }
    try output.flush(atLeast: 1)
  }
}
