internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Writes objects of a class as rows of CSV; ``ClassCSV`` says how.
struct CSVRow {
  private let table: ClassTable
  private let classes: DumpClasses

  init(_ table: ClassTable, _ classes: DumpClasses) {
    self.table = table
    self.classes = classes
  }

  /// Appends the row of an object.
  func append(_ id: ObjectID, _ record: PageBytes, to writer: inout CSVWriter) throws {
    try table.verify(record, id)
    for (position, property) in table.resolved.properties.enumerated() {
      let value = try table.value(position, of: record, id)
      do {
        try append(value, property.type, to: &writer)
      } catch let error as UnknownClass {
        throw table.damagedRecord(
          id, "it leads to an object of class \(error.classID.rawValue), which is not there")
      }
    }
    writer.endRow()
  }

  private func append(
    _ value: PropertyValue, _ type: PropertyType, to writer: inout CSVWriter
  ) throws {
    switch value {
    case .null: writer.append(nil)
    case .string(let text) where type != .any: writer.append(text)
    case .link(let id): writer.append(try name(id, type))
    default:
      var json = JSONWriter()
      if type == .any {
        try json.append(any: value, classes)
      } else {
        try append(collection: value, type, to: &json)
      }
      // Dates, numbers that JSON has none for, and the like: text, without its quotes.
      let isQuoted = json.bytes.first == UInt8(ascii: "\"")
      writer.append(utf8: isQuoted ? Array(json.bytes.dropFirst().dropLast()) : json.bytes)
    }
  }

  private func append(
    collection value: PropertyValue, _ type: PropertyType, to json: inout JSONWriter
  ) throws {
    switch value {
    case .list(let elements):
      json.append(raw: "[")
      for (index, element) in elements.enumerated() {
        if index > 0 { json.append(raw: ",") }
        try append(element: element, type, to: &json)
      }
      json.append(raw: "]")
    case .map(let elements):
      json.append(raw: "{")
      let sorted = elements.sorted { $0.key.precedesInOrder($1.key) }
      for (index, element) in sorted.enumerated() {
        if index > 0 { json.append(raw: ",") }
        json.append(element.key)
        json.append(raw: ":")
        try append(element: element.value, type, to: &json)
      }
      json.append(raw: "}")
    default: json.append(value)
    }
  }

  private func append(
    element: PropertyValue, _ type: PropertyType, to json: inout JSONWriter
  ) throws {
    if case .link(let id) = element {
      json.append(try name(id, type))
    } else if type.elementType?.type == .any {
      try json.append(any: element, classes)
    } else {
      json.append(element)
    }
  }

  private func name(_ id: ObjectID, _ type: PropertyType) throws -> String {
    guard let target = type.linkedClass else { return "#\(id.rawValue)" }
    return try table.session.table(target).objectName(id)
  }
}
