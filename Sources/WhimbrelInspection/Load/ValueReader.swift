internal import WhimbrelEngine

/// Reads the values of properties from a dump; ``StoreDump`` says how each type is
/// written.
struct ValueReader {
  /// The numbers of the classes, by name.
  private let classIDs: [String: ClassID]

  init(_ tables: [ClassTable]) {
    classIDs = Dictionary(
      tables.map { ($0.name, $0.resolved.id) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a property.
  func value(
    _ node: JSONNode, of property: CatalogProperty
  ) throws(JSONProblem) -> PropertyValue {
    switch (property.type, node.content) {
    case (.any, _):
      return try any(node)
    case (.list(let element), .array(let nodes)), (.set(let element), .array(let nodes)):
      return .list(
        try values(nodes) { node throws(JSONProblem) in
          try value(node, as: element, in: property)
        })
    case (.map(let element), .object(let members)):
      return .map(
        try values(members) { node throws(JSONProblem) in
          try value(node, as: element, in: property)
        })
    case (_, .null) where !property.type.isCollection:
      guard property.isOptional else {
        throw JSONProblem(
          node.offset, "\(PlainText.quoted(property.name)) is required and was given null")
      }
      return .null
    default:
      if let value = try PropertyValue.scalar(node, as: property.type) { return value }
      throw JSONProblem(
        node.offset,
        "\(PlainText.quoted(property.name)) holds '\(property.type)' and was given \(node.kind)")
    }
  }

  /// The value of an element of a collection.
  private func value(
    _ node: JSONNode, as element: ElementType, in property: CatalogProperty
  ) throws(JSONProblem) -> PropertyValue {
    if element.type == .any { return try any(node) }
    if case .null = node.content, element.isOptional { return .null }
    if let value = try PropertyValue.scalar(node, as: element.type) { return value }
    throw JSONProblem(
      node.offset,
      "an element of \(PlainText.quoted(property.name)) is '\(element)' and was given \(node.kind)")
  }

  private func values(
    _ nodes: [JSONNode], _ read: (JSONNode) throws(JSONProblem) -> PropertyValue
  ) throws(JSONProblem) -> [PropertyValue] {
    var values: [PropertyValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try read(node)) }
    return values
  }

  private func values(
    _ members: [JSONNode.Member], _ read: (JSONNode) throws(JSONProblem) -> PropertyValue
  ) throws(JSONProblem) -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    values.reserveCapacity(members.count)
    for member in members {
      let value = try read(member.value)
      guard values.updateValue(value, forKey: member.name) == nil else {
        throw JSONProblem(member.offset, "\(PlainText.quoted(member.name)) is there twice")
      }
    }
    return values
  }
}

// MARK: - Values of any type

extension ValueReader {
  /// The types of the values that stand in any without more, by their kinds.
  private static let scalars = Dictionary(
    uniqueKeysWithValues: [
      PropertyType.bool, .int, .float, .double, .string, .data, .date, .uuid, .decimal, .objectId,
    ].map { ($0.description, $0) })

  /// A value with the name of its kind. The nesting is limited by the parser, and
  /// to less by the store.
  private func any(_ node: JSONNode) throws(JSONProblem) -> PropertyValue {
    if case .null = node.content { return .null }
    guard case .object(let members) = node.content, members.count == 1, let member = members.first
    else {
      throw JSONProblem(
        node.offset, "a value of any type is null, or has one member, its kind: {\"int\":5}")
    }
    switch (member.name, member.value.content) {
    case ("list", .array(let nodes)):
      return .list(try values(nodes) { node throws(JSONProblem) in try any(node) })
    case ("map", .object(let members)):
      return .map(try values(members) { node throws(JSONProblem) in try any(node) })
    case ("object", _):
      return try object(member.value)
    default:
      guard ["list", "map"].contains(member.name) || Self.scalars[member.name] != nil else {
        throw JSONProblem(
          member.offset, "there is no kind of value \(PlainText.quoted(member.name))")
      }
      if let type = Self.scalars[member.name],
        let value = try PropertyValue.scalar(member.value, as: type)
      {
        return value
      }
      throw JSONProblem(
        member.value.offset, "a value is '\(member.name)' and was given \(member.value.kind)")
    }
  }

  /// An object of any class: `{"class":"Zone","link":17}`.
  private func object(_ node: JSONNode) throws(JSONProblem) -> PropertyValue {
    guard case .object(let members) = node.content, members.count == 2,
      let className = members.first(where: { $0.name == "class" })?.value,
      case .string(let name) = className.content,
      let link = members.first(where: { $0.name == "link" }), let id = ObjectID(link.value)
    else {
      throw JSONProblem(node.offset, "an object is written as {\"class\":\"Zone\",\"link\":17}")
    }
    guard let classID = classIDs[name] else {
      throw JSONProblem(className.offset, "the first line has no such class")
    }
    return .object(ObjectReference(classID: classID, id: id))
  }
}
