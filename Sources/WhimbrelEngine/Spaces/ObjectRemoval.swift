internal import WhimbrelLMDB

/// A removal of several objects, of any classes.
///
/// An index tells which objects have a collection with a link, but not where in the collection the
/// link is. So collections are searched at the end, once for all removed objects. So are values of
/// any type, which may be lists and maps.
struct ObjectRemoval {
  /// Whether anything has changed.
  private(set) var hasBegun = false
  /// The collections and values of any type that still have links to removed objects.
  private var collections: [Place: Set<ObjectReference>] = [:]
  private var linkCount = 0
  /// The properties that may link to objects of the class whose object was removed last.
  private var links: (table: ClassTable, properties: [LoadedCatalog.LinkProperty])?

  /// The maximum number of links that are kept in memory.
  private static let limit = 1 << 16

  /// A property of an object.
  private struct Place: Hashable {
    let table: ClassTable
    let id: ObjectID
    let position: Int
  }

  /// Removes an object, if it exists, and the embedded objects that belong to it.
  mutating func remove(_ id: ObjectID, of table: ClassTable) throws {
    // Long chains of embedded objects are followed in this loop, and not by recursion.
    var waiting = try removeAlone(id, of: table)
    while let (table, id) = waiting.popLast() { waiting += try removeAlone(id, of: table) }
    if linkCount >= Self.limit { try finish() }
  }

  /// Removes an object, if it exists, and returns the embedded objects that belong to it.
  private mutating func removeAlone(
    _ id: ObjectID, of table: ClassTable
  ) throws -> [(table: ClassTable, id: ObjectID)] {
    guard let record = try table.storedRecordToChange(id) else { return [] }
    let children = try table.children(of: record, id)
    try table.apply(RecordChange(id, from: record, to: nil))
    hasBegun = true
    table.didWrite()
    try removeLinks(to: id, of: table)
    return children
  }

  /// Removes the links to removed objects from collections and values of any type.
  mutating func finish() throws {
    let places = collections.sorted { left, right in
      (left.key.table.resolved.id.rawValue, left.key.id, left.key.position)
        < (right.key.table.resolved.id.rawValue, right.key.id, right.key.position)
    }
    (collections, linkCount) = ([:], 0)
    // The owner of a collection may have been removed, too.
    for (place, targets) in places where try place.table.contains(place.id) {
      try place.table.removeLinks(place.position, of: place.id, to: targets)
    }
  }

  private mutating func linkProperties(to table: ClassTable) -> [LoadedCatalog.LinkProperty] {
    if let links, links.table === table { return links.properties }
    let shown = table.session.shown
    let properties = shown.links(to: table.name) + shown.openLinks
    links = (table, properties)
    return properties
  }

  /// Removes the links to a removed object. Notes those that ``finish()`` removes.
  private mutating func removeLinks(to id: ObjectID, of table: ClassTable) throws {
    let properties = linkProperties(to: table)
    if properties.isEmpty { return }
    let target = ObjectReference(classID: table.resolved.id, id: id)
    for (source, position) in properties {
      let source = try table.session.table(source.name)
      let type = source.resolved.properties[position].type
      for (object, _) in try source.sources(position, linkingTo: id, of: table.resolved.id) {
        if type.isCollection || type == .any {
          let place = Place(table: source, id: object, position: position)
          if collections[place, default: []].insert(target).inserted { linkCount += 1 }
        } else {
          try source.update(object) { encoder throws in encoder.setNull(position) }
        }
      }
    }
  }
}

extension ClassTable {
  /// Returns the embedded objects that belong to an object.
  fileprivate func children(
    of record: PageBytes, _ id: ObjectID
  ) throws -> [(table: ClassTable, id: ObjectID)] {
    var children: [(ClassTable, ObjectID)] = []
    for position in ownedLinks {
      guard let target = resolved.properties[position].type.linkedClass else { continue }
      let table = try session.table(target)
      for case .object(let child) in try value(position, of: record, id).linkTargets {
        children.append((table, child))
      }
    }
    return children
  }

  /// Removes the links to objects from a property that is a collection or has any type.
  fileprivate func removeLinks(
    _ position: Int, of id: ObjectID, to targets: Set<ObjectReference>
  ) throws {
    guard case .any = resolved.properties[position].type else {
      return try editCollection(position, of: id) { editor in try editor.removeAll(targets) }
    }
    guard let record = try record(id) else { return }
    let value = AnyCoding.removing(targets, from: try value(position, of: record, id))
    try update(id) { encoder in try encoder.set(position, value) }
  }
}
