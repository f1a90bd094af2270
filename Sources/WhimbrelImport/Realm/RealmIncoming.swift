internal import WhimbrelEngine
internal import WhimbrelInspection

struct RealmIncoming: IncomingObject {
  let table: ClassTable
  let sourceID: UInt64
  private let source: String
  private let reader: RealmValueReader
  private let links: RealmLinks
  /// The values by position.
  var members: [RealmNode?]
  /// The embedded objects by the position of their property.
  var owned: [Int: OwnedObjects] = [:]

  init(
    table: ClassTable, sourceID: UInt64, source: String, _ reader: RealmValueReader,
    _ links: RealmLinks
  ) {
    self.table = table
    self.sourceID = sourceID
    self.source = source
    self.reader = reader
    self.links = links
    members = Array(repeating: nil, count: table.resolved.properties.count)
  }

  var place: String { objectName }

  var keyText: String? {
    switch table.resolved.primaryKeyIndex.flatMap({ members[$0] }) {
    case .string(let key), .number(let key): key
    default: nil
    }
  }

  func explain(_ reason: String) -> InspectionError {
    InspectionError.badInput(.badImport, source, place, reason)
  }

  func key() throws -> PropertyValue? {
    guard let position = table.resolved.primaryKeyIndex, let node = members[position] else {
      return nil
    }
    return try value(node, position) { _ in .null }
  }

  func children() -> [IncomingReference] {
    owned.sorted { $0.key < $1.key }.flatMap(\.value.references)
  }

  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue] {
    var values: [Int: PropertyValue] = [:]
    for case (let position, let node?) in members.enumerated() {
      let property = table.resolved.properties[position]
      if let owned = owned[position] {
        let target = try table.session.table(property.type.linkedClass ?? "")
        values[position] = try owned.value(property.type, target, links)
        continue
      }
      let target = try property.type.linkedClass.map(table.session.table)
      values[position] = try value(node, position) { node in
        try linked(node, property.name, target, links)
      }
    }
    return values
  }

  private func value(
    _ node: RealmNode, _ position: Int, link: RealmValueReader.LinkReader
  ) throws -> PropertyValue {
    let property = table.resolved.properties[position]
    return try explaining {
      try table.naming(property) {
        try reader.value(node, of: property, { place }, link: link)
      }
    }
  }
}

// MARK: - Links

extension RealmIncoming {
  /// - Parameter target: The class that the property links to, or nil for a property of type `any`.
  private func linked(
    _ node: RealmNode, _ property: String, _ target: ClassTable?, _ links: ObjectMerger.Links
  ) throws -> PropertyValue {
    guard let target else { return try linkedByClass(node, property, links) }
    return .link(try object(node, property, target, links))
  }

  /// Returns a link in a value of type `any`. The export must name its class; without one it is
  /// lost.
  private func linkedByClass(
    _ node: RealmNode, _ property: String, _ links: ObjectMerger.Links
  ) throws -> PropertyValue {
    guard case .object(let object) = node else { return .null }
    if let className = object.referenceClass, let target = table.session.find(className) {
      let id = try self.object(node, property, target, links)
      return .object(ObjectReference(classID: target.resolved.id, id: id))
    }
    reader.lose(
      place, property,
      "an object in a value of any type, whose class the export does not name")
    return .null
  }

  private func object(
    _ node: RealmNode, _ property: String, _ target: ClassTable, _ links: ObjectMerger.Links
  ) throws -> ObjectID {
    if let position = target.resolved.primaryKeyIndex {
      return try links.object(try key(node, target.resolved.properties[position]), of: target)
    }
    guard case .object(let object) = node else {
      throw JSONProblem(
        0, "a link to \(PlainText.quoted(target.name)) must be an object, but is \(node.kind)")
    }
    guard let found = try self.links.find(object, of: target) else {
      throw UnknownTarget(className: target.name, name: object.referenceKey ?? "of these values")
    }
    if found.count > 1 {
      reader.note(
        "\(place), '\(property)': \(found.count) objects of class '\(target.name)' are equal and "
          + "have no primary key. The link leads to the first one.")
    }
    return try links.object(found.sourceID, of: target)
  }

  /// Returns the primary key of the object that a value leads to.
  private func key(_ node: RealmNode, _ property: CatalogProperty) throws -> PropertyValue {
    var node = node
    if case .object(let object) = node {
      if object.isReference {
        return try .value(object.referenceKey ?? "", for: property)
      }
      guard let member = try object.member(property.name) else {
        throw JSONProblem(
          0, "the linked object has no \(PlainText.quoted(property.name)), its primary key")
      }
      node = member
    }
    return try reader.value(node, of: property, { place }) { _ in .null }
  }
}
