internal import WhimbrelEngine

extension ObjectDifference {
  /// The difference as a line of JSON without the line end. See
  /// ``StoreDiffReport``.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: "{")
    writer.append("change", kind.rawValue)
    writer.append(object)
    writer.append(properties)
    writer.append(raw: "}")
    return writer.bytes
  }
}

extension JSONWriter {
  /// Appends the member with the differing properties, unless there are none.
  mutating func append(_ properties: [PropertyDifference]) {
    if properties.isEmpty { return }
    append(name: "properties")
    append(properties, "[", "]") { writer, property in writer.append(property) }
  }

  private mutating func append(_ difference: PropertyDifference) {
    append(raw: "{")
    append("property", difference.property)
    switch difference.content {
    case .value(let old, let new): append(old, new)
    case .elements(let elements):
      append(name: "elements")
      append(elements, "[", "]") { writer, element in
        writer.append(raw: "{")
        writer.append(element)
        writer.append(raw: "}")
      }
    }
    append(raw: "}")
  }

  private mutating func append(_ element: ElementDifference) {
    switch element.place {
    case .index(let index): append("index", index)
    case .name(let name): append("name", name)
    case .member: append("member", .bool(true))
    }
    append(element.old, element.new)
  }

  /// Appends the old and the new value, if they exist.
  private mutating func append(_ old: ComparedValue?, _ new: ComparedValue?) {
    append("old", old) { $0.append($1) }
    append("new", new) { $0.append($1) }
  }
}
