internal import WhimbrelEngine

extension JSONWriter {
  /// Appends a compared value as in a dump, with two exceptions: a link is the name of the object,
  /// `{"class":"Country","key":"AD"}` or `{"class":"Country","id":17}`, and an embedded object is
  /// an object with its properties.
  mutating func append(_ value: ComparedValue) {
    switch value {
    case .scalar(let value): append(value)
    case .object(let object):
      append(raw: "{")
      append(object)
      append(raw: "}")
    case .embedded(let members), .map(let members):
      append(members, "{", "}") { writer, member in
        writer.append(name: member.name)
        writer.append(member.value)
      }
    case .list(let elements), .set(let elements):
      append(elements, "[", "]") { writer, element in writer.append(element) }
    case .any(let value):
      append(raw: "{")
      append(name: value.kind)
      append(value)
      append(raw: "}")
    }
  }

  /// Appends the members that name an object: `"class":"Country","key":"AD"`.
  mutating func append(_ object: NamedObject) {
    append("class", object.className)
    append("key", object.key)
    if object.key == nil { append("id", exact: object.id.rawValue) }
  }
}

extension ComparedValue {
  /// The kind of a value of any type, as a dump names it.
  fileprivate var kind: String {
    switch self {
    case .scalar(let value): value.kind
    case .object: "object"
    case .embedded: "embedded"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .any(let value): value.kind
    }
  }
}
