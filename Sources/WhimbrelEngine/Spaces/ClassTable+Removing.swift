internal import WhimbrelLMDB

extension ClassTable {
  /// The embedded objects that belong to an object.
  func children(
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

  /// Takes an object that is gone out of everything that leads to it.
  func removeLinks(to id: ObjectID) throws {
    let reference = ObjectReference(classID: resolved.id, id: id)
    for (source, position) in session.shown.links(to: name) + session.shown.openLinks {
      let table = try session.table(source.name)
      for (object, _) in try table.sources(position, linkingTo: id, of: resolved.id) {
        try table.removeLink(position, of: object, to: reference)
      }
    }
  }

  /// Takes an object out of a property of another.
  private func removeLink(
    _ position: Int, of id: ObjectID, to target: ObjectReference
  ) throws {
    switch resolved.properties[position].type {
    case .link:
      try update(id) { encoder throws in encoder.setNull(position) }
    case .any:
      guard let record = try record(id) else { return }
      let value = AnyCoding.removing(target, from: try value(position, of: record, id))
      try update(id) { encoder in try encoder.set(position, value) }
    default:
      try editCollection(position, of: id) { editor in try editor.removeAll(target) }
    }
  }

  /// Removes an object, its index entries and its overflow, and leaves links alone.
  func removeRecord(_ id: ObjectID) throws {
    guard let record = try storedRecord(id, in: session.view) else {
      throw resolved.deleted(id)
    }
    try apply(RecordChange(id, from: record, to: nil))
    session.didWrite()
  }

  /// Removes every object, and what belongs to them; links that lead to them become
  /// nil, and elements of collections go.
  package func removeAll() throws {
    _ = try session.requireWriting("delete all objects")
    if resolved.entry.isMissing { return }
    try emptyCollections()
    let isLinkedTo = session.shown.links(to: name).contains { $0.source.name != name }
    if isLinkedTo || !ownedLinks.isEmpty || !session.shown.openLinks.isEmpty {
      for id in try objectIDs() where try contains(id) { try remove(id) }
    } else {
      try empty()
    }
  }

  /// Empties all collections of links to the class: each of its objects would
  /// else be looked for in them.
  private func emptyCollections() throws {
    for (source, position) in session.shown.links(to: name)
    where source.properties[position].type.isCollection {
      let table = try session.table(source.name)
      for id in try table.sources(position) where try table.contains(id) {
        try table.editCollection(position, of: id) { editor in
          try editor.removeSubrange(0..<editor.count())
        }
      }
    }
  }

  /// The objects that link to others through a property.
  private func sources(_ position: Int) throws -> Set<ObjectID> {
    guard let index = indexes[position] else { return [] }
    var sources: Set<ObjectID> = []
    let cursor = try session.view.cursor(index)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let key = cursor.key
      if key.count >= 8 {
        sources.insert(ObjectID(rawValue: key.loadBigEndian(at: key.count - 8)))
      }
      isInside = try cursor.move(to: .next)
    }
    return sources
  }

  /// Empties the tables of the class at once.
  private func empty() throws {
    let view = try session.requireWriting("delete all objects")
    try records.empty(in: view)
    session.didWrite()
  }
}
