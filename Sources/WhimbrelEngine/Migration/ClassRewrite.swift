internal import WhimbrelLMDB

/// One class in the course of a migration: its old objects, and the new ones.
///
/// As long as nothing but instant changes is asked of it, the new objects are the
/// old records seen through the new shape. With the first write a new generation
/// is begun, and the old objects are copied one by one, in the order of
/// their IDs. What counts for an object with a given ID is then
/// 1. the one that the block has just been given, if it is that (``pending``);
/// 2. else its record in the new table, if there is one: a tombstone means that it
///    was deleted ahead of its turn;
/// 3. else nothing, if its turn is over (``NewGeneration/copied``);
/// 4. else its old record.
///
/// Safe, where exclusivity is unchecked: a migration runs on one thread, and no property
/// is used in the course of a change of its own.
final class ClassRewrite {
  /// An app may keep an object of its block: the migrator lets go of its classes
  /// at the end, and they keep it.
  let migrator: Migrator

  var draft: ClassDraft { didSet { copying.plan = nil } }
  /// The objects in the file, or nil when the class is new.
  let old: OldSpace?
  /// The new shape; it knows the old layouts too.
  @safe @exclusivity(unchecked) var resolved: ResolvedClass {
    didSet { (copying.plan, owners.links, repairs.suspects) = (nil, nil, nil) }
  }
  /// How the last old record was copied; those of the same layout are alike.
  @safe @exclusivity(unchecked) var copying = CopyPlan.Latest()
  /// Where new objects are, and how far they have come.
  @safe @exclusivity(unchecked) var generation: NewGeneration
  /// The object at hand.
  @safe @exclusivity(unchecked) var turn = Turn()
  /// The new record of the object at hand.
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
  /// How many objects there are in the file.
  var oldCount: Int { old?.count ?? 0 }
  /// The tables of the new generation, once it has been begun.
  var new: RecordTables? { generation.tables }
  var isRewritten: Bool { new != nil }
  /// The object in ``encoder``, which is not in the new table yet.
  var pending: ObjectID? {
    get { turn.id }
    set {
      turn.id = newValue
      // What typed objects have read in the encoder is void.
      writer.sessions.voidReads()
    }
  }
  /// Whether the objects belong to others at the end.
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
      stored: try migrator.writer.oldView.value(.main, MainKey.nextObjectID(draft.id)))
    // A class that was clustered never needed the number.
    if draft.old?.isClustered == true, let last = try old?.lastID() { ids.skip(last) }
    generation = NewGeneration(ids: ids)
  }

  /// Whether tables are made before the flip, or the outcome depends on which
  /// objects there are: nobody else may write then.
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
  /// Whether objects were deleted, so that links may lead nowhere.
  var hasDeletions: Bool { trace.hasDeletions }
  /// Whether the block has seen objects of the class as it is to be, or changed any.
  var isTouched: Bool { trace.isEnumerated || isRewritten || isDropped || hasDeletions }
}

/// The new objects of a class in the course of a migration.
struct NewGeneration {
  /// Their tables, once they have been begun. Their indexes are those in which the block looks
  /// objects up.
  var tables: RecordTables?
  /// How far old objects have been copied.
  var copied = Copied.nothing
  /// Their IDs.
  var ids: NewObjectIDs

  enum Copied: Equatable {
    case nothing
    case through(ObjectID)
    case all
  }
}

/// The turn of an object in the course of a rewrite.
struct Turn {
  /// The object, or nil between two turns.
  var id: ObjectID?
  /// Its old record, and the batch of that, while values are still to be converted: see
  /// ``ClassRewrite/convertPending()``.
  var unconverted: (record: PageBytes, batch: Int)?
}

/// The effects of a migration's code on a class.
struct BlockTrace {
  /// Whether it has enumerated the class.
  var isEnumerated = false
  /// Whether it has deleted objects.
  var hasDeletions = false
  /// Whether it has deleted the class.
  var isDropped = false
  /// The renames of properties that it has asked for, in their order.
  var renames: [(from: String, to: String)] = []
  /// How many new objects have a property that only code can set, and has not.
  var unassigned = 0
}

// MARK: - Records

extension ClassRewrite {
  func damaged(_ id: ObjectID, _ detail: String) -> StoreError {
    let key = old?.resolved.key(of: id) ?? (generation.ids.areKeys ? resolved.key(of: id) : nil)
    return StoreError.damaged(
      path: migrator.task.file.path,
      detail: "\(Sentence.object(id, key)) of class '\(name)' cannot be read: \(detail)")
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

  /// Calls `body`, and names the object in what it says of its record.
  func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DamagedRecord {
      throw damaged(id, error.detail)
    } catch let error as DamagedCollection {
      throw damaged(id, "\(error)")
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

  /// Returns the record of a new object, wherever it is, or nil.
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
    switch generation.copied {
    case .all: return nil
    case .through(let last) where id <= last: return nil
    case .nothing, .through: break
    }
    return try explaining(id) { try old?.soundRecord(id) }
  }

  /// Returns the record of a new object as the new shape can read it, or nil.
  func currentRecord(_ id: ObjectID) throws -> PageBytes? {
    try repair(id)
    guard let found = try record(id) else { return nil }
    if found.layoutID == resolved.written.layout.id { return found }
    // What is converted is not what the old record says: then it is copied first.
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

  /// Returns the primary keys of objects that are known: those that they had, else those of new
  /// objects.
  func primaryKeys(_ ids: [ObjectID]) -> [ObjectID: PropertyValue] {
    var keys: [ObjectID: PropertyValue] = [:]
    for id in ids { keys[id] = oldPrimaryKey(id) ?? primaryKey(id) }
    return keys
  }

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
  /// Begins the new generation, if that has not been done.
  func beginRewrite() throws {
    guard new == nil else { return }
    try checkSpace()
    generation.tables = try writer.createTables(of: resolved)
    if old == nil { generation.copied = .all }
  }

  /// Throws when the disk has no room for a second copy.
  private func checkSpace() throws {
    guard let old else { return }
    let facts = try migrator.task.file.environment.information()
    // What is free inside of the file is not counted: it may be pinned.
    let needed = try old.pages() * facts.pageSize * 13 / 10
    guard let available = FilePreflight.freeSpace(beside: migrator.task.file.path) else { return }
    if needed > available {
      throw StoreError.noSpace(path: migrator.task.file.path, needed: needed, available: available)
    }
  }

  /// Marks the class as one that is gone.
  func drop() { trace.isDropped = true }

  /// Takes note that an object is deleted, or that all are.
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
