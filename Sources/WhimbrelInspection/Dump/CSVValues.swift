internal import WhimbrelEngine

/// A writer of property values as CSV fields. ``ObjectTable/writeCSV(_:)`` describes
/// the format.
struct CSVValues {
  private let classes: DumpClasses

  init(_ classes: DumpClasses) { self.classes = classes }

  /// - Throws: ``UnknownClass``.
  func append(
    _ value: PropertyValue, _ type: PropertyType, to writer: inout CSVWriter
  ) throws {
    switch value {
    case .null: return writer.append(nil)
    case .string(let text) where type != .any: return writer.append(text)
    case .link(let id): return writer.append(try name(id, type))
    default: break
    }
    var json = JSONWriter()
    if type == .any {
      try json.append(any: value, classes)
    } else {
      try append(collection: classes.ordered(value, as: type), type, to: &json)
    }
    // Dates, UUIDs, NaN and similar values are JSON strings. CSV has them without the quotes.
    let isQuoted = type != .any && json.bytes.first == UInt8(ascii: "\"")
    writer.append(utf8: isQuoted ? Array(json.bytes.dropFirst().dropLast()) : json.bytes)
  }

  private func append(
    collection value: PropertyValue, _ type: PropertyType, to json: inout JSONWriter
  ) throws {
    switch value {
    case .list(let elements):
      try json.append(elements, "[", "]") { json, element in
        try append(element: element, type, to: &json)
      }
    case .map(let elements):
      try json.append(elements.inDumpOrder, "{", "}") { json, element in
        json.append(name: element.key)
        try append(element: element.value, type, to: &json)
      }
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
    try classes.target(of: type)?.table.objectName(id) ?? ClassTable.name(of: id)
  }
}
