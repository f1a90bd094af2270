internal import WhimbrelLMDB

extension ClassTable {
  /// Calls `body` with what reads a collection of an object.
  package func readCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    let reader = try collectionReader(position, of: id)
    return try explaining(id) { try body(reader) }
  }

  /// What reads a collection of an object. It is valid as long as the generation of
  /// the session stays.
  package func collectionReader(_ position: Int, of id: ObjectID) throws -> CollectionReader {
    try session.requireOpen()
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return try explaining(id) {
      try CollectionReader(position, of: record, in: resolved, extents(of: id))
    }
  }

  /// Changes a collection of an object.
  package func editCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    _ = try session.requireWriting("change a collection")
    return try edit(position, of: id, body)
  }
}

extension ClassTable: CollectionHost {
  func recordForChange(_ id: ObjectID) throws -> PageBytes {
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return record
  }

  func extentWriter(_ id: ObjectID) throws -> ExtentWriter {
    extentWriter(try session.requireWriting("change a collection"), id)
  }

  func didEditStored(_ position: Int, of id: ObjectID, _ links: [LinkTarget: Int]) throws {
    session.didWrite()
    let changes = links.filter { $0.value != 0 }
    if changes.isEmpty { return }
    let isOwning = ownedLinks.contains(position)
    if isOwning { try requireNoParents(changes, position, of: id) }
    let view = try session.requireWriting("change a collection")
    let released = try changeLinks(position, of: id, by: changes, view)
    if isOwning { try removeChildren(released, position) }
  }

  private func requireNoParents(
    _ links: [LinkTarget: Int], _ position: Int, of id: ObjectID
  ) throws {
    let gained = links.filter { $0.value > 0 }
    try requireNoParents(
      gained.map { IndexEntry($0.key, from: id, count: $0.value) }, position)
    guard let index = indexes[position] else { return }
    for case .object(let child) in gained.keys {
      let key = IndexEntry(.object(child), from: id, count: 1).key
      guard try session.view.value(index, key) == nil else {
        let name = resolved.properties[position].type.linkedClass ?? name
        throw StoreError.embeddedHasParent(class: name, objectID: child)
      }
    }
  }
}
