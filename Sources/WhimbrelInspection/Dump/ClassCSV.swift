internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Writes the objects of a class as CSV, with a first line that names the properties.
///
/// ```swift
/// try ClassCSV(inspector, "Zone").write { FileHandle.standardOutput.write(Data($0)) }
/// ```
///
/// Nothing is nil, and `""` a text without characters. Links are the primary key of the object
/// that they lead to, or `id:` and its object ID where it has none. Collections are JSON as in a
/// dump, with links in them as outside of them, and values of any type are JSON as in a dump. All
/// else is as ``StoreDump`` has it, without quotes. ``CSVImport`` reads it, and `whimbrel ls --csv`
/// writes the same.
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
      let values = CSVValues(DumpClasses(inspector.tables))
      var writer = CSVWriter()
      for property in table.resolved.properties { writer.append(property.name) }
      writer.endRow()
      for id in try query.objectIDs() {
        guard let record = try table.record(id) else { continue }
        try append(id, record, of: table, values, to: &writer)
        if writer.bytes.count >= 1 << 16 {
          try write(writer.bytes)
          writer.removeAll()
        }
      }
      try write(writer.bytes)
    }
  }

  private func append(
    _ id: ObjectID, _ record: PageBytes, of table: ClassTable, _ values: CSVValues,
    to writer: inout CSVWriter
  ) throws {
    try table.verify(record, id)
    for (position, property) in table.resolved.properties.enumerated() {
      do {
        try values.append(table.value(position, of: record, id), property.type, to: &writer)
      } catch let error as UnknownClass {
        throw table.damagedRecord(
          id, "it leads to an object of class \(error.classID.rawValue), which is not there")
      }
    }
    writer.endRow()
  }
}
