internal import Foundation
internal import WhimbrelEngine

/// Writes the objects of a class as CSV, with a first line that names the properties.
///
/// ```swift
/// try ClassCSV(inspector, "Zone").write { FileHandle.standardOutput.write(Data($0)) }
/// ```
///
/// Nothing is nil, and `""` a text without characters. Links are the primary key of the object
/// that they lead to, or `#` and its object ID where it has none. Collections are JSON as in a
/// dump, with links in them as outside of them, and values of any type are JSON as in a dump. All
/// else is as ``StoreDump`` has it, without quotes. ``CSVImport`` reads it.
public struct ClassCSV {
  private let inspector: StoreInspector
  private let selection: ObjectSelection

  /// - Parameter selection: the objects; the class alone for all, in the order of their IDs.
  public init(_ inspector: StoreInspector, _ selection: ObjectSelection) {
    self.inspector = inspector
    self.selection = selection
  }

  /// Writes the text piece by piece.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, or for a damaged object, and
  ///   what `write` throws.
  /// - Complexity: O(*n*), in memory for the ID of each object, and the values of one.
  public func write(_ write: ([UInt8]) throws -> Void) throws {
    try inspector.explaining {
      let query = try selection.prepared(in: inspector.session)
      let table = try inspector.session.table(selection.className)
      let row = CSVRow(table, DumpClasses(inspector.tables))
      var writer = CSVWriter()
      for property in table.resolved.properties { writer.append(property.name) }
      writer.endRow()
      for id in try query.objectIDs() {
        guard let record = try table.record(id) else { continue }
        try row.append(id, record, to: &writer)
        if writer.bytes.count >= 1 << 16 {
          try write(writer.bytes)
          writer.removeAll()
        }
      }
      try write(writer.bytes)
    }
  }
}
