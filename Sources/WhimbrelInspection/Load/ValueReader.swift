package import WhimbrelEngine

/// A reader of property values in a dump.
///
/// ``StoreDump`` describes the form of each type.
package struct ValueReader {
  private let tables: [String: ClassTable]
  private let links: LinkResolver

  /// - Parameter links: Resolves links to objects.
  package init(_ tables: [ClassTable], _ links: LinkResolver = .ofStore) {
    self.tables = Dictionary(keepingFirst: tables.map { ($0.name, $0) })
    self.links = links
  }

  /// Creates a reader of the same classes with another resolver.
  init(_ other: ValueReader, _ links: LinkResolver) {
    tables = other.tables
    self.links = links
  }

  package func value(_ node: JSONNode, of property: CatalogProperty) throws -> PropertyValue {
    switch (property.type, node.content) {
    case (.any, _):
      return try any(node)
    case (.list(let element), .array(let nodes)), (.set(let element), .array(let nodes)):
      return .list(try nodes.map { try value($0, as: element) })
    case (.map(let element), .object(let members)):
      return .map(try members.values { try value($0, as: element) })
    case (_, .null) where !property.type.isCollection:
      guard property.isOptional else {
        throw JSONProblem(node.offset, "it is required, but the value is null")
      }
      return .null
    default:
      if let value = try scalar(node, as: property.type) { return value }
      throw JSONProblem(
        node.offset, "it holds '\(property.type)', but the value is \(node.kind)")
    }
  }

  /// Returns an element of a collection.
  private func value(_ node: JSONNode, as element: ElementType) throws -> PropertyValue {
    if element.type == .any { return try any(node) }
    if case .null = node.content, element.isOptional { return .null }
    if let value = try scalar(node, as: element.type) { return value }
    throw JSONProblem(node.offset, "an element must be '\(element)', but is \(node.kind)")
  }
}

extension [JSONNode.Member] {
  /// Returns the values of the members by name. A name must not occur twice.
  package func values(
    _ read: (JSONNode) throws -> PropertyValue
  ) throws -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    values.reserveCapacity(count)
    for member in self {
      let value = try read(member.value)
      guard values.updateValue(value, forKey: member.name) == nil else {
        throw JSONProblem(member.offset, "\(PlainText.quoted(member.name)) occurs twice")
      }
    }
    return values
  }
}

// MARK: - Links

extension ValueReader {
  /// Returns a value that is neither a collection nor of any type, or nil if the node is of another
  /// kind.
  private func scalar(_ node: JSONNode, as type: PropertyType) throws -> PropertyValue? {
    guard case .link(let name) = type, case .object(let members) = node.content,
      let table = tables[name], members.count == 1, let member = members.first,
      let id = try object(member, of: table)
    else { return try PropertyValue.scalar(node, as: type) }
    return .link(id)
  }

  /// Returns the object that `"key":"AD"` or `"link":17` names, or nil for another member.
  private func object(_ member: JSONNode.Member, of table: ClassTable) throws -> ObjectID? {
    switch member.name {
    case "link":
      guard let id = ObjectID(member.value) else { return nil }
      return try links.byID(id, table)
    case "key":
      let className = PlainText.quoted(table.name)
      guard let position = table.resolved.primaryKeyIndex else {
        throw JSONProblem(
          member.offset,
          "class \(className) has no primary key: write a link to it as {\"link\":17}")
      }
      let property = table.resolved.properties[position]
      guard let key = try PropertyValue.scalar(member.value, as: property.type) else {
        throw JSONProblem(
          member.value.offset,
          "the primary key of \(className) is '\(property.type)', but the value is "
            + member.value.kind)
      }
      if let id = try links.byKey(key, table) { return id }
      throw JSONProblem(
        member.value.offset,
        "no object of \(className) has the primary key \(PlainText.quoted(key.keyText))")
    default: return nil
    }
  }
}

// MARK: - Values of any type

extension ValueReader {
  /// The types of scalars in values of any type, by the names of their kinds.
  private static let scalars = Dictionary(
    uniqueKeysWithValues: PropertyType.kinds.map { ($0.description, $0) })

  /// Returns a value of any type. The parser limits the depth of nesting, and the store has a lower
  /// limit.
  private func any(_ node: JSONNode) throws -> PropertyValue {
    if case .null = node.content { return .null }
    guard case .object(let members) = node.content, members.count == 1, let member = members.first
    else {
      throw JSONProblem(
        node.offset, "a value of any type is null, or has one member, its kind: {\"int\":5}")
    }
    switch (member.name, member.value.content) {
    case ("list", .array(let nodes)):
      return .list(try nodes.map(any))
    case ("map", .object(let members)):
      return .map(try members.values(any))
    case ("object", _):
      return try object(member.value)
    default:
      guard ["list", "map"].contains(member.name) || Self.scalars[member.name] != nil else {
        throw JSONProblem(
          member.offset, "unknown kind of value \(PlainText.quoted(member.name))")
      }
      if let type = Self.scalars[member.name],
        let value = try PropertyValue.scalar(member.value, as: type)
      {
        return value
      }
      throw JSONProblem(
        member.value.offset, "the kind is '\(member.name)', but the value is \(member.value.kind)")
    }
  }

  /// Returns an object of any class: `{"class":"Country","key":"AD"}` or
  /// `{"class":"Zone","link":17}`.
  private func object(_ node: JSONNode) throws -> PropertyValue {
    let problem = JSONProblem(
      node.offset,
      "write an object as {\"class\":\"Country\",\"key\":\"AD\"}, or with its object ID as "
        + "\"link\":17")
    guard case .object(let members) = node.content, members.count == 2,
      let className = members.first(where: { $0.name == "class" })?.value,
      case .string(let name) = className.content,
      let link = members.first(where: { $0.name != "class" })
    else { throw problem }
    guard let table = tables[name] else {
      throw JSONProblem(className.offset, "there is no class \(PlainText.quoted(name))")
    }
    guard let id = try object(link, of: table) else { throw problem }
    return .object(ObjectReference(classID: table.resolved.id, id: id))
  }
}

/// A resolver of links in a text.
package struct LinkResolver {
  /// Returns the object for an object ID in the text.
  let byID: (ObjectID, ClassTable) throws -> ObjectID
  /// Returns the object with a primary key, or nil if it does not exist.
  let byKey: (PropertyValue, ClassTable) throws -> ObjectID?

  /// A resolver whose object IDs and primary keys are those of the store. It takes object IDs
  /// without a check.
  package static var ofStore: LinkResolver {
    LinkResolver(byID: { id, _ in id }, byKey: { key, table in try table.find(key) })
  }
}
