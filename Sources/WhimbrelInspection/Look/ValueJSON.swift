internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A writer of the values of a class as JSON, as in a dump.
struct ValueJSON {
  private let table: ClassTable
  private let classes: DumpClasses

  init(_ table: ClassTable, _ classes: DumpClasses) {
    self.table = table
    self.classes = classes
  }

  /// Appends the value of a column for an object.
  func append(
    _ column: ObjectColumn, of id: ObjectID, _ record: PageBytes, to writer: inout JSONWriter
  ) throws {
    try table.explainingClasses(of: id) {
      switch column.source {
      case .objectID: writer.append(exact: id.rawValue)
      case .property(let position) where column.type.isCollection:
        try append(collection: position, of: id, to: &writer)
      case .property, .path:
        try append(column.value(of: id, record, in: table), as: column.type, to: &writer)
      }
    }
  }

  /// - Throws: ``UnknownClass``.
  func append(
    _ value: PropertyValue, as type: PropertyType, to writer: inout JSONWriter
  ) throws {
    if type == .any {
      try writer.append(any: value, classes)
    } else if type.elementType?.type == .any, !value.isNull {
      try writer.append(anyElements: classes.ordered(value, as: type), classes)
    } else {
      try writer.append(value, linkingTo: classes.target(of: type))
    }
  }

  private func append(
    collection position: Int, of id: ObjectID, to writer: inout JSONWriter
  ) throws {
    let type = table.resolved.properties[position].type
    let isMap = type.isMap
    let element = type.elementType?.type ?? .any
    writer.append(raw: isMap ? "{" : "[")
    try table.readCollection(position, of: id) { reader in
      try classes.forEachElement(of: reader, type) { name, value in
        if isMap { writer.append(name: name) } else { writer.separate() }
        try append(value, as: element, to: &writer)
      }
    }
    writer.append(raw: isMap ? "}" : "]")
  }
}
