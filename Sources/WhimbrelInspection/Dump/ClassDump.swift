internal import WhimbrelEngine

/// Writes the objects of one class.
struct ClassDump {
  private let table: ClassTable
  private let classes: DumpClasses
  /// What stands before each property's value.
  private let names: [[UInt8]]

  init(_ table: ClassTable, _ classes: DumpClasses) {
    self.table = table
    self.classes = classes
    names = table.resolved.properties.enumerated().map { position, property in
      var writer = JSONWriter()
      if position > 0 { writer.append(raw: ",") }
      writer.append(property.name)
      writer.append(raw: ":")
      return writer.bytes
    }
  }

  /// Writes all objects; elements of collections one by one.
  func write(to output: inout DumpOutput) throws {
    try table.forEachRecord { id, record in
      try table.verify(record, id)
      let layout = try table.layout(of: record, id)
      append(id, to: &output.writer)
      for (position, property) in table.resolved.properties.enumerated() {
        output.writer.append(raw: names[position])
        if property.type.isCollection {
          try append(position, property.type, of: id, to: &output)
          continue
        }
        let value = try table.explaining(id) {
          try layout.value(position, of: record, table.extents(of: id))
        }
        if property.type == .any {
          try explaining(id) { try output.writer.append(any: value, classes) }
        } else {
          output.writer.append(value)
        }
      }
      output.writer.append(raw: "}}\n")
      try output.flush()
    }
  }

  private func append(_ id: ObjectID, to writer: inout JSONWriter) {
    writer.append(raw: #"{"class":"#)
    writer.append(table.name)
    writer.append(raw: #","id":"#)
    writer.append(id.rawValue)
    writer.append(raw: #","values":{"#)
  }

  private func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as UnknownClass {
      throw table.damagedRecord(
        id, "it leads to an object of class \(error.classID.rawValue), which is not there")
    }
  }
}

// MARK: - Collections

extension ClassDump {
  private func append(
    _ position: Int, _ type: PropertyType, of id: ObjectID, to output: inout DumpOutput
  ) throws {
    var isMap = false
    if case .map = type { isMap = true }
    let holdsAny = type.elementType?.type == .any
    output.writer.append(raw: isMap ? "{" : "[")
    var isFirst = true
    try explaining(id) {
      try table.readCollection(position, of: id) { reader in
        try forEach(reader, type) { name, value in
          if !isFirst { output.writer.append(raw: ",") }
          isFirst = false
          if isMap {
            output.writer.append(name)
            output.writer.append(raw: ":")
          }
          if holdsAny {
            try output.writer.append(any: value, classes)
          } else {
            output.writer.append(value)
          }
          try output.flush()
        }
      }
    }
    output.writer.append(raw: isMap ? "}" : "]")
  }

  /// Calls `body` with each element in the order that it has in a store that is
  /// loaded from the dump.
  private func forEach(
    _ reader: CollectionReader, _ type: PropertyType,
    _ body: (String, PropertyValue) throws -> Void
  ) throws {
    guard case .set(let element) = type, element.type == .any, !classes.isInOrder else {
      return try reader.forEach(body)
    }
    func visit(_ range: Range<Int>) throws {
      for position in range { try body("", reader.value(at: position)) }
    }
    func start(_ classID: UInt32) throws -> Int {
      let first = ObjectReference(
        classID: ClassID(rawValue: classID), id: ObjectID(rawValue: 0))
      return try reader.position(notPreceding: .object(first))
    }
    let firstObject = try start(0)
    let firstCollection = try reader.position(notPreceding: .list([]))
    try visit(0..<firstObject)
    var objects = 0
    for number in classes.numbers {
      let first = try start(number.rawValue)
      // A search may find anything in a damaged set that is out of order.
      let range = first..<max(first, try start(number.rawValue + 1))
      try visit(range)
      objects += range.count
    }
    if objects < firstCollection - firstObject {
      // Some are of no class; the first of these says which.
      for position in firstObject..<firstCollection {
        _ = try classes.renumbered(reader.value(at: position))
      }
    }
    // Lists and maps in sets have objects in places that no search finds.
    let collections = try (firstCollection..<reader.count).map { position in
      let value = try reader.value(at: position)
      return (value: value, order: try classes.renumbered(value))
    }
    for (value, _) in collections.sorted(by: { $0.order.precedes($1.order) }) {
      try body("", value)
    }
  }
}
