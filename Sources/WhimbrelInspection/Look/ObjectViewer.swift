internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A builder of the view of an object.
struct ObjectViewer {
  /// The limit of nested objects. It bounds the depth of the recursion.
  private static let deepest = 100
  /// The limit of named objects per incoming property.
  private static let namedSources = 3

  private let session: Session
  private let tables: [ClassID: ClassTable]
  private let fanOut: Int
  /// The objects whose properties are in the view already.
  private var seen: Set<ObjectReference> = []

  init(_ session: Session, fanOut: Int) {
    self.session = session
    self.fanOut = fanOut
    tables = session.tablesByID
  }

  /// Returns the view of the requested object.
  mutating func view(_ id: ObjectID, in table: ClassTable, depth: Int) throws -> ObjectView {
    try view(id, in: table, Reach(depth: depth), incoming: incoming(id, table))
  }

  /// The remaining depth at an object.
  private struct Reach {
    /// The number of links that may still be followed.
    var depth: Int
    /// The number of enclosing objects.
    var level = 0

    /// Returns the reach for a linked object, or nil if it is only named.
    func next(to table: ClassTable) -> Reach? {
      guard level + 1 < ObjectViewer.deepest else { return nil }
      if table.resolved.isEmbedded { return Reach(depth: depth, level: level + 1) }
      return depth > 0 ? Reach(depth: depth - 1, level: level + 1) : nil
    }
  }

  /// - Parameter reach: The remaining depth, or nil if the object is only named.
  private mutating func view(
    _ id: ObjectID, in table: ClassTable, _ reach: Reach?, incoming: [ObjectView.Incoming] = []
  ) throws -> ObjectView {
    let reference = ObjectReference(classID: table.resolved.id, id: id)
    let isElsewhere = seen.contains(reference)
    var properties: [ObjectView.Property]?
    var version: SchemaVersion?
    if let reach, !isElsewhere, let stored = try table.record(id) {
      seen.insert(reference)
      try table.verify(stored, id)
      let (reader, record) = try table.reading(stored, id)
      properties = try self.properties(id, record, reader, reach)
      version = reader.pastVersion
    }
    return ObjectView(
      className: table.name, id: id, name: try table.objectName(id), key: table.primaryKey(of: id),
      version: version, properties: properties, isElsewhere: isElsewhere, incoming: incoming)
  }

  private mutating func properties(
    _ id: ObjectID, _ record: PageBytes, _ table: ClassTable, _ reach: Reach
  ) throws -> [ObjectView.Property] {
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
      guard let target = session.find(type.linkedClass ?? "") else {
        return .object(ObjectView(nameless: id, ofLostClass: type.linkedClass ?? ""))
      }
      return .object(try view(id, in: target, reach?.next(to: target)))
    case .object(let reference):
      guard let target = tables[reference.classID] else { return .object(reference.unknown) }
      return .object(try view(reference.id, in: target, reach?.next(to: target)))
    // Objects in nested collections are only named.
    case .list(let elements):
      return .collection(
        ObjectView.Collection(
          kind: .list, count: elements.count,
          elements: try elements.prefix(fanOut).map {
            ObjectView.Element(name: nil, value: try view($0, as: .any, nil))
          }))
    case .map(let elements):
      return .collection(
        ObjectView.Collection(
          kind: .map, count: elements.count,
          elements: try elements.inDumpOrder.prefix(fanOut).map { name, value in
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

  /// Returns the links to an object, sorted by class and property.
  private mutating func incoming(
    _ id: ObjectID, _ table: ClassTable
  ) throws -> [ObjectView.Incoming] {
    var incoming: [ObjectView.Incoming] = []
    for (source, position) in session.incomingLinks(of: table) {
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
    return incoming
  }
}

extension ObjectView.Collection.Kind {
  init(_ type: PropertyType) {
    switch type {
    case .set: self = .set
    case .map: self = .map
    default: self = .list
    }
  }
}

extension ObjectReference {
  /// The view of an object whose class is missing from a damaged file.
  fileprivate var unknown: ObjectView {
    ObjectView(nameless: id, ofLostClass: "class \(classID.rawValue)")
  }
}

extension ObjectView {
  /// Creates the view of an object whose class is missing from the file.
  fileprivate init(nameless id: ObjectID, ofLostClass name: String) {
    self.init(
      className: "\(name), which does not exist", id: id, name: ClassTable.name(of: id), key: nil,
      version: nil, properties: nil, isElsewhere: false, incoming: [])
  }
}
