internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Values of a class's objects as JSON, as in a dump.
struct ValueJSON {
  private let table: ClassTable
  private let classes: DumpClasses

  init(_ table: ClassTable) {
    self.table = table
    classes = DumpClasses(table.session.classes.sorted { $0.name < $1.name })
  }

  /// Appends what a column shows of an object.
  func append(
    _ column: ObjectColumn, of id: ObjectID, _ record: PageBytes, to writer: inout JSONWriter
  ) throws {
    do {
      switch column.source {
      case .objectID: writer.append(exact: id.rawValue)
      case .collection(let position): try append(collection: position, of: id, to: &writer)
      case .value(let source):
        let value = try source.value(of: id, record, in: table)
        try append(value, as: column.type, to: &writer)
      }
    } catch let error as UnknownClass {
      throw table.damagedRecord(
        id, "it leads to an object of class \(error.classID.rawValue), which is not there")
    }
  }

  /// Appends a value.
  ///
  /// - Throws: ``UnknownClass``.
  func append(
    _ value: PropertyValue, as type: PropertyType, to writer: inout JSONWriter
  ) throws {
    if type == .any {
      try writer.append(any: value, classes)
    } else if type.elementType?.type == .any, case .list = value {
      try writer.append(anyElements: value, classes)
    } else {
      try writer.append(value, linkingTo: classes.target(of: type))
    }
  }

  private func append(
    collection position: Int, of id: ObjectID, to writer: inout JSONWriter
  ) throws {
    let type = table.resolved.properties[position].type
    var isMap = false
    if case .map = type { isMap = true }
    let element = type.elementType?.type ?? .any
    writer.append(raw: isMap ? "{" : "[")
    try table.readCollection(position, of: id) { reader in
      try reader.forEach { name, value in
        if isMap { writer.append(name: name) } else { writer.separate() }
        try append(value, as: element, to: &writer)
      }
    }
    writer.append(raw: isMap ? "}" : "]")
  }
}
