internal import WhimbrelLMDB

/// A class during a migration: its old objects and its new ones.
///
/// Until the class is written, the new objects are the old records seen through the new shape. The
/// first write begins a new generation. From then on the old objects are copied one by one, in the
/// order of their IDs, and the record of an object is
/// 1. the one in the encoder, if it is the current object (``pending``)
/// 2. otherwise the one in the new table, if there is one; a tombstone means that the object was
///    deleted before its turn
/// 3. otherwise none, if its turn is over (``NewGeneration/copied``)
/// 4. otherwise the old one.
///
/// Safe, where exclusivity is unchecked: a migration runs on one thread, and no property
/// is used in the course of a change of its own.
final class ClassRewrite {
  /// The class keeps the migrator, because an app may keep an object of its block. The migrator
  /// releases its classes at the end.
  let migrator: Migrator

  var draft: ClassDraft { didSet { copying.plan = nil } }
  /// The objects in the file, or nil if the class is new.
  let old: OldSpace?
  /// The new shape, which knows the old layouts too.
  @safe @exclusivity(unchecked) var resolved: ResolvedClass {
    didSet { (copying.plan, owners.links, repairs.suspects) = (nil, nil, nil) }
  }
  /// The plan by which the last old record was copied. It fits all records of the same layout.
  @safe @exclusivity(unchecked) var copying = CopyPlan.Latest()
  /// The new objects that have been written.
  @safe @exclusivity(unchecked) var generation: NewGeneration
  /// The turn of the current object.
  @safe @exclusivity(unchecked) var turn = Turn()
  /// The new record of the current object.
  @safe @exclusivity(unchecked) var encoder: RecordEncoder
  var otherEncoder: RecordEncoder
  /// The effects of the block on the class.
  @safe @exclusivity(unchecked) var trace = BlockTrace()
  /// The new objects whose links to deleted objects have been removed.
  @safe @exclusivity(unchecked) var repairs = LinkRepairs()
  /// The embedded objects and their owners, as far as they are known.
  @safe @exclusivity(unchecked) var owners = OwnerTracking()

  var writer: BatchWriter { migrator.writer }
  var name: String { draft.name }
  /// The number of objects in the file.
  var oldCount: Int { old?.count ?? 0 }
  /// The tables of the new generation, or nil before it is begun.
  var new: RecordTables? { generation.tables }
  var isRewritten: Bool { new != nil }
  /// The current object: it is in ``encoder``, and not yet in the new table.
  var pending: ObjectID? {
    get { turn.id }
    set {
      turn.id = newValue
      // Typed objects must not use what they have read in the encoder.
      writer.sessions.voidReads()
    }
  }
  /// Whether the new objects are embedded.
  var isEmbedded: Bool { resolved.isEmbedded }

  init(_ draft: ClassDraft, of migrator: Migrator) throws {
    self.migrator = migrator
    self.draft = draft
    old = try OldSpace(draft, in: migrator.task, migrator.writer)
    resolved = ResolvedClass(draft.entry(isRewritten: true, keepsOldLayouts: true))
    encoder = RecordEncoder(resolved)
    otherEncoder = RecordEncoder(resolved)
    var ids = NewObjectIDs(
      areKeys: draft.canBeClustered,
      next: try migrator.writer.oldView.nextObjectID(of: draft.id) ?? 1)
    // A clustered class does not store the number.
    if draft.old?.isClustered == true, let last = try old?.lastID() { ids.skip(last) }
    generation = NewGeneration(ids: ids)
  }

  /// Whether tables are created before the flip, or the outcome depends on the objects. Others must
  /// not write then.
  var needsMark: Bool {
    if draft.declared == nil { return draft.old?.guardsIndexes == false }
    guard let old = draft.old else { return true }
    let entry = draft.entry(isRewritten: false)
    let new = Set(entry.tableNames).subtracting(old.tableNames)
    return draft.requiresRewrite || !new.isEmpty || draft.properties.contains(where: \.isTracked)
      || old.isClustered != entry.isClustered
  }

  /// Whether the block has deleted the class and all of its objects.
  var isDropped: Bool { trace.isDropped }
  /// Whether objects were deleted, so that links to them may remain.
  var hasDeletions: Bool { trace.hasDeletions }
  /// Whether the block has seen or changed new objects of the class.
  var isTouched: Bool { trace.isEnumerated || isRewritten || isDropped || hasDeletions }
}

/// The new objects of a class in the course of a migration.
struct NewGeneration {
  /// The tables, or nil before they are created. Their indexes are those in which the block looks
  /// up objects.
  fileprivate(set) var tables: RecordTables?
  /// The old objects that have been copied.
  var copied = Copied.nothing
  /// The IDs of new objects.
  var ids: NewObjectIDs

  enum Copied: Equatable {
    case nothing
    case through(ObjectID)
    case all

    /// Returns whether the turn of an old object is over.
    func includes(_ id: ObjectID) -> Bool {
      switch self {
      case .all: true
      case .through(let reached): id <= reached
      case .nothing: false
      }
    }
  }
}

/// The turn of an object during a rewrite.
struct Turn {
  /// The object, or nil between two turns.
  var id: ObjectID?
  /// The old record and its batch, if values are still to be converted: see
  /// ``ClassRewrite/convertPending()``.
  var unconverted: (record: PageBytes, batch: Int)?
}

/// The effects of a migration's code on a class.
struct BlockTrace {
  /// Whether the code has enumerated the class.
  var isEnumerated = false
  /// Whether the code has deleted objects.
  var hasDeletions = false
  /// Whether the code has deleted the class.
  var isDropped = false
  /// The renames of properties that the code has asked for, in order.
  var renames: [(from: String, to: String)] = []
  /// The number of new objects with a property that only code can set, and has not set.
  var unassigned = 0
}

// MARK: - Records

extension ClassRewrite {
  func damaged(_ id: ObjectID, _ detail: String) -> StoreError {
    let key = old?.resolved.key(of: id) ?? (generation.ids.areKeys ? resolved.key(of: id) : nil)
    return StoreError.damaged(
      path: migrator.task.file.path, detail: Sentence.unreadable(id, key, of: name, detail))
  }

  /// Returns the layout of a record of the old or the new table, in the new shape.
  func layout(of record: PageBytes, _ id: ObjectID, in shape: ResolvedClass) throws
    -> ResolvedLayout
  {
    guard let layout = shape.layout(of: record) else {
      throw damaged(id, ResolvedClass.unknownLayout)
    }
    return layout
  }

  /// Calls `body`, and names the object in errors about its record.
  func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DamagedRecord {
      throw damaged(id, error.detail)
    }
  }

  /// Returns the overflow of an object in the new table.
  func newOverflow(_ id: ObjectID) throws -> Overflow {
    try new?.overflow(of: id, in: writer.view().reading) ?? .none
  }

  /// Returns the overflow of a record that ``record(_:)`` returned.
  func overflow(of record: PageBytes, _ id: ObjectID) throws -> Overflow {
    if id == pending { return encoder.overflow() }
    let isNew = record.layoutID == resolved.written.layout.id
    return isNew ? try newOverflow(id) : old?.overflow(of: id) ?? .none
  }

  /// Returns the record of a new object, or nil if the object does not exist.
  func record(_ id: ObjectID) throws -> PageBytes? {
    if owners.released != nil, try isReleased(id) { return nil }
    if id == pending {
      if turn.unconverted != nil { try convertPending() }
      return encoder.bytes
    }
    if isDropped { return nil }
    if let new, let record = try writer.view().reading.value(new.objects, id.rawValue) {
      return record.layoutID == RecordLayout.tombstone ? nil : record
    }
    if generation.copied.includes(id) { return nil }
    return try explaining(id) { try old?.soundRecord(id) }
  }

  /// Returns the record of a new object in a form that the new shape can read, or nil.
  func currentRecord(_ id: ObjectID) throws -> PageBytes? {
    try repair(id)
    guard let found = try record(id) else { return nil }
    if found.layoutID == resolved.written.layout.id { return found }
    // The old record does not have the converted values: the object is copied first.
    if draft.requiresRewrite {
      try rewrite(id) { _ in }
      return try record(id)
    }
    return found
  }

  /// Returns the overflow of a record that ``currentRecord(_:)`` returned.
  func currentOverflow(_ id: ObjectID) -> Overflow {
    guard let record = try? record(id), let overflow = try? overflow(of: record, id) else {
      return .none
    }
    return overflow
  }

  /// Returns the value of a property of a new object's record.
  func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue {
    let layout = try layout(of: record, id, in: resolved)
    if !layout.isAssigned(position, of: record) { return .null }
    if id == pending, let value = layout.plainValue(position, of: record) { return value }
    if record.layoutID != resolved.written.layout.id,
      case .converted(let conversion) = draft.properties[position].origin
    {
      return try convertedValue(position, conversion, of: record, id)
    }
    return try explaining(id) {
      try layout.value(position, of: record, overflow(of: record, id))
    }
  }

  /// Returns the error for an object that was deleted.
  func deleted(
    _ id: ObjectID, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError.objectDeleted(
      class: name, objectID: id, primaryKey: oldPrimaryKey(id), file: file, line: line)
  }

  /// Returns the primary keys of objects, as far as they are known: the old ones, or those of new
  /// objects.
  func primaryKeys(_ ids: [ObjectID]) -> [ObjectID: PropertyValue] {
    var keys: [ObjectID: PropertyValue] = [:]
    for id in ids { keys[id] = knownPrimaryKey(id) }
    return keys
  }

  /// Returns the primary key that an object had, or has, for messages.
  func knownPrimaryKey(_ id: ObjectID) -> PropertyValue? { oldPrimaryKey(id) ?? primaryKey(id) }

  /// Returns the primary key of a new object, for messages.
  func primaryKey(_ id: ObjectID) -> PropertyValue? {
    guard let position = resolved.primaryKeyIndex, let record = try? record(id) else { return nil }
    return try? value(position, of: record, id)
  }

  /// Returns the primary key that an object had, for messages.
  func oldPrimaryKey(_ id: ObjectID) -> PropertyValue? { old?.primaryKey(id) }

  /// Returns whether a record of the new table lacks a value that only code can give.
  func lacksAssignment(_ record: PageBytes) -> Bool { resolved.written.lacksAssignment(record) }
}

// MARK: - Begin and end of a rewrite

extension ClassRewrite {
  /// Begins the new generation, unless it has begun.
  func beginRewrite() throws {
    guard new == nil else { return }
    try requireConverted()
    try checkSpace()
    generation.tables = try writer.createTables(of: resolved)
    if old == nil { generation.copied = .all }
  }

  /// Throws if objects of the class are not yet converted. The migration would not see the values
  /// that their rule computes.
  ///
  /// - Throws: ``StoreError`` with `transitionNeedsRule`.
  func requireConverted() throws {
    guard let entry = draft.old, let shapes = entry.transition?.shapes,
      let shape = shapes.first(where: \.hasRule) ?? shapes.first
    else { return }
    throw StoreError.transitionNeedsRule(
      path: migrator.task.file.path, class: entry.name, name: shape.name, version: shape.version)
  }

  /// Throws if the disk has no room for a second copy.
  private func checkSpace() throws {
    guard let old else { return }
    let facts = try migrator.task.file.environment.information()
    // Free pages in the file are not counted, because a reader may pin them.
    let needed = try old.pages() * facts.pageSize * 13 / 10
    guard let available = FilePreflight.freeSpace(beside: migrator.task.file.path) else { return }
    if needed > available {
      throw StoreError.noSpace(path: migrator.task.file.path, needed: needed, available: available)
    }
  }

  /// Marks the class as deleted.
  func drop() { trace.isDropped = true }

  /// Notes that an object was deleted, or all objects if the ID is nil.
  func noteDeletion(_ id: ObjectID?) {
    if !hasDeletions { migrator.block.deletions.addClass() }
    trace.hasDeletions = true
    if let id {
      migrator.block.deletions.add(ObjectReference(classID: draft.id, id: id))
    } else {
      migrator.block.deletions.addAll()
    }
  }

  /// Returns the record of a new object in the new table, or nil.
  func newRecord(_ id: ObjectID) throws -> PageBytes? {
    guard let new, let record = try writer.view().reading.value(new.objects, id.rawValue),
      record.layoutID != RecordLayout.tombstone
    else { return nil }
    return record
  }
}
