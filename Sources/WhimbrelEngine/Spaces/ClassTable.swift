package import WhimbrelLMDB

/// The objects of one class, as one session sees them.
///
/// Invariants, which ``IntegrityCheck`` verifies:
/// 1. Every record has a layout of the class, its full size, and its checksum.
/// 2. The key index has exactly one entry for each object, or the object IDs are
///    the keys.
/// 3. Each index has exactly one entry for each object, with its value or values. Link indexes have
///    no entry for nil, and full-text indexes have one entry for each word.
/// 4. Every link leads to an object that exists. Exactly one link leads to each embedded object,
///    and it is not in a value of any type.
/// 5. The overflow has exactly the values that records refer to, each with its checksum.
/// 6. No two objects have the same values in a unique index, unless one of the values is nil.
@safe
package class ClassTable {
  package final let resolved: ResolvedClass
  // Safe: a session owns its tables. Code that keeps a table keeps the session, too.
  @safe private let unsafeSession: Unmanaged<Session>
  /// The layout that the class writes, for rows.
  package final let written: ResolvedLayout.View
  /// The counter of the session's epochs.
  package final let clock: Counter
  /// The tables of the class.
  final let handles: ClassHandles
  /// The same tables, for changes of objects.
  final let records: RecordTables
  /// The entries of new objects that are not yet in the tables, or nil if none are kept back.
  let pendingEntries: PendingEntries?
  /// The positions of the links to embedded objects.
  package let ownedLinks: [Int]
  /// Whether records and overflow are checked with every read.
  let verifiesReads: Bool
  /// Whether the table shows the new objects of a migration.
  package let isOfMigration: Bool
  /// Whether objects that still have a past shape are converted when they are read.
  let converts: Bool

  /// Whether the session shows this table, and not one that has replaced it.
  final var isShown = false

  /// The encoder that writes share. It is valid for one write at a time.
  // Safe: calls use it one after the other, on one thread. A check of that would cost more than the
  // stores that it guards.
  @safe @exclusivity(unchecked) package final var encoder: RecordEncoder
  /// The encoder that changes of objects share.
  // Safe: as above.
  @safe @exclusivity(unchecked) final var changes: RecordEncoder
  /// The object whose changed record is in ``changes`` and not yet written. The cursor is at its
  /// record.
  // Safe: as above.
  @safe @exclusivity(unchecked) final var changing: ObjectID?
  /// The record that replaces a damaged one. All its slots are zero.
  let emptyBuffer: ByteBuffer
  /// The tables that read objects that are not yet converted, by layout.
  package private(set) lazy var pastTables = PastTable.tables(of: self)
  /// The cursor and the buffer that look-ups in indexes reuse.
  private(set) lazy var lookup = IndexLookup()
  final var latestReader: LatestReader?
  /// All objects, if code asked for them last.
  private(set) lazy var latestIDs = LatestIDs()
  /// The objects of the class that link to the object that code asked for last.
  private(set) lazy var latestSources = LatestIDs()
  var nextObjectID: UInt64?
  /// The embedded objects that this write has added. Each must have an owner when the write ends.
  var added: Set<ObjectID> = []
  /// The objects that had the unique values of another one when a property was set. This must no
  /// longer be so when the write ends.
  var contested: Set<ObjectID> = []

  /// The tables of the classes that links lead to, by the position of the property, as far as they
  /// were looked up.
  // Safe: the session keeps its tables, also previous ones.
  @safe @exclusivity(unchecked) private var unsafeTargets: [Unmanaged<ClassTable>?] = unsafe []

  package final var objects: Table { handles.objects }
  package final var keys: Table? { handles.keys }
  /// The indexes of properties, by position, without those that a transition is still building.
  package final var indexes: [Int: Table] { handles.ofProperties }
  /// The indexes of several properties, and the unique and full-text ones.
  package final var classIndexes: [TableIndex] { handles.ofClass }
  package final var overflowTable: Table? { handles.overflow }
  package var name: String { resolved.name }
  package var session: Session { unsafe unsafeSession.takeUnretainedValue() }

  /// Calls `body` with the session, without counting references.
  @inline(__always)
  final func withSession<Result>(_ body: (Session) throws -> Result) rethrows -> Result {
    try unsafe unsafeSession._withUnsafeGuaranteedRef(body)
  }

  /// Returns the table of the class that the links of a property lead to, or nil.
  package final func unsafeTarget(of position: Int) -> Unmanaged<ClassTable>? {
    if unsafe position < unsafeTargets.count, let known = unsafe unsafeTargets[position],
      unsafe known._withUnsafeGuaranteedRef(\.isShown)
    {
      return unsafe known
    }
    return unsafe findTarget(of: position)
  }

  @inline(never)
  private final func findTarget(of position: Int) -> Unmanaged<ClassTable>? {
    guard let name = resolved.properties[position].type.linkedClass,
      let table = session.find(name)
    else { return nil }
    if unsafe unsafeTargets.isEmpty {
      unsafe unsafeTargets = Array(repeating: nil, count: resolved.properties.count)
    }
    unsafe unsafeTargets[position] = .passUnretained(table)
    return unsafe .passUnretained(table)
  }

  /// Records that a property of an object is read, if the session tracks that. Returns false if it
  /// does not, and if the epoch of the row is not the current one.
  package final func noteRead(of id: ObjectID, _ position: Int?, at epoch: UInt64) -> Bool {
    withSession { session in
      guard session.tracksReads, epoch == session.rowEpoch else { return false }
      if let position { session.noteRead(of: id, position, in: self) }
      return true
    }
  }

  /// Records that a property of an object is read, if the session tracks that.
  package final func noteRead(of id: ObjectID, _ position: Int) {
    withSession { $0.noteRead(of: id, position, in: self) }
  }

  /// Invalidates the bytes that were read before.
  final func didWrite() { clock.value &+= 1 }

  /// The place of the objects of a table.
  enum Role {
    /// The tables of the class.
    case stored
    /// The tables of the class, whose records are read in a past shape.
    case past
    /// Elsewhere. A subclass knows where.
    case elsewhere
  }

  init(
    _ resolved: ResolvedClass, _ handles: ClassHandles, in session: Session,
    as role: Role = .stored
  ) {
    self.resolved = resolved
    written = resolved.written.view
    self.handles = handles
    unsafe unsafeSession = .passUnretained(session)
    clock = session.clock
    isOfMigration = role == .elsewhere
    converts =
      role == .stored && resolved.isInTransition
      && session.conversions?.canConvert(resolved.entry) == true
    // A rewrite verifies its reads.
    verifiesReads = role != .elsewhere && session.file.verifiesReads
    ownedLinks = role == .elsewhere ? [] : session.shown.linksToEmbedded(of: resolved)
    records = RecordTables(
      resolved, handles.objects, overflow: handles.overflow, handles.all)
    // The check whether an embedded object already has an owner needs the index at once.
    pendingEntries =
      role == .stored && ownedLinks.isEmpty
      ? PendingEntries(handles.all, of: resolved, beside: session.file.path) : nil
    encoder = RecordEncoder(resolved)
    encoder.begin()
    changes = RecordEncoder(resolved)
    emptyBuffer = ByteBuffer(encoder.bytes.array)
  }

  // MARK: Where the objects are

  // These methods are here, and not with others of their kind, because ``NewObjectTable`` overrides
  // them: the new objects of a migration are not yet in the tables of the class.

  /// Returns the verified record of an object, or nil if the object does not exist.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  /// - Complexity: O(log *n*).
  package func record(_ id: ObjectID) throws -> PageBytes? {
    try withSession { try record(id, in: $0.objectView, $0.conversions) }
  }

  /// Returns whether an object exists. Its record must be sound, but need not be convertible.
  package func contains(_ id: ObjectID) throws -> Bool {
    if isOfMigration { return try record(id) != nil }
    return try storedRecord(id, in: withSession { $0.objectView }) != nil
  }

  /// Returns the overflow of an object.
  package func overflow(of id: ObjectID) -> Overflow {
    withSession { overflow(of: id, in: $0.objectView, $0.conversions) }
  }

  /// Returns the primary key of an object, for messages.
  package func primaryKey(of id: ObjectID) -> PropertyValue? {
    if let key = resolved.key(of: id) { return key }
    guard let position = resolved.primaryKeyIndex, let record = try? record(id) else { return nil }
    return try? value(position, of: record, id)
  }

  /// Returns the object with a primary key, or nil.
  package func find(_ key: PropertyValue) throws -> ObjectID? {
    try session.requireOpen()
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: name)
    }
    if resolved.isClustered {
      guard case .int(let number) = key else { return nil }
      let id = ObjectID(clusteredKey: number)
      return try contains(id) ? id : nil
    }
    // Values of two types may have the same encoding.
    guard let keys, key.mayBeKey(as: resolved.properties[position].type) else { return nil }
    let bytes = KeyEncoding.encoding(of: key, isOptional: false)
    let view = withSession { $0.objectView }
    guard let entry = try view.value(keys, bytes), entry.count == 8 else { return nil }
    let id = ObjectID(rawValue: UInt64(littleEndian: entry.load(UInt64.self, at: 0)))
    // Long strings share a key if their hashes are equal, so the object itself is compared.
    if KeyEncoding.isTruncated(key) {
      guard let record = try record(id) else { return nil }
      return try value(position, of: record, id) == key ? id : nil
    }
    return id
  }

  /// Returns the object with a primary key and its record, or nil. This is one look-up if the
  /// object IDs are the keys.
  package func findRecord(_ key: PropertyValue) throws -> (id: ObjectID, record: PageBytes)? {
    if resolved.isClustered {
      try session.requireOpen()
      guard case .int(let number) = key else { return nil }
      let id = ObjectID(clusteredKey: number)
      return try record(id).map { (id, $0) }
    }
    guard let id = try find(key), let record = try record(id) else { return nil }
    return (id, record)
  }

  /// Returns the objects that link to another through a property, and how often, in the order of
  /// their IDs.
  package func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [(id: ObjectID, count: Int)] {
    guard let index = indexes[position] else { return [] }
    return try resolved.sources(
      position, linkingTo: target, of: classID, in: index, session.view)
  }

  /// Returns an object ID that no object of this class has ever had.
  package func takeObjectID() throws -> ObjectID {
    try requireInFile()
    let view = try session.requireAdding("add an object")
    while true {
      let stored = try nextObjectID ?? nextObjectIDInFile() ?? 1
      let taken = session.file.takeObjectID(resolved.id, atLeast: stored)
      nextObjectID = taken &+ 1
      // A class that was clustered may have objects with higher IDs.
      let isFree = try records.bound(view).map { taken > $0.rawValue } ?? true
      if try isFree || view.reading.value(objects, taken) == nil {
        return ObjectID(rawValue: taken)
      }
    }
  }

  /// Returns whether an object can be linked to.
  package func linkState(_ id: ObjectID) throws -> LinkState {
    try contains(id) ? .isThere : .isUnknown
  }

  /// Returns an object ID for a new object. It is derived from the primary key if possible.
  package func takeObjectID(forKey key: Int64) throws -> ObjectID {
    ObjectID(clusteredKey: key)
  }

  /// Adds the object that the encoder holds.
  ///
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `duplicateValues` or
  ///   `embeddedHasOwner`; nothing is added then.
  package func insertEncoded(_ id: ObjectID) throws {
    let view = try withSession { try $0.requireAdding("add an object") }
    try requireInFile()
    if resolved.isClustered { try requireFreeKey(id, in: view) }
    let record = try encoder.finish(id)
    try insert(RecordChange(id, from: nil, to: record, encoder.pending.ifAny), in: view)
    didWrite()
    if resolved.isEmbedded, session.checksOwners { added.insert(id) }
  }

  /// Replaces an object's record by the one that the encoder holds.
  package func replaceEncoded(_ id: ObjectID) throws {
    _ = try session.requireWriting("change an object")
    let new = try encoder.finish(id)
    let old = try soundStoredRecord(id)
    try apply(RecordChange(id, from: old, to: new, encoder.pending.ifAny))
    didWrite()
  }

  /// Changes properties of an object at once. `change` works on a copy of its record.
  ///
  /// - Parameter position: The position of the property that changes, or nil if it may be any.
  package func update(
    _ id: ObjectID, at position: Int? = nil, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    try changeAtOnce(id, at: position, defersUnique: false, change)
  }

  private func changeAtOnce(
    _ id: ObjectID, at position: Int?, defersUnique: Bool,
    _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    _ = try withSession { try $0.requireWriting("change an object") }
    try beginChange(id)
    try change(&changes)
    records.counts?.didChange(position)
    try writeChange(id, defersUnique: defersUnique)
    didWrite()
  }

  /// Changes a property of an object. The next changes of the object may be written together with
  /// it. Whether its values are unique is checked when the write ends.
  ///
  /// An error that occurs later fails the write that the change belongs to.
  ///
  /// - Returns: The changed record in the layout that the class writes, valid until the next write,
  ///   or nil if it must be looked up.
  @discardableResult
  package func set(
    _ id: ObjectID, at position: Int, _ change: (inout RecordEncoder) throws -> Void
  ) throws -> PageBytes? {
    if isChangedAtOnce(position) {
      try changeAtOnce(id, at: position, defersUnique: true, change)
      return nil
    }
    if changing != id {
      _ = try withSession { try $0.requireWriting("change an object") }
      try beginChange(id)
      try change(&changes)
      changing = id
    } else {
      try change(&changes)
    }
    withSession { $0.didChange(in: self) }
    records.counts?.didChange(position)
    // The cursor stays valid, because nothing is written yet.
    records.keepCursor(in: clock.value)
    // Strings that were replaced remain in the copy.
    if changes.bytes.count > RecordEncoder.recordLimit {
      session.finishChange()
      return nil
    }
    return changes.pending.isEmpty ? changes.bytes : nil
  }

  /// Returns the record of an object with all changes. A change of it then needs no search. The
  /// record is valid until the next write.
  package func recordToChange(_ id: ObjectID) throws -> PageBytes? {
    guard withSession({ $0.isWriting }) else { return try record(id) }
    if changing == id, changes.pending.isEmpty { return changes.bytes }
    return try storedRecordToChange(id).map { try converted($0, id) }
  }

  /// Returns the stored record of an object, found by the cursor that changes use, or nil if the
  /// object does not exist. It is valid until the next write.
  final func storedRecordToChange(_ id: ObjectID) throws -> PageBytes? {
    withSession { $0.finishChange() }
    if records.isBehindAll(id) { return nil }
    let view = withSession { $0.currentView }
    guard let record = try records.record(of: id, epoch: clock.value, in: view) else {
      try requireAbsence(of: id, in: view)
      return nil
    }
    return try sound(record, id)
  }

  /// Returns the first object from an ID on, in a write. ``recordToChange(_:)`` then needs no
  /// search for its record.
  package final func objectToChange(from id: ObjectID) throws -> ObjectID? {
    withSession { $0.finishChange() }
    return try records.seek(atLeast: id, epoch: clock.value, in: withSession { $0.currentView })
  }

  /// Changes a collection of an object.
  ///
  /// If `body` throws, a small collection is unchanged, and a large one keeps the changes made
  /// before. The store is consistent in both cases.
  package func editCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    _ = try session.requireWriting("change a collection")
    try convertStored(id)
    return try edit(position, of: id, body)
  }

  /// Removes an object and the embedded objects that belong to it. Links to them become nil, and
  /// elements of collections that link to them are removed.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` if the object does not exist.
  /// - Complexity: O(*k* log *n*) for *k* links. A list or a map that contains the object is
  ///   searched.
  package func remove(_ id: ObjectID) throws {
    _ = try session.requireWriting("delete an object")
    guard try contains(id) else { throw resolved.deleted(id) }
    try remove(CollectionOfOne(id))
  }

  /// Removes the objects that a function returns, until it returns nil.
  func removeEach(_ next: () -> ObjectID?) throws {
    _ = try session.requireWriting("delete objects of '\(name)'")
    var removal = ObjectRemoval()
    do {
      while let id = next() { try removal.remove(id, of: self) }
      try removal.finish()
    } catch {
      if removal.hasBegun { session.note(error) }
      throw error
    }
  }

  /// Whether objects can be added with ``appendEncoded(_:)``. Links to embedded objects must be
  /// checked one by one as objects are added.
  package var canAppend: Bool { ownedLinks.isEmpty }
}

extension ClassTable: Hashable {
  /// Returns whether both are the same table, of the same session.
  package static func == (left: ClassTable, right: ClassTable) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ClassTable {
  /// Removes objects as ``remove(_:)`` does, and ignores those that do not exist. A collection that
  /// contains many of them is searched once for all of them.
  ///
  /// If an error is thrown after the first change, the write that this belongs to fails.
  package func remove(_ ids: some Sequence<ObjectID>) throws {
    var iterator = ids.makeIterator()
    try removeEach { iterator.next() }
  }
}

extension LoadedCatalog {
  /// Returns the positions of the links of a class that lead to embedded objects.
  fileprivate func linksToEmbedded(of resolved: ResolvedClass) -> [Int] {
    resolved.links.filter { position in
      self[resolved.properties[position].type.linkedClass ?? ""]?.isEmbedded == true
    }
  }
}
