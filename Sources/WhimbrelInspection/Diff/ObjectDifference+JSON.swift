internal import WhimbrelEngine

extension ObjectDifference {
  /// The difference as a line of JSON without the line end. See
  /// ``StoreDiffReport``.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: "{")
    writer.append(name: "change")
    writer.append(kind.rawValue)
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
    append(name: "property")
    append(difference.property)
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
    case .index(let index):
      append(name: "index")
      append(index)
    case .name(let name):
      append(name: "name")
      append(name)
    case .member:
      append(name: "member")
      append(raw: "true")
    }
    append(element.old, element.new)
  }

  /// Appends the old and the new value, if they exist.
  private mutating func append(_ old: ComparedValue?, _ new: ComparedValue?) {
    if let old {
      append(name: "old")
      append(old)
    }
    if let new {
      append(name: "new")
      append(new)
    }
  }
}
