internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A writer of single objects as lines of a dump, for a selection and for folders.
///
/// It holds the whole value of one property in memory. ``ClassDump``, which writes all objects of a
/// class, writes collections element by element.
struct ObjectLine {
  private let table: ClassTable
  private let classes: DumpClasses
  private let subset: DumpSubset?

  /// - Parameter subset: The objects that links may lead to, or nil for all objects.
  init(_ table: ClassTable, _ classes: DumpClasses, _ subset: DumpSubset?) {
    self.table = table
    self.classes = classes
    self.subset = subset
  }

  /// Appends the line of an object, with its line end.
  ///
  /// An object that is not yet converted is written with its version and its properties.
  func append(_ id: ObjectID, _ stored: PageBytes, to writer: inout JSONWriter) throws {
    try table.verify(stored, id)
    let (reader, record) = try table.reading(stored, id)
    writer.append(head: table.name, id, version: reader.pastVersion)
    writer.append(raw: "{")
    for (position, property) in reader.resolved.properties.enumerated() {
      writer.append(name: property.name)
      try append(position, property.type, of: id, record, in: reader, to: &writer)
    }
    writer.append(raw: "}}\n")
  }

  private func append(
    _ position: Int, _ type: PropertyType, of id: ObjectID, _ record: PageBytes,
    in table: ClassTable, to writer: inout JSONWriter
  ) throws {
    var value = try table.value(position, of: record, id)
    if let subset { value = try subset.trimmed(value, position, of: id, in: table) }
    try table.explainingClasses(of: id) {
      try ValueJSON(table, classes).append(value, as: type, to: &writer)
    }
  }
}
