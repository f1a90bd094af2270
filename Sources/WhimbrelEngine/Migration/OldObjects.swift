internal import WhimbrelLMDB

/// The old objects of a class, which can only be read.
final class OldObjects: DynamicSource {
  private let owner: MigrationClass
  let resolved: ResolvedClass
  // Safe: a migration runs on one thread, and nothing else is done while this is changed.
  @safe @exclusivity(unchecked) private var cachedRecord: PageBytes?
  /// What reads records of the layout that the last one had, and which these are.
  @safe @exclusivity(unchecked) private var reader: PlainReader?
  @safe @exclusivity(unchecked) private var outline: RecordOutline?
  // Object and batch apart, which are compared with each access.
  @safe @exclusivity(unchecked) private var cachedID = ObjectID(rawValue: 0)
  @safe @exclusivity(unchecked) private var cachedBatch = -1

  init(_ owner: MigrationClass) {
    self.owner = owner
    resolved = owner.old ?? owner.resolved
  }

  /// Keeps a record at hand that is about to be asked for.
  func prepare(_ id: ObjectID, _ record: PageBytes) throws {
    if outline?.fits(record) != true {
      let layout = try owner.layout(of: record, id, in: resolved)
      (reader, outline) = (layout.plainReader, RecordOutline(layout))
    }
    cachedRecord = record
    (cachedID, cachedBatch) = (id, owner.migrator.batch)
  }

  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    try owner.migrator.requireRunning()
    if cachedID == id, cachedBatch == owner.migrator.batch, let record = cachedRecord {
      if let value = reader?.value(position, of: record) { return value }
      return try value(position, of: record, id)
    }
    guard let table = owner.oldTable,
      let record = try owner.migrator.oldView.value(table, id.rawValue)
    else { throw resolved.deleted(id) }
    try prepare(id, record)
    return try value(position, of: record, id)
  }

  private func value(
    _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    let layout = try owner.layout(of: record, id, in: resolved)
    return try owner.explaining(id) {
      try layout.value(position, of: record, owner.oldExtents(id))
    }
  }

  private func refusal(_ id: ObjectID) -> StoreError {
    StoreError.oldObjectIsReadOnly(
      class: resolved.name, objectID: id, primaryKey: owner.oldPrimaryKey(id))
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    throw refusal(id)
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try owner.migrator.requireRunning()
    guard let table = owner.oldTable,
      let record = try owner.migrator.oldView.value(table, id.rawValue)
    else { throw resolved.deleted(id) }
    return try owner.explaining(id) {
      let reader = try CollectionReader(
        position, of: record, in: resolved, owner.oldExtents(id))
      return try body(reader)
    }
  }

  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue? { value }

  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    throw refusal(id)
  }

  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    try owner.migrator.requireRunning()
    try owner.migrator.requireSoundPages()
    guard let index = owner.oldIndexes[position] else { return [] }
    return try resolved.sources(
      position, linkingTo: target, of: classID, in: index, owner.migrator.oldView
    ).map(\.id)
  }

  /// The old object with a primary key, or nil.
  func object(forPrimaryKey key: PropertyValue) throws -> DynamicObject? {
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: resolved.name)
    }
    try resolved.requireKey(key)
    try owner.migrator.requireSoundPages()
    guard let id = try find(key, position), let table = owner.oldTable,
      let record = try owner.migrator.oldView.value(table, id.rawValue)
    else { return nil }
    try owner.verify(record, id)
    try prepare(id, record)
    // Long texts share a key when their hashes agree: look at the object itself.
    guard try value(position, of: id) == key else { return nil }
    return DynamicObject(self, id)
  }

  private func find(_ key: PropertyValue, _ position: Int) throws -> ObjectID? {
    if resolved.isClustered {
      guard case .int(let number) = key else { return nil }
      return ObjectID(clusteredKey: number)
    }
    guard let keys = owner.oldKeyTable, key.mayBeKey(as: resolved.properties[position].type)
    else { return nil }
    let bytes = KeyEncoding.encoding(of: key, isOptional: false)
    guard let entry = try owner.migrator.oldView.value(keys, bytes), entry.count == 8 else {
      return nil
    }
    return ObjectID(rawValue: UInt64(littleEndian: entry.load(UInt64.self, at: 0)))
  }

  func source(of className: String) throws -> any DynamicSource {
    // An old name may be that of a class which has another now.
    OldObjects(try owner.migrator.requireClass(className) { $0.old != nil })
  }

  func name(of classID: ClassID) throws -> String {
    let entry = try owner.migrator.requireClass(classID)
    return entry.old?.name ?? entry.name
  }

  func note(_ error: any Error) {
    owner.note(error)
  }

  func session(writing id: ObjectID) throws -> Session { throw refusal(id) }

  // An old object stands for the new one that it became.
  func isLinkable(in session: Session) -> Bool { session.side?.migrator === owner.migrator }
}
