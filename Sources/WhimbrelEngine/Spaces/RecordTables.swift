internal import WhimbrelLMDB

/// The tables of the objects of one class: records, overflow and indexes.
///
/// Every object that is created, changed or deleted passes through ``write(_:_:in:epoch:)``, in a
/// store and in a migration. Only elements of large collections change in place: see
/// `CollectionHost`.
///
/// Errors about damaged records do not name the object. The caller adds it.
// Safe: `openCursor` keeps the cursor to which the class has a reference that is not counted.
@safe
final class RecordTables {
  let resolved: ResolvedClass
  let objects: Table
  /// The table of the overflow, or nil for a file of format 1, which is only read.
  let overflow: Table?
  /// The indexes that a change updates. The index of the primary key comes first.
  // Safe, here and below: a table is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) var indexes: [TableIndex]
  /// An upper bound of all object IDs, or nil if it is not known.
  @safe @exclusivity(unchecked) var upperBound: ObjectID?
  @safe @exclusivity(unchecked) private var openCursor: Cursor?
  /// The same cursor, used without counting references.
  // Safe: as above, and `openCursor` keeps it.
  @safe @exclusivity(unchecked) private var unsafeCursor: Unmanaged<Cursor>?
  /// The object at whose record the cursor is, and the epoch of the session in which it is there.
  @safe @exclusivity(unchecked) private var sought: (id: ObjectID, epoch: UInt64, isVerified: Bool)?
  /// The object whose record the cursor has replaced, or nil once the cursor has moved.
  @safe @exclusivity(unchecked) private var replaced: ObjectID?
  @safe @exclusivity(unchecked) private var scratch = KeyBuffer()
  /// The counts of changes, or nil while no results are cached: see Session+Watching.swift.
  @safe @exclusivity(unchecked) var counts: ContentCounts?

  init(_ resolved: ResolvedClass, _ objects: Table, overflow: Table?, _ indexes: [TableIndex] = [])
  {
    self.resolved = resolved
    self.objects = objects
    self.overflow = overflow
    self.indexes = indexes
  }
}

// MARK: - Transactions

extension RecordTables {
  /// Calls `body` with the cursor that all changes in a transaction share. `body` moves it.
  @inline(__always)
  private func moveCursor<Result>(
    _ view: ReadView, _ body: (Cursor) throws -> Result
  ) throws -> Result {
    (sought, replaced) = (nil, nil)
    if unsafe unsafeCursor == nil { try open(view) }
    return try withCursor(body)
  }

  private func open(_ view: ReadView) throws {
    let opened = try view.cursor(objects)
    openCursor = opened
    unsafe unsafeCursor = .passUnretained(opened)
  }

  /// Calls `body` with the open cursor.
  @inline(__always)
  private func withCursor<Result>(_ body: (Cursor) throws -> Result) throws -> Result {
    guard let unsafeCursor else { preconditionFailure("No cursor is open.") }
    return try unsafe unsafeCursor._withUnsafeGuaranteedRef(body)
  }

  /// Moves the cursor to the record of an object, unless it is there. Returns false if the object
  /// does not exist.
  @inline(__always)
  private func place(at id: ObjectID, epoch: UInt64, in view: ReadView) throws -> Bool {
    if let sought, sought.id == id, sought.epoch == epoch { return true }
    return try seek(id, epoch, view)
  }

  private func seek(_ id: ObjectID, _ epoch: UInt64, _ view: ReadView) throws -> Bool {
    let isThere = try moveCursor(view) { cursor in try cursor.seek(to: id.rawValue) }
    if isThere { sought = (id, epoch, false) }
    return isThere
  }

  /// Returns the stored record of an object, or nil if the object does not exist. The cursor is at
  /// the record then.
  ///
  /// - Parameter epoch: The epoch of the session. While it is the same, the cursor stays in place.
  func record(of id: ObjectID, epoch: UInt64, in view: ReadView) throws -> PageBytes? {
    guard try place(at: id, epoch: epoch, in: view) else { return nil }
    return try withCursor { cursor in cursor.value }
  }

  /// Moves the cursor to the first object from an ID on, and returns its ID, or nil if none exists.
  func seek(atLeast id: ObjectID, epoch: UInt64, in view: ReadView) throws -> ObjectID? {
    let isNext = id.rawValue > 0 && replaced?.rawValue == id.rawValue - 1
    let found = try moveCursor(view) { cursor -> ObjectID? in
      guard try isNext ? cursor.step(toAtLeast: id.rawValue) : cursor.seek(atLeast: id.rawValue)
      else { return nil }
      return ObjectID(rawValue: cursor.integerKey)
    }
    if let found { sought = (found, epoch, false) }
    return found
  }

  /// Returns whether an ID is known to be higher than those of all objects.
  func isBehindAll(_ id: ObjectID) -> Bool { upperBound.map { id > $0 } ?? false }

  /// Keeps the position of the cursor in a new epoch, in which nothing was written.
  func keepCursor(in epoch: UInt64) { sought?.epoch = epoch }

  /// Returns whether the record at the cursor belongs to an object and is known to be sound.
  func isVerified(_ id: ObjectID) -> Bool { sought?.id == id && sought?.isVerified == true }

  /// Notes that the record at the cursor, which belongs to an object, is sound.
  func didVerify(_ id: ObjectID) { if sought?.id == id { sought?.isVerified = true } }

  /// Forgets the cursor of the transaction.
  func endTransaction() {
    (openCursor, sought, replaced) = (nil, nil, nil)
    unsafeCursor = nil
  }

  /// Returns the highest object ID, or nil if there is no object.
  func bound(_ view: WriteView) throws -> ObjectID? {
    if let upperBound { return upperBound }
    upperBound = try moveCursor(view.reading) { cursor in
      try cursor.move(to: .last) ? ObjectID(rawValue: cursor.integerKey) : nil
    }
    return upperBound
  }

  /// Adds a record behind all others.
  func append(_ record: PageBytes, _ id: ObjectID, in view: WriteView) throws {
    counts?.didChangeObjects()
    try moveCursor(view.reading) { cursor in try cursor.append(id.rawValue, record) }
    upperBound = id
  }

  /// Returns the overflow of an object.
  func overflow(of id: ObjectID, in view: ReadView) -> Overflow {
    Overflow(view, overflow, id, seed: resolved.checksumSeed(id))
  }

  /// Returns a writer of the overflow of an object.
  func overflowWriter(of id: ObjectID, in view: WriteView) throws -> OverflowWriter {
    guard let overflow else { throw StoreError.readOnlyStore(verb: "write") }
    return OverflowWriter(view: view, table: overflow, id: id, seed: resolved.checksumSeed(id))
  }

  /// The tables of the objects, of their overflow and of their indexes.
  var all: [Table] { [objects] + [overflow].compactMap(\.self) + indexes.map(\.table) }

  /// Removes all objects.
  func empty(in view: WriteView) throws {
    counts?.didChangeObjects()
    for table in all { try view.empty(table) }
    upperBound = nil
    endTransaction()
  }
}

// MARK: - Lookups

extension RecordTables {
  /// Writes the entries of a change to one index that other changes do not update yet. Returns the
  /// approximate number of bytes.
  func index(
    _ change: RecordChange, in index: TableIndex, _ view: WriteView
  ) throws -> Int {
    let stored = overflow(of: change.id, in: view.reading)
    let added = try entries(of: change.new, resolved.written, change.id, stored, in: index)
    return try IndexChange(index, from: [], to: added)?.apply(view) ?? 0
  }

  /// Marks an object of a migration as deleted before its turn.
  func putTombstone(_ id: ObjectID, in view: WriteView) throws {
    let bound = try bound(view)
    var mark = UInt64(RecordLayout.tombstone.rawValue).littleEndian
    try PageBytes.with(&mark) { mark throws(LMDBError) in
      _ = try view.put(objects, id.rawValue, mark)
    }
    upperBound = max(bound ?? id, id)
  }
}

// MARK: - Changes

extension RecordTables {
  /// Returns the index entries that a change adds and removes.
  ///
  /// Call this before the first write, which invalidates the bytes of the old record.
  ///
  /// - Parameter omitted: The positions of the indexes to skip.
  func indexChanges(
    of change: RecordChange, in view: WriteView, omitting omitted: Set<Int> = []
  ) throws -> [IndexChange] {
    if indexes.count == omitted.count { return [] }
    let (stored, written) = (overflow(of: change.id, in: view.reading), resolved.written)
    let layout = try change.old.map(resolved.requiredLayout) ?? written
    var changes: [IndexChange] = []
    for place in indexes.indices where !omitted.contains(place) {
      let isComplete = !indexes[place].isBuilding || change.old.map(resolved.isStale) != true
      if isComplete,
        indexes[place].positions.allSatisfy({ change.keeps($0, layout, written) })
      {
        continue
      }
      let index = indexes[place]
      let old = try entries(of: change.old, layout, change.id, stored, in: index)
      let new = try entries(
        of: change.new, written, change.id, change.newOverflow(over: stored), in: index)
      if let found = IndexChange(index, from: old, to: new) { changes.append(found) }
    }
    return changes
  }

  /// Returns the entries of an object in an index, given its record.
  private func entries(
    of record: PageBytes?, _ layout: ResolvedLayout, _ id: ObjectID, _ overflow: Overflow,
    in index: TableIndex
  ) throws -> [IndexEntry] {
    guard let record else { return [] }
    var entries: [IndexEntry] = []
    try index.forEachEntry(
      of: record, layout, id, overflow, in: resolved, using: &scratch
    ) { key, content in entries.append(IndexEntry(key: key.array, content: content.array)) }
    return entries
  }

  /// Writes a change of an object: its record, its index entries and its overflow.
  ///
  /// - Parameters:
  ///   - changes: The changes of the indexes: see ``indexChanges(of:in:omitting:)``.
  ///   - epoch: The epoch of the session: see ``record(of:epoch:in:)``. Nil if the old record is no
  ///     longer in the table.
  /// - Returns: The approximate number of bytes written.
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey` or `objectDeleted`; nothing is changed then.
  @discardableResult
  func write(
    _ change: RecordChange, _ changes: [IndexChange], in view: WriteView, epoch: UInt64? = nil
  ) throws -> Int {
    let overflowing =
      if let old = change.old { try propertiesWithOverflow(old) } else { [PropertyID]() }
    var size = change.new?.count ?? 0
    if let counts { change.count(in: counts) }
    // The key comes first: if it belongs to another object, nothing has been written yet.
    if let key = changes.first, key.index.isOfKey { try putKey(key, of: change, view) }
    try putRecord(change, view, epoch)
    for entry in changes where !entry.index.isOfKey { size += try entry.apply(view) }
    if change.pending != nil || !overflowing.isEmpty {
      size += try putOverflow(change, overflowing, view)
    }
    sought = nil
    return size
  }

  private func putKey(_ entry: IndexChange, of change: RecordChange, _ view: WriteView) throws {
    for added in entry.added {
      guard try view.put(entry.index.table, added.key, added.content, .ifAbsent) else {
        throw duplicateKey(try newPrimaryKey(of: change, in: view))
      }
    }
    for removed in entry.removed {
      try PageBytes.with(removed.key) { key throws(LMDBError) in
        _ = try view.remove(entry.index.table, key)
      }
    }
  }

  private func putRecord(_ change: RecordChange, _ view: WriteView, _ epoch: UInt64?) throws {
    let id = change.id
    guard let record = change.new else {
      _ = try moveCursor(view.reading) { cursor in try cursor.remove(id.rawValue) }
      return
    }
    if let old = change.old {
      guard old.count == record.count, let epoch else {
        _ = try put(id, record, .replacing, view.reading)
        return
      }
      guard try place(at: id, epoch: epoch, in: view.reading) else { throw resolved.deleted(id) }
      try withCursor { cursor in try cursor.replace(id.rawValue, record) }
      replaced = id
    } else if let bound = try bound(view), id <= bound {
      guard try put(id, record, .ifAbsent, view.reading) else {
        let hasKey = resolved.primaryKeyIndex != nil
        throw duplicateKey(.int(hasKey ? id.clusteredKey : Int64(truncatingIfNeeded: id.rawValue)))
      }
    } else {
      try append(record, id, in: view)
    }
  }

  /// Puts a record under an ID. Returns false if there is one already that must stay.
  private func put(
    _ id: ObjectID, _ record: PageBytes, _ placement: WriteView.Placement, _ view: ReadView
  ) throws -> Bool {
    try moveCursor(view) { cursor in try cursor.put(id.rawValue, record, placement) }
  }

  /// Writes the new overflow, and removes the overflow that the record no longer refers to. The new
  /// one comes first: it may be a copy of what is removed.
  private func putOverflow(
    _ change: RecordChange, _ overflowing: [PropertyID], _ view: WriteView
  ) throws -> Int {
    let writer = try overflowWriter(of: change.id, in: view)
    guard let new = change.new else {
      try writer.removeAll()
      return 0
    }
    let size = try change.pending.map(writer.write) ?? 0
    if !overflowing.isEmpty {
      let kept = resolved.written.layout.propertiesWithOverflow(new)
      for property in overflowing where !kept.contains(property) {
        try writer.removeAll(of: property)
      }
    }
    return size
  }

  /// Returns the properties of a stored record whose values are in overflow.
  private func propertiesWithOverflow(_ record: PageBytes) throws -> [PropertyID] {
    let layout = try resolved.requiredLayout(of: record)
    return layout.hasOverflow(record) ? layout.layout.propertiesWithOverflow(record) : []
  }

  /// Returns the value that a property has after a change.
  func newValue(
    _ position: Int, of change: RecordChange, in view: WriteView
  ) throws -> PropertyValue {
    guard let new = change.new else { return .null }
    return try resolved.written.value(
      position, of: new, change.newOverflow(over: overflow(of: change.id, in: view.reading)))
  }

  private func newPrimaryKey(of change: RecordChange, in view: WriteView) throws -> PropertyValue {
    try resolved.primaryKeyIndex.map { try newValue($0, of: change, in: view) } ?? .null
  }

  /// Returns the error for a primary key that another object already has. In a class without a
  /// primary key this is the object ID.
  func duplicateKey(_ key: PropertyValue) -> StoreError {
    let property = resolved.primaryKeyIndex.map { resolved.properties[$0].name }
    return StoreError.duplicatePrimaryKey(
      class: resolved.name, property: property ?? "object ID", key: key)
  }
}
