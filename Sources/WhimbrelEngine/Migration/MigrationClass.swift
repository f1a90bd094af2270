internal import Foundation
internal import WhimbrelLMDB

/// One class in the course of a migration: its old objects, and the new ones.
///
/// As long as nothing but instant changes is asked of it, the new objects are the
/// old records seen through the new shape. With the first write a new generation
/// is begun, and the old objects are carried over one by one, in the order of
/// their IDs. What counts for an object with a given ID is then
/// 1. the one that the block has just been given, if it is that (`pending`);
/// 2. else its record in the new table, if there is one: a tombstone means that it
///    was deleted ahead of its turn;
/// 3. else nothing, if its turn is over (`carried`);
/// 4. else its old record.
///
/// Safe, where exclusivity is unchecked: a migration runs on one thread, and no property
/// is used in the course of a change of its own.
final class MigrationClass {
  /// An app may keep an object of its block: the migrator lets go of its classes
  /// at the end, and they keep it.
  let migrator: Migrator

  var draft: ClassDraft { didSet { carriage = nil } }
  /// The class as it is in the file.
  let old: ResolvedClass?
  let oldTable: Table?
  private let oldExtentTable: Table?
  /// The file's index of primary keys, if it has one.
  let oldKeyTable: Table?
  /// The file's indexes, by the positions of the properties in the old class.
  let oldIndexes: [Int: Table]
  let oldCount: Int
  /// The new shape; it knows the old layouts too.
  @safe @exclusivity(unchecked) var resolved: ResolvedClass {
    didSet { (carriage, owningLinks, deletedTargets) = (nil, nil, nil) }
  }
  /// How the last old record was carried over; those of the same layout are alike.
  @safe @exclusivity(unchecked) var carriage: Carriage? { didSet { carrying = carriage?.view } }
  /// The same, without counting references.
  @safe @exclusivity(unchecked) private(set) var carrying: Carriage.View?
  /// What the last old record was checked by, if it was sound.
  @safe @exclusivity(unchecked) var outline: RecordOutline?
  /// The new generation, once it has been begun. Its indexes are those in which the block looks
  /// objects up.
  @safe @exclusivity(unchecked) private(set) var new: RecordTables?

  /// How far old objects have been carried over.
  enum Carried: Equatable {
    case nothing
    case through(ObjectID)
    case all
  }
  @safe @exclusivity(unchecked) var carried = Carried.nothing
  /// The object in `encoder`, which is not in the new table yet.
  @safe @exclusivity(unchecked) var pending: ObjectID? {
    // What typed objects have read in the encoder is void.
    didSet { migrator.voidReads() }
  }
  @safe @exclusivity(unchecked) var encoder: RecordEncoder
  /// The old record of the object in `encoder`, and its batch, while values are still to be
  /// converted: see ``settle()``.
  @safe @exclusivity(unchecked) var unsettled: (record: PageBytes, batch: Int)?
  var otherEncoder: RecordEncoder
  private(set) var isDropped = false
  /// Whether objects were deleted, so that links may lead nowhere.
  private(set) var hasDeletions = false
  /// Up to which deletion an object has been freed of links to what is gone.
  @safe @exclusivity(unchecked) var repaired: [ObjectID: Int] = [:]
  /// The positions of the properties that may lead to what is gone, while so many classes
  /// have lost objects.
  @safe @exclusivity(unchecked) var deletedTargets: (classes: Int, positions: [Int])?
  /// The positions of the links to embedded objects, once they have been asked for.
  @safe @exclusivity(unchecked) var owningLinks: [Int]?
  /// The embedded objects that have lost their owners, if there have been any.
  @safe @exclusivity(unchecked) var released: Table?
  /// Whether the block has given embedded objects of the file to others.
  var hasNewOwners = false
  /// Whether all objects are about to be deleted: links from them do not count.
  var isBeingEmptied = false
  /// Whether every new object stands under its integer primary key.
  @safe @exclusivity(unchecked) var isClustered: Bool
  /// How many new objects have a property that only code can set, and has not.
  @safe @exclusivity(unchecked) var unassigned = 0
  var nextObjectID: UInt64
  /// Objects that were created under their keys and deleted again.
  var usedUpIDs: Set<ObjectID> = []
  /// Embedded objects that the block has created and given to no other yet.
  var ownerless: Set<ObjectID> = []
  /// The objects that were created under their keys, or nil when there are too many to keep.
  var createdIDs: Set<ObjectID>? = []
  /// How many of them are kept at most.
  static let mostCreatedIDs = 100_000
  /// Whether objects that were created are gone, nobody knows which.
  var hasForgottenIDs = false
  @safe @exclusivity(unchecked) private var oldCursor: Cursor?
  /// Whether the block has enumerated the class.
  var isEnumerated = false
  /// The renames of properties that the block has asked for, in their order.
  var propertyRenames: [(from: String, to: String)] = []

  var name: String { draft.name }
  var isRewritten: Bool { new != nil }
  /// Whether the objects belong to others at the end.
  var isEmbedded: Bool { resolved.isEmbedded }

  init(
    _ draft: ClassDraft, _ loaded: LoadedCatalog, _ handles: [String: Table], _ migrator: Migrator
  ) throws {
    self.migrator = migrator
    self.draft = draft
    old = draft.old.flatMap { loaded[$0.name] }
    oldTable = draft.old.flatMap { handles[TableNames.objects($0.id, $0.generation).name] }
    oldExtentTable = draft.old.flatMap { handles[TableNames.extents($0.id, $0.generation).name] }
    oldKeyTable = draft.old.flatMap { entry in
      entry.primaryKeyIndex.flatMap {
        handles[TableNames.key(entry.id, entry.generation, entry.properties[$0].id).name]
      }
    }
    var oldIndexes: [Int: Table] = [:]
    if let entry = draft.old {
      for (position, property) in entry.properties.enumerated() where property.hasIndex {
        oldIndexes[position] =
          handles[TableNames.index(entry.id, entry.generation, property.id).name]
      }
    }
    self.oldIndexes = oldIndexes
    oldCount = try oldTable.map { try migrator.oldView.count($0) } ?? 0
    resolved = ResolvedClass(draft.entry(isRewritten: true, keepsOldLayouts: true))
    encoder = RecordEncoder(resolved)
    otherEncoder = RecordEncoder(resolved)
    isClustered = draft.canBeClustered
    nextObjectID = 1
    let stored = try migrator.oldView.value(.main, MainKey.nextObjectID(draft.id))
    if let stored, stored.count == 8 {
      nextObjectID = UInt64(littleEndian: stored.load(UInt64.self, at: 0))
    }
    // A class that was clustered never needed the number.
    if draft.old?.isClustered == true, let last = try lastOldID() {
      nextObjectID = max(nextObjectID, last.rawValue &+ 1)
    }
  }

  /// Whether tables are made before the flip, or the outcome depends on which
  /// objects there are: nobody else may write then.
  var needsMark: Bool {
    if draft.declared == nil { return false }
    guard let old = draft.old else { return true }
    let entry = draft.entry(isRewritten: false)
    let new = Set(entry.tableNames).subtracting(old.tableNames)
    return draft.requiresRewrite || !new.isEmpty || draft.properties.contains(where: \.isTracked)
      || old.isClustered != entry.isClustered
  }

  /// Whether the block has seen objects of the class as it is to be, or changed any.
  var isTouched: Bool { isEnumerated || isRewritten || isDropped || hasDeletions }

  func forgetCursors() {
    oldCursor = nil
    new?.endTransaction()
  }

  private func lastOldID() throws -> ObjectID? {
    guard let cursor = try cursor(), try cursor.move(to: .last) else { return nil }
    return ObjectID(rawValue: cursor.integerKey)
  }

  private func cursor() throws -> Cursor? {
    if let oldCursor { return oldCursor }
    guard let oldTable else { return nil }
    let opened = try migrator.oldView.cursor(oldTable)
    oldCursor = opened
    return opened
  }

  /// The cursor, at the old object that comes after another, or at the first one; nil when
  /// there is none.
  private func cursorAtOld(after last: ObjectID?) throws -> Cursor? {
    if last == nil { try migrator.requireSoundPages() }
    let isFresh = oldCursor == nil
    guard let cursor = try cursor() else { return nil }
    let found: Bool
    if let last {
      if last.rawValue == .max { return nil }
      let isInPlace = !isFresh && cursor.integerKey == last.rawValue
      found =
        isInPlace ? try cursor.move(to: .next) : try cursor.seek(atLeast: last.rawValue + 1)
    } else {
      found = try cursor.move(to: .first)
    }
    return found ? cursor : nil
  }

  /// The old object that comes after another, or the first one, or nil.
  func nextOld(after last: ObjectID?) throws -> (id: ObjectID, record: PageBytes)? {
    guard let cursor = try cursorAtOld(after: last) else { return nil }
    return (ObjectID(rawValue: cursor.integerKey), cursor.value)
  }

  /// Replaces `records` by those that come after an object, as many as are wanted.
  func readOld(
    after last: ObjectID?, upTo limit: Int, into records: inout [OldRecord]
  ) throws {
    records.removeAll(keepingCapacity: true)
    guard let cursor = try cursorAtOld(after: last) else { return }
    repeat {
      records.append(
        OldRecord(id: ObjectID(rawValue: cursor.integerKey), record: cursor.value, checksum: nil))
    } while try records.count < limit && cursor.move(to: .next)
  }
}

// MARK: - Records

extension MigrationClass {
  func damaged(_ id: ObjectID, _ detail: String) -> StoreError {
    let key = old?.key(of: id) ?? (isClustered ? resolved.key(of: id) : nil)
    return StoreError.damaged(
      path: migrator.file.path,
      detail: "\(Sentence.object(id, key)) of class '\(name)' cannot be read: \(detail)")
  }

  /// The layout of a record of the old or the new table, in the new shape.
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

  /// Checks the checksums of an old record and of what belongs to it.
  func verify(_ record: PageBytes, _ id: ObjectID) throws {
    guard let old else { return }
    try explaining(id) { try old.verify(record, id, oldExtents(id)) }
  }

  /// What of an old object lies outside of its record.
  func oldExtents(_ id: ObjectID) -> Extents {
    oldExtentTable.map { Extents(migrator.oldView, $0, id) } ?? .none
  }

  /// What of an object in the new table lies outside of its record.
  func newExtents(_ id: ObjectID) throws -> Extents {
    try new?.extents(of: id, in: migrator.writing().reading) ?? .none
  }

  /// What lies outside of a record that ``record(_:)`` gave.
  func extents(of record: PageBytes, _ id: ObjectID) throws -> Extents {
    if id == pending { return encoder.extents() }
    let isNew = record.layoutID == resolved.written.layout.id
    return isNew ? try newExtents(id) : oldExtents(id)
  }

  /// The record of a new object, wherever it is, or nil.
  func record(_ id: ObjectID) throws -> PageBytes? {
    if released != nil, try isReleased(id) { return nil }
    if id == pending {
      if unsettled != nil { try settle() }
      return encoder.bytes
    }
    if isDropped { return nil }
    if let new, let record = try migrator.writing().reading.value(new.objects, id.rawValue) {
      return record.layoutID == RecordLayout.tombstone ? nil : record
    }
    switch carried {
    case .all: return nil
    case .through(let last) where id <= last: return nil
    case .nothing, .through: break
    }
    guard let oldTable else { return nil }
    return try migrator.oldView.value(oldTable, id.rawValue)
  }

  /// The record of a new object as the new shape can read it, or nil.
  func currentRecord(_ id: ObjectID) throws -> PageBytes? {
    try repair(id)
    guard let found = try record(id) else { return nil }
    if found.layoutID == resolved.written.layout.id { return found }
    // What is converted is not what the old record says: then it is carried over first.
    if draft.requiresRewrite {
      try rewrite(id) { _ in }
      return try record(id)
    }
    return found
  }

  /// What of a new object lies outside of the record that ``currentRecord(_:)`` gave.
  func currentExtents(_ id: ObjectID) -> Extents {
    guard let record = try? record(id), let extents = try? extents(of: record, id) else {
      return .none
    }
    return extents
  }

  /// The value of a property of a new object's record.
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
      try layout.value(position, of: record, extents(of: record, id))
    }
  }

  /// What is said of an object that is gone.
  func deleted(
    _ id: ObjectID, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError.objectDeleted(
      class: name, objectID: id, primaryKey: oldPrimaryKey(id), file: file, line: line)
  }

  /// The primary keys of objects that are known: those that they had, else those of new objects.
  func primaryKeys(_ ids: [ObjectID]) -> [ObjectID: PropertyValue] {
    var keys: [ObjectID: PropertyValue] = [:]
    for id in ids { keys[id] = oldPrimaryKey(id) ?? primaryKey(id) }
    return keys
  }

  /// The primary key of a new object, for messages.
  func primaryKey(_ id: ObjectID) -> PropertyValue? {
    guard let position = resolved.primaryKeyIndex, let record = try? record(id) else { return nil }
    return try? value(position, of: record, id)
  }

  /// The primary key that an object had, for messages.
  func oldPrimaryKey(_ id: ObjectID) -> PropertyValue? {
    guard let old, let position = old.primaryKeyIndex, let oldTable,
      let record = try? migrator.oldView.value(oldTable, id.rawValue),
      let layout = try? layout(of: record, id, in: old)
    else { return nil }
    return try? layout.value(position, of: record, oldExtents(id))
  }

  /// Whether a record of the new table lacks a value that only code can give.
  func lacksAssignment(_ record: PageBytes) -> Bool { resolved.written.lacksAssignment(record) }
}

// MARK: - Begin and end of a rewrite

extension MigrationClass {
  /// Begins the new generation, if that has not been done.
  func beginRewrite() throws {
    guard new == nil else { return }
    try checkSpace()
    let objects = TableNames.objects(draft.id, resolved.entry.generation)
    let extents = TableNames.extents(draft.id, resolved.entry.generation)
    let tables = try migrator.createTables([objects, extents])
    new = tables[objects.name].map { RecordTables(resolved, $0, extents: tables[extents.name]) }
    if oldTable == nil { carried = .all }
  }

  /// Throws when the disk has no room for a second copy.
  private func checkSpace() throws {
    guard let oldTable else { return }
    let tables = [oldTable] + [oldExtentTable].compactMap(\.self)
    let pages = try tables.reduce(0) { try $0 + migrator.oldView.statistics($1).pages }
    let facts = try migrator.file.environment.information()
    // What is free inside of the file is not counted: it may be pinned.
    let needed = pages * facts.pageSize * 13 / 10
    guard let available = FilePreflight.freeSpace(beside: migrator.file.path) else { return }
    if needed > available {
      throw StoreError.noSpace(path: migrator.file.path, needed: needed, available: available)
    }
  }

  /// Marks the class as one that is gone.
  func drop() { isDropped = true }

  /// Takes note that an object is deleted, or that all are.
  func noteDeletion(_ id: ObjectID?) {
    if !hasDeletions { migrator.deletions.addClass() }
    hasDeletions = true
    if let id {
      migrator.deletions.add(ObjectReference(classID: draft.id, id: id))
    } else {
      migrator.deletions.addAll()
    }
  }

  /// The record of a new object in the new table, or nil.
  func newRecord(_ id: ObjectID) throws -> PageBytes? {
    guard let new, let record = try migrator.writing().reading.value(new.objects, id.rawValue),
      record.layoutID != RecordLayout.tombstone
    else { return nil }
    return record
  }
}
