package import WhimbrelLMDB

/// The objects of one class, as one session sees them.
///
/// Invariants, which ``IntegrityCheck`` verifies:
/// 1. Every record has a layout of the class, its full size, and its checksum.
/// 2. The key index has exactly one entry for each object, or the object IDs are
///    the keys.
/// 3. Each index has exactly one entry for each object, that of its value or its values;
///    those of links leave nil out, and full-text ones have one for each word.
/// 4. Every link leads to an object that exists, and to each embedded object
///    leads exactly one; values of any type lead to none.
/// 5. The overflow are those that records speak of, each with its checksum.
/// 6. No two objects have the same values in a unique index, unless one is nil.
@safe
package final class ClassTable {
  package let resolved: ResolvedClass
  // Safe: a session owns its tables; who keeps one keeps the session too.
  private unowned(unsafe) let owner: Session
  package let objects: Table
  let keys: Table?
  /// By the position of the property.
  let indexes: [Int: Table]
  /// The indexes of several properties, and the unique and full-text ones.
  package let classIndexes: [TableIndex]
  /// What does not fit into records.
  /// A file of format 1, which is only read, has none.
  package let overflowTable: Table?
  /// The same tables, as changes of objects keep them.
  let records: RecordTables
  /// Whether there are values that no two objects may have.
  let hasUniqueIndexes: Bool
  /// The positions of the links to embedded objects.
  package let ownedLinks: [Int]
  /// The new objects of a migration, if the table shows those: they are read and written
  /// through it, and the tables here are not used.
  let migration: ClassRewrite?
  /// The same, without counting references.
  // Safe: it is used by methods only, which keep the table, and `migration` with it.
  @safe let unsafeMigration: Unmanaged<ClassRewrite>?
  /// Whether the table shows the new objects of a migration.
  package let isOfMigration: Bool

  /// The encoder that writes share; valid for one write at a time.
  // Safe: it is used by one call after the other, on one thread; the check of
  // that would cost more than the stores it guards.
  @safe @exclusivity(unchecked) package var encoder: RecordEncoder
  /// The encoder that changes of objects share.
  // Safe: as above.
  @safe @exclusivity(unchecked) var changes: RecordEncoder
  /// The object whose changed record is in ``changes`` and not yet written; the cursor is at its
  /// record.
  // Safe: as above.
  @safe @exclusivity(unchecked) var changing: ObjectID?
  /// What a damaged record reads as: a record whose slots are all zero.
  private let emptyBuffer: ByteBuffer
  var nextObjectID: UInt64?
  /// Embedded objects that this write has added: each must have a parent when it ends.
  var added: Set<ObjectID> = []

  package var name: String { resolved.name }
  package var session: Session { unsafe owner }

  init(_ resolved: ResolvedClass, in session: Session, handles: [String: Table]) throws {
    let entry = resolved.entry
    func handle(_ name: TableName) throws -> Table {
      if entry.isMissing { return .none }
      guard let table = handles[name.name] else {
        throw StoreError.damaged(
          path: session.file.path,
          detail: "the table '\(name.name)' of class '\(entry.name)' is missing")
      }
      return table
    }
    self.resolved = resolved
    unsafe owner = session
    migration = nil
    unsafeMigration = nil
    isOfMigration = false
    objects = try handle(TableNames.objects(entry.id, entry.generation))
    let overflow = TableNames.overflow(entry.id, entry.generation)
    let hasOverflow = session.loaded.header.formatVersion >= 2
    overflowTable = hasOverflow ? try handle(overflow) : handles[overflow.name]
    ownedLinks = resolved.links.filter { position in
      let target = entry.properties[position].type.linkedClass ?? ""
      return session.shown[target]?.isEmbedded == true
    }
    let opened = try resolved.openIndexes(handle)
    var indexes: [Int: Table] = [:]
    for index in opened {
      if case .property(let position) = index.subject { indexes[position] = index.table }
    }
    self.indexes = indexes
    keys = opened.first(where: \.isOfKey)?.table
    classIndexes = opened.filter { $0.values != nil }
    records = RecordTables(resolved, objects, overflow: overflowTable, opened)
    hasUniqueIndexes = opened.contains(where: \.isUnique)
    encoder = RecordEncoder(resolved)
    encoder.begin()
    changes = RecordEncoder(resolved)
    emptyBuffer = ByteBuffer(encoder.bytes.array)
  }

  /// Makes the table of the new objects of a migration.
  init(_ migration: ClassRewrite, in session: Session) {
    self.migration = migration
    unsafeMigration = unsafe .passUnretained(migration)
    isOfMigration = true
    resolved = migration.resolved
    unsafe owner = session
    objects = .main
    keys = nil
    indexes = [:]
    classIndexes = []
    overflowTable = nil
    ownedLinks = []
    records = RecordTables(resolved, .main, overflow: nil)
    hasUniqueIndexes = false
    encoder = RecordEncoder(resolved)
    encoder.begin()
    changes = RecordEncoder(resolved)
    emptyBuffer = ByteBuffer(encoder.bytes.array)
  }
}

// MARK: - Reading

extension ClassTable {
  /// How many objects there are.
  ///
  /// - Complexity: O(1).
  package func count() throws -> Int {
    try session.requireOpen()
    return try session.view.count(objects)
  }

  /// The record of an object, checked for its size, or nil.
  ///
  /// - Complexity: O(log *n*).
  package func record(_ id: ObjectID) throws -> PageBytes? {
    if let migration { return try migration.currentRecord(id) }
    guard let record = try session.view.value(objects, id.rawValue) else { return nil }
    _ = try layout(of: record, id)
    return record
  }

  /// The layout of a record, which is known to fit into it.
  @inline(__always)
  package func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    if let layout = resolved.layout(of: record) { return layout }
    throw damagedRecord(id, ResolvedClass.unknownLayout)
  }

  /// What of an object lies outside of its record.
  package func overflow(of id: ObjectID) -> Overflow {
    if let migration { return migration.currentOverflow(id) }
    return overflowTable.map { Overflow(session.view, $0, id) } ?? .none
  }

  package var emptyRecord: PageBytes { emptyBuffer.bytes }

  package func damagedRecord(_ id: ObjectID, _ detail: String) -> StoreError {
    StoreError.damaged(
      path: session.file.path,
      detail:
        "\(Sentence.object(id, resolved.key(of: id))) of class '\(name)' cannot be read: \(detail)"
    )
  }

  /// The primary key of an object, for messages.
  package func primaryKey(of id: ObjectID) -> PropertyValue? {
    if let migration { return migration.primaryKey(id) ?? migration.oldPrimaryKey(id) }
    if let key = resolved.key(of: id) { return key }
    guard let position = resolved.primaryKeyIndex, let record = try? record(id) else { return nil }
    return try? value(position, of: record, id)
  }

  /// The primary keys of objects, as far as they are known, for messages.
  func primaryKeys(_ ids: [ObjectID]) -> [ObjectID: PropertyValue] {
    var keys: [ObjectID: PropertyValue] = [:]
    for id in ids { keys[id] = primaryKey(of: id) }
    return keys
  }

  /// The IDs of all objects, in order.
  ///
  /// - Complexity: O(*n*).
  package func objectIDs() throws -> [ObjectID] {
    try session.requireOpen()
    var ids: [ObjectID] = []
    ids.reserveCapacity(try count())
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside {
      ids.append(ObjectID(rawValue: cursor.integerKey))
      isInside = try cursor.move(to: .next)
    }
    return ids
  }

  /// The IDs of the first objects.
  package func firstObjectIDs(_ limit: Int) throws -> [ObjectID] {
    try session.requireOpen()
    var ids: [ObjectID] = []
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside, ids.count < limit {
      ids.append(ObjectID(rawValue: cursor.integerKey))
      isInside = try cursor.move(to: .next)
    }
    return ids
  }

  /// The ID of the first or last object, or nil.
  package func objectID(at step: Cursor.Step) throws -> ObjectID? {
    try session.requireOpen()
    let cursor = try session.view.cursor(objects)
    return try cursor.move(to: step) ? ObjectID(rawValue: cursor.integerKey) : nil
  }

  /// Checks the checksums of a record and of what belongs to it.
  package func verify(_ record: PageBytes, _ id: ObjectID) throws {
    try explaining(id) {
      try resolved.verify(record, id, overflow(of: id))
    }
  }

  /// Calls `body`, and names the object in what it says of its record.
  package func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DamagedRecord {
      throw damagedRecord(id, error.detail)
    } catch let error as DamagedCollection {
      throw damagedRecord(id, "\(error)")
    }
  }

  /// The value of a property of a record.
  package func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue
  {
    let layout = try layout(of: record, id)
    return try explaining(id) { try layout.value(position, of: record, overflow(of: id)) }
  }

  /// Throws unless a value is one that the primary key may have, by its type.
  ///
  /// - Throws: ``StoreError`` with `noPrimaryKey` or `wrongType`.
  package func requireKey(_ key: PropertyValue) throws { try resolved.requireKey(key) }

  /// The object with a primary key, or nil.
  package func find(_ key: PropertyValue) throws -> ObjectID? {
    try session.requireOpen()
    if let migration { return try migration.object(forPrimaryKey: key)?.id }
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: name)
    }
    if resolved.isClustered {
      guard case .int(let number) = key else { return nil }
      let id = ObjectID(clusteredKey: number)
      return try session.view.value(objects, id.rawValue) == nil ? nil : id
    }
    // Encodings of two types may be the same bytes.
    guard let keys, key.mayBeKey(as: resolved.properties[position].type) else { return nil }
    let bytes = KeyEncoding.encoding(of: key, isOptional: false)
    guard let entry = try session.view.value(keys, bytes), entry.count == 8 else { return nil }
    let id = ObjectID(rawValue: UInt64(littleEndian: entry.load(UInt64.self, at: 0)))
    // Long texts share a key when their hashes agree: look at the object itself.
    if KeyEncoding.isTruncated(key) {
      guard let record = try record(id) else { return nil }
      return try value(position, of: record, id) == key ? id : nil
    }
    return id
  }

  /// The object with a primary key and its record, or nil: one look-up where the object IDs
  /// are the keys.
  package func findRecord(_ key: PropertyValue) throws -> (id: ObjectID, record: PageBytes)? {
    if migration == nil, resolved.isClustered {
      try session.requireOpen()
      guard case .int(let number) = key else { return nil }
      let id = ObjectID(clusteredKey: number)
      return try record(id).map { (id, $0) }
    }
    guard let id = try find(key), let record = try record(id) else { return nil }
    return (id, record)
  }

  /// The first objects whose indexed property has a value, in the order of their IDs.
  package func find(
    _ position: Int, equalTo value: PropertyValue, upTo most: Int = .max
  ) throws -> [ObjectID] {
    guard let index = indexes[position], most > 0 else { return [] }
    let isTruncated = KeyEncoding.isTruncated(value)
    var prefix: [UInt8] = []
    prefix.reserveCapacity(64)
    KeyEncoding.append(value, isOptional: true, to: &prefix)
    let cursor = try session.view.cursor(index)
    var found: [ObjectID] = []
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      if cursor.key.count == prefix.count + 8 {
        found.append(ObjectID(rawValue: cursor.key.loadBigEndian(at: prefix.count)))
      }
      if !isTruncated, found.count >= most { break }
      isInside = try cursor.move(to: .next)
    }
    guard isTruncated else { return found }
    let equal = try found.filter { id in
      guard let record = try record(id) else { return false }
      return try self.value(position, of: record, id) == value
    }
    return Array(equal.prefix(most))
  }
}

extension ResolvedClass {
  /// Throws unless a value is one that the primary key may have, by its type.
  ///
  /// - Throws: ``StoreError`` with `noPrimaryKey` or `wrongType`.
  func requireKey(_ key: PropertyValue) throws {
    guard let position = primaryKeyIndex else { throw StoreError.noPrimaryKey(class: name) }
    let property = properties[position]
    guard key.mayBeKey(as: property.type) else {
      throw StoreError.wrongKeyType(
        class: name, property: property.name, expected: property.type, got: key.kind)
    }
  }
}

extension PropertyValue {
  /// Whether a primary key of a type may have this value.
  func mayBeKey(as type: PropertyType) -> Bool {
    switch self {
    case .int: type.isInteger
    case .string: type == .string
    case .uuid: type == .uuid
    case .objectId: type == .objectId
    default: false
    }
  }
}

extension ObjectID {
  /// The object ID of a primary key in a clustered class: the sign bit is
  /// flipped, so that the order is that of the keys.
  package init(clusteredKey key: Int64) {
    self.init(rawValue: UInt64(bitPattern: key) ^ (1 << 63))
  }

  /// Whether objects get such an ID one after the other: others are primary keys in disguise.
  package var isGivenOut: Bool { rawValue < 1 << 62 }

  /// The primary key of this object in a clustered class.
  package var clusteredKey: Int64 { Int64(bitPattern: rawValue ^ (1 << 63)) }
}
