internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Writes single objects of a class as lines of a dump, as a selection has them.
///
/// ``ClassDump`` writes all objects of a class, and elements of collections one by one; this
/// has the values of one property in memory.
struct ObjectLine {
  private let table: ClassTable
  private let classes: DumpClasses
  private let subset: DumpSubset?

  /// - Parameter subset: what links may lead to, or nil for everything.
  init(_ table: ClassTable, _ classes: DumpClasses, _ subset: DumpSubset?) {
    self.table = table
    self.classes = classes
    self.subset = subset
  }

  /// Appends the line of an object, with its end.
  func append(_ id: ObjectID, _ record: PageBytes, to writer: inout JSONWriter) throws {
    try table.verify(record, id)
    writer.append(head: table.name, id)
    writer.append(raw: "{")
    for (position, property) in table.resolved.properties.enumerated() {
      writer.append(name: property.name)
      try append(position, property.type, of: id, record, to: &writer)
    }
    writer.append(raw: "}}\n")
  }

  private func append(
    _ position: Int, _ type: PropertyType, of id: ObjectID, _ record: PageBytes,
    to writer: inout JSONWriter
  ) throws {
    var value = try table.value(position, of: record, id)
    if let subset { value = try subset.trimmed(value, position, of: id, in: table) }
    try table.explainingClasses(of: id) {
      if case .set(let element) = type, element.type == .any, case .list(let elements) = value {
        value = .list(try ordered(elements))
      }
      try ValueJSON(table, classes).append(value, as: type, to: &writer)
    }
  }

  /// The elements of a set as they are in a store that is loaded: by the numbers that classes
  /// have there, and each once. What is left of two lists without their links may be the same.
  private func ordered(_ elements: [PropertyValue]) throws -> [PropertyValue] {
    let sorted = try elements.map { (value: $0, order: try classes.renumbered($0)) }
      .sorted { $0.order.precedes($1.order) }
    var kept: [(value: PropertyValue, order: PropertyValue)] = []
    for element in sorted where kept.last.map({ $0.order.precedes(element.order) }) ?? true {
      kept.append(element)
    }
    return kept.map(\.value)
  }
}
