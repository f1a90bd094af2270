package import WhimbrelLMDB

extension ClassTable {
  /// Calls `body` with a reader of a collection of an object.
  package func readCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    let reader = try collectionReader(position, of: id)
    return try explaining(id) { try body(reader) }
  }

  /// Returns a reader of a collection of an object. It is valid as long as the epoch of the
  /// session.
  package func collectionReader(_ position: Int, of id: ObjectID) throws -> CollectionReader {
    try withSession { try $0.requireOpen() }
    guard let record = try record(id) else {
      throw resolved.deleted(id)
    }
    return try collectionReader(position, of: id, in: record)
  }

  /// Returns a reader of a collection in the record that a row has. It is valid as long as the epoch
  /// of the session.
  package func collectionReader(
    _ position: Int, of id: ObjectID, in record: PageBytes
  ) throws -> CollectionReader {
    if let latestReader, latestReader.id == id, latestReader.position == position,
      latestReader.epoch == clock.value
    {
      return latestReader.reader
    }
    let reader = try explaining(id) {
      try CollectionReader(position, of: record, in: resolved, overflow(of: id))
    }
    latestReader = LatestReader(id: id, position: position, epoch: clock.value, reader: reader)
    return reader
  }

  /// The reader of the collection that was read last: code often asks an object for the same
  /// collection again.
  struct LatestReader {
    let id: ObjectID
    let position: Int
    /// The epoch in which the reader is valid.
    let epoch: UInt64
    let reader: CollectionReader
  }
}

extension ClassTable: CollectionHost {
  func recordForChange(_ id: ObjectID) throws -> PageBytes {
    guard let record = try record(id) else {
      throw resolved.deleted(id)
    }
    return record
  }

  func overflowWriter(_ id: ObjectID) throws -> OverflowWriter {
    try records.overflowWriter(of: id, in: session.requireWriting("change a collection"))
  }

  func didEditStored(_ position: Int, of id: ObjectID, _ links: LinkChanges) throws {
    session.didWrite()
    records.counts?.didChange(position)
    let links = links.sums()
    if links.isEmpty { return }
    let view = try session.requireWriting("change a collection")
    let released = try changeLinks(position, of: id, by: links, view)
    if ownedLinks.contains(position) { try removeChildren(released, position) }
  }

  func ownerCheck(_ position: Int) throws -> ((ObjectID, Int) throws -> Void)? {
    guard ownedLinks.contains(position),
      let target = resolved.properties[position].type.linkedClass
    else { return nil }
    let table = try session.table(target)
    let (name, property) = (name, resolved.properties[position].name)
    return { id, difference in
      if try table.linkCount(to: id) + difference > 0 {
        throw StoreError.embeddedHasOwner(class: target, objectID: id)
          .linked(from: property, of: name)
      }
    }
  }
}
