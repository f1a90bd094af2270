internal import Foundation
internal import WhimbrelEngine

extension JSONWriter {
  /// Appends the value of a property or element. It does not name its type,
  /// which the reader knows.
  mutating func append(_ value: PropertyValue) {
    switch value {
    case .null: append(raw: "null")
    case .bool(let bool): append(raw: bool ? "true" : "false")
    case .int(let number): append(exact: number)
    case .float(let number): append(number: number)
    case .double(let number): append(number: number)
    case .string(let text): append(text)
    case .date(let date): append(date)
    case .link(let id): append(link: id)
    case .object(let reference): append(link: reference.id)
    case .list(let elements):
      append(elements, "[", "]") { writer, element in writer.append(element) }
    case .map(let elements):
      append(elements.inDumpOrder, "{", "}") { writer, element in
        writer.append(name: element.key)
        writer.append(element.value)
      }
    default: append(value.exactText ?? "")
    }
  }

  private mutating func append(link id: ObjectID) {
    append(raw: #"{"link":"#)
    append(exact: id.rawValue)
    append(raw: "}")
  }

  /// Appends a value of any type, with the name of its kind.
  ///
  /// - Throws: ``UnknownClass``.
  mutating func append(any value: PropertyValue, _ classes: DumpClasses) throws {
    switch value {
    case .null: append(raw: "null")
    case .object(let reference):
      let target = try classes.target(of: reference.classID)
      append(raw: target.anyHead)
      try target.append(memberFor: reference.id, to: &self)
      append(raw: "}}")
    case .list, .map:
      append(raw: "{")
      append(name: value.kind)
      try append(anyElements: value, classes)
      append(raw: "}")
    default:
      append(raw: #"{""#)
      append(raw: value.kind.utf8)
      append(raw: #"":"#)
      append(value)
      append(raw: "}")
    }
  }

  /// Appends a list or a map of values of any type.
  ///
  /// - Throws: ``UnknownClass``.
  mutating func append(anyElements value: PropertyValue, _ classes: DumpClasses) throws {
    switch value {
    case .list(let elements):
      try append(elements, "[", "]") { writer, element in
        try writer.append(any: element, classes)
      }
    case .map(let elements):
      try append(elements.inDumpOrder, "{", "}") { writer, element in
        writer.append(name: element.key)
        try writer.append(any: element.value, classes)
      }
    default: append(value)
    }
  }

  /// Appends elements separated by commas, between a start and an end.
  mutating func append<Element>(
    _ elements: some Sequence<Element>, _ start: StaticString, _ end: StaticString,
    _ body: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    append(raw: start)
    for element in elements {
      separate()
      try body(&self, element)
    }
    append(raw: end)
  }
}

// MARK: - Members

extension JSONWriter {
  /// Appends a member of an object, or nothing if it has no value.
  mutating func append<Value>(
    _ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void
  ) {
    guard let value else { return }
    append(name: name)
    body(&self, value)
  }

  mutating func append(_ name: String, _ text: String?) { append(name, text) { $0.append($1) } }

  mutating func append(_ name: String, _ count: (some FixedWidthInteger)?) {
    append(name, count) { $0.append($1) }
  }

  mutating func append(_ name: String, _ value: PropertyValue?) {
    append(name, value) { $0.append($1) }
  }

  /// Appends a number that is a string if a `Double` does not have it.
  mutating func append(_ name: String, exact number: UInt64?) {
    append(name, number) { $0.append(exact: $1) }
  }
}

extension [String: PropertyValue] {
  /// The elements in the order in which stored maps keep them.
  var inDumpOrder: [Element] { sorted { $0.key.precedesInOrder($1.key) } }
}
