internal import WhimbrelLMDB

/// The new objects of one class in a migration, as typed objects of the block see them.
///
/// A new object may be in the encoder of its ``ClassRewrite``, in the new table, or in the old one.
/// The rewrite finds it.
final class NewObjectTable: ClassTable {
  let rewrite: ClassRewrite

  init(_ rewrite: ClassRewrite, in session: Session) {
    self.rewrite = rewrite
    super.init(rewrite.resolved, .none, in: session, as: .elsewhere)
  }

  override func record(_ id: ObjectID) throws -> PageBytes? { try rewrite.currentRecord(id) }

  override func overflow(of id: ObjectID) -> Overflow { rewrite.currentOverflow(id) }

  override func primaryKey(of id: ObjectID) -> PropertyValue? {
    rewrite.primaryKey(id) ?? rewrite.oldPrimaryKey(id)
  }

  override func find(_ key: PropertyValue) throws -> ObjectID? {
    try session.requireOpen()
    return try rewrite.object(forPrimaryKey: key)?.id
  }

  override func findRecord(_ key: PropertyValue) throws -> (id: ObjectID, record: PageBytes)? {
    guard let id = try find(key), let record = try record(id) else { return nil }
    return (id, record)
  }

  override func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [(id: ObjectID, count: Int)] {
    try rewrite.sources(position, linkingTo: target, of: classID).map { ($0, 1) }
  }

  override func linkState(_ id: ObjectID) throws -> LinkState { try rewrite.linkState(id) }

  override func takeObjectID() throws -> ObjectID { try rewrite.takeObjectID(nil) }

  override func takeObjectID(forKey key: Int64) throws -> ObjectID {
    try rewrite.takeObjectID(.int(key))
  }

  override func insertEncoded(_ id: ObjectID) throws {
    _ = try session.requireWriting("add an object")
    try rewrite.insert(id, &encoder)
  }

  override func replaceEncoded(_ id: ObjectID) throws {
    let pending = encoder.overflow()
    let values = try resolved.properties.indices.map { position in
      try resolved.written.value(position, of: encoder.bytes, pending)
    }
    try update(id) { record in
      for (position, value) in values.enumerated() { try record.set(position, value) }
    }
  }

  override func update(
    _ id: ObjectID, at position: Int? = nil, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    try rewrite.migrator.requireRunning()
    try rewrite.update(id, at: position, change)
  }

  override func set(
    _ id: ObjectID, at position: Int, _ change: (inout RecordEncoder) throws -> Void
  ) throws -> PageBytes? {
    try update(id, at: position, change)
    return nil
  }

  override func recordToChange(_ id: ObjectID) throws -> PageBytes? { try record(id) }

  override func editCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    _ = try session.requireWriting("change a collection")
    return try rewrite.change(position, of: id, body)
  }

  override func remove(_ id: ObjectID) throws {
    _ = try session.requireWriting("delete an object")
    try rewrite.delete(id)
  }

  override func removeEach(_ next: () -> ObjectID?) throws {
    while let id = next() {
      if try contains(id) { try remove(id) }
    }
  }

  override var canAppend: Bool { false }
}
