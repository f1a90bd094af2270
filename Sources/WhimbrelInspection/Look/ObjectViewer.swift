internal import WhimbrelEngine

/// Looks into an object and what it links to.
struct ObjectViewer {
  /// How many objects at most are inside of each other: so deep is the call stack.
  private static let deepest = 100
  /// How many of the objects are named that link here by one property.
  private static let namedSources = 3

  private let session: Session
  private let tables: [ClassID: ClassTable]
  private let fanOut: Int
  /// The objects that have been looked into.
  private var seen: Set<ObjectReference> = []

  init(_ session: Session, fanOut: Int) {
    self.session = session
    self.fanOut = fanOut
    tables = session.tablesByID
  }

  /// Looks into the object that was asked for.
  mutating func view(_ id: ObjectID, in table: ClassTable, depth: Int) throws -> ObjectView {
    try view(id, in: table, Reach(depth: depth), incoming: incoming(id, table))
  }

  /// How far there is to go from an object.
  private struct Reach {
    /// How many links may still be followed.
    var depth: Int
    /// How many objects this one is inside of.
    var level = 0

    /// The reach from an object that this one links to; nil where that is not looked into.
    func next(to table: ClassTable) -> Reach? {
      guard level + 1 < ObjectViewer.deepest else { return nil }
      if table.resolved.isEmbedded { return Reach(depth: depth, level: level + 1) }
      return depth > 0 ? Reach(depth: depth - 1, level: level + 1) : nil
    }
  }

  /// - Parameter reach: nil when the object is not looked into.
  private mutating func view(
    _ id: ObjectID, in table: ClassTable, _ reach: Reach?, incoming: [ObjectView.Incoming] = []
  ) throws -> ObjectView {
    let reference = ObjectReference(classID: table.resolved.id, id: id)
    let isElsewhere = seen.contains(reference)
    var properties: [ObjectView.Property]?
    if let reach, !isElsewhere {
      seen.insert(reference)
      properties = try self.properties(id, table, reach)
    }
    return ObjectView(
      className: table.name, id: id, name: try table.objectName(id), key: table.primaryKey(of: id),
      properties: properties, isElsewhere: isElsewhere, incoming: incoming)
  }

  /// - Returns: nil for an object that is not there, as a damaged file may have it.
  private mutating func properties(
    _ id: ObjectID, _ table: ClassTable, _ reach: Reach
  ) throws -> [ObjectView.Property]? {
    guard let record = try table.record(id) else { return nil }
    try table.verify(record, id)
    var properties: [ObjectView.Property] = []
    for (position, property) in table.resolved.properties.enumerated() {
      let value: ObjectView.Value =
        if let element = property.type.elementType {
          .collection(try collection(position, element.type, of: id, table, reach))
        } else {
          try view(table.value(position, of: record, id), as: property.type, reach)
        }
      properties.append(ObjectView.Property(name: property.name, value: value))
    }
    return properties
  }
}

// MARK: - Values

extension ObjectViewer {
  private mutating func view(
    _ value: PropertyValue, as type: PropertyType, _ reach: Reach?
  ) throws -> ObjectView.Value {
    switch value {
    case .link(let id):
      let target = try session.table(type.linkedClass ?? "")
      return .object(try view(id, in: target, reach?.next(to: target)))
    case .object(let reference):
      guard let target = tables[reference.classID] else { return .object(reference.unknown) }
      return .object(try view(reference.id, in: target, reach?.next(to: target)))
    // Collections inside of others name objects and do not look into them.
    case .list(let elements):
      return .collection(
        ObjectView.Collection(
          kind: .list, count: elements.count,
          elements: try elements.prefix(fanOut).map {
            ObjectView.Element(name: nil, value: try view($0, as: .any, nil))
          }))
    case .map(let elements):
      let sorted = elements.sorted { $0.key.precedesInOrder($1.key) }
      return .collection(
        ObjectView.Collection(
          kind: .map, count: elements.count,
          elements: try sorted.prefix(fanOut).map { name, value in
            ObjectView.Element(name: name, value: try view(value, as: .any, nil))
          }))
    default: return .value(value)
    }
  }

  private mutating func collection(
    _ position: Int, _ element: PropertyType, of id: ObjectID, _ table: ClassTable, _ reach: Reach
  ) throws -> ObjectView.Collection {
    let kind = ObjectView.Collection.Kind(table.resolved.properties[position].type)
    let fanOut = fanOut
    let (count, first) = try table.readCollection(position, of: id) { reader in
      let first = try (0..<min(reader.count, fanOut)).map { index in
        (name: kind == .map ? try reader.name(at: index) : nil, value: try reader.value(at: index))
      }
      return (reader.count, first)
    }
    var elements: [ObjectView.Element] = []
    for (name, value) in first {
      elements.append(
        ObjectView.Element(name: name, value: try view(value, as: element, reach)))
    }
    return ObjectView.Collection(kind: kind, count: count, elements: elements)
  }

  /// What links to an object, in the order of the names.
  private mutating func incoming(
    _ id: ObjectID, _ table: ClassTable
  ) throws -> [ObjectView.Incoming] {
    let links = session.shown.links(to: table.name) + session.shown.openLinks
    var incoming: [ObjectView.Incoming] = []
    for (source, position) in links {
      let other = try session.table(source.name)
      let sources = try other.sources(position, linkingTo: id, of: table.resolved.id)
      if sources.isEmpty { continue }
      incoming.append(
        ObjectView.Incoming(
          className: source.name, property: source.properties[position].name,
          count: sources.count,
          objects: try sources.prefix(min(fanOut, Self.namedSources)).map {
            try view($0.id, in: other, nil)
          }))
    }
    return incoming.sorted { ($0.className, $0.property) < ($1.className, $1.property) }
  }
}

extension ObjectView.Collection.Kind {
  fileprivate init(_ type: PropertyType) {
    switch type {
    case .set: self = .set
    case .map: self = .map
    default: self = .list
    }
  }
}

extension ObjectReference {
  /// What stands for an object of a class that a damaged file does not have.
  fileprivate var unknown: ObjectView {
    ObjectView(
      className: "class \(classID.rawValue), which is not there", id: id,
      name: ClassTable.name(of: id), key: nil,
      properties: nil, isElsewhere: false, incoming: [])
  }
}
