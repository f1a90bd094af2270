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
    writer.append(raw: #"{"class":"#)
    writer.append(table.name)
    writer.append(raw: #","id":"#)
    writer.append(exact: id.rawValue)
    writer.append(raw: #","values":{"#)
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
    do {
      switch (type, value) {
      case (.any, _):
        try writer.append(any: value, classes)
      case (.set(let element), .list(let elements)) where element.type == .any:
        try writer.append(anyElements: .list(ordered(elements)), classes)
      case (.list(let element), _) where element.type == .any,
        (.map(let element), _) where element.type == .any:
        try writer.append(anyElements: value, classes)
      default:
        try writer.append(value, linkingTo: classes.target(of: type))
      }
    } catch let error as UnknownClass {
      throw table.damagedRecord(
        id, "it leads to an object of class \(error.classID.rawValue), which is not there")
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
