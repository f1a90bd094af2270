internal import WhimbrelLMDB

/// The old objects of a class, whose properties are read by name.
final class OldObjects: DynamicSource {
  private let old: OldSpace
  private let owner: ClassRewrite
  // Safe: a migration runs on one thread, and nothing else is done while this is changed.
  @safe @exclusivity(unchecked) private var cachedRecord: PageBytes?
  /// The reader of records with the layout of the last one.
  @safe @exclusivity(unchecked) private var reader: PlainReader?
  @safe @exclusivity(unchecked) private var outline: RecordOutline?
  // The object and the batch are kept apart, because each access compares them.
  @safe @exclusivity(unchecked) private var cachedID = ObjectID(rawValue: 0)
  @safe @exclusivity(unchecked) private var cachedBatch = -1

  var resolved: ResolvedClass { old.resolved }

  init(_ old: OldSpace, of owner: ClassRewrite) {
    self.old = old
    self.owner = owner
  }

  /// Caches a record that is about to be read.
  func prepare(_ id: ObjectID, _ record: PageBytes) throws {
    if outline?.fits(record) != true {
      let layout = try owner.explaining(id) { try old.resolved.requiredLayout(of: record) }
      (reader, outline) = (layout.plainReader, RecordOutline(layout))
    }
    cachedRecord = record
    (cachedID, cachedBatch) = (id, old.batch)
  }

  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    try owner.migrator.requireRunning()
    if cachedID == id, cachedBatch == old.batch, let record = cachedRecord {
      if let value = reader?.value(position, of: record) { return value }
      return try owner.explaining(id) { try old.value(position, of: record, id) }
    }
    try prepare(id, try requiredRecord(id))
    return try value(position, of: id)
  }

  private func requiredRecord(_ id: ObjectID) throws -> PageBytes {
    let found = try owner.explaining(id) { try old.soundRecord(id) }
    guard let found else { throw resolved.deleted(id) }
    return found
  }

  private func refusal(_ id: ObjectID) -> StoreError {
    StoreError.oldObjectIsReadOnly(
      class: resolved.name, objectID: id, primaryKey: old.primaryKey(id))
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    throw refusal(id)
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try owner.migrator.requireRunning()
    let record = try requiredRecord(id)
    return try owner.explaining(id) {
      try body(CollectionReader(position, of: record, in: resolved, old.overflow(of: id)))
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
    return try old.sources(position, linkingTo: target, of: classID)
  }

  /// Returns the old object with a primary key, or nil.
  func object(forPrimaryKey key: PropertyValue) throws -> DynamicObject? {
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: resolved.name)
    }
    guard let id = try old.find(key), let record = try old.record(id) else { return nil }
    try owner.explaining(id) { try old.verify(record, id) }
    try prepare(id, record)
    guard try value(position, of: id) == key else { return nil }
    return DynamicObject(self, id)
  }

  func source(of className: String) throws -> any DynamicSource {
    // The class with an old name may have a new one.
    try owner.migrator.requireClass(className) { $0.old != nil }.oldObjects()
  }

  func name(of classID: ClassID) throws -> String {
    let entry = try owner.migrator.requireClass(classID)
    return entry.old?.name ?? entry.name
  }

  func note(_ error: any Error) { owner.note(error) }

  func session(writing id: ObjectID) throws -> Session { throw refusal(id) }

  // An old object stands for the new one that it became.
  var home: AnyObject { owner.migrator }
}

extension ClassRewrite {
  /// Returns the old objects, whose properties are read by name.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` when the class is new, and with
  ///   `transitionNeedsRule` if its objects are not yet converted.
  func oldObjects() throws -> OldObjects {
    guard let old else {
      throw StoreError.unknownClass(
        class: name, known: migrator.classes.compactMap { $0.old?.name })
    }
    try requireConverted()
    return OldObjects(old, of: self)
  }
}
