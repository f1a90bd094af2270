internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A cursor over the objects of a class in the order of their IDs, or over a list of IDs.
@usableFromInline
final class ObjectCursor {
  private let session: Session
  private let name: String
  /// The class of the objects. Another store may give its name to another class.
  private let classID: ClassID
  // Safe: one thread uses a cursor, one call after another. Checking exclusivity would cost as much
  // as the reads.
  @safe @exclusivity(unchecked) private var cursor: Cursor?
  @safe @exclusivity(unchecked) private var viewNumber = -1
  @safe @exclusivity(unchecked) private var reader: RecordReader
  @safe @exclusivity(unchecked) private var last: ObjectID?
  private let end: ObjectID?
  /// Objects of the class that come next; valid while the epoch stays.
  @safe @exclusivity(unchecked) private var batch = EntryBatch()
  @safe @exclusivity(unchecked) private var position = 0
  /// The records that are known to be sound: see `ClassTable.soundRecords`.
  @safe @exclusivity(unchecked) private var sound: UInt64 = 0
  /// How many objects the next batch has at most. It grows, so that a loop that ends soon reads few.
  @safe @exclusivity(unchecked) private var limit = 1
  /// Whether the cursor is at the last object of the batch.
  @safe @exclusivity(unchecked) private var isPlaced = false
  /// The epoch in which the listed objects were found.
  private let foundEpoch: UInt64
  /// The IDs to visit; nil to visit the whole class.
  @safe @exclusivity(unchecked) private var listed: ArraySlice<ObjectID>?
  /// The lookahead that converts objects with past shapes before the loop reads them, or nil. It
  /// belongs to the view of the cursor.
  @safe @exclusivity(unchecked) private var ahead: ConversionAhead?

  init(_ session: Session, _ table: ClassTable) {
    self.session = session
    (name, classID) = (table.name, table.resolved.id)
    reader = RecordReader(session, table)
    foundEpoch = session.epoch
    do {
      end = try table.objectID(at: .last)
    } catch {
      session.note(error)
      end = nil
    }
  }

  /// - Parameter epoch: The epoch in which the objects were found. The default is the current one.
  init(
    _ session: Session, _ table: ClassTable, through ids: ArraySlice<ObjectID>,
    foundIn epoch: UInt64? = nil
  ) {
    self.session = session
    (name, classID) = (table.name, table.resolved.id)
    reader = RecordReader(session, table)
    foundEpoch = epoch ?? session.epoch
    end = nil
    listed = ids
  }

  /// Returns the row of the next object, or nil at the end.
  @usableFromInline
  func next() -> ModelRow? {
    guard let end else { return nextListed() }
    do {
      if position >= batch.count || !reader.isCurrent {
        if isInSameWrite, !reader.isCurrent { return try nextAfterChange(through: end) }
        guard try fill(through: end) else { return nil }
      }
      let id = ObjectID(rawValue: batch.key(position))
      var record = batch.value(position)
      last = id
      position += 1
      let isSound = sound & (1 << UInt64(position - 1)) != 0
      try unsafe reader.unsafeTable._withUnsafeGuaranteedRef {
        if !isSound { try $0.requireSound(record, id) }
        record = try $0.converted(record, id)
      }
      try reader.use(record, id)
      return ModelRow(reader, id, record)
    } catch {
      return unreadable(error)
    }
  }

  /// Returns the ID of the next object, or nil at the end. Most records are not read.
  func nextID() -> ObjectID? {
    guard end != nil, position < batch.count, reader.isCurrent else { return next()?.id }
    let id = ObjectID(rawValue: batch.key(position))
    last = id
    position += 1
    return id
  }

  /// Returns the row of the next object after something was written: probably the last object was
  /// changed, and the next one will be, too. So it is found by the cursor that changes use, which
  /// then need not look for it, nor verify it, again.
  @inline(never)
  private func nextAfterChange(through end: ObjectID) throws -> ModelRow? {
    batch.removeAll()
    (position, limit, isPlaced) = (0, 1, false)
    if last?.rawValue == .max { return nil }
    let first = ObjectID(rawValue: last.map { $0.rawValue + 1 } ?? 0)
    return try unsafe reader.unsafeTable._withUnsafeGuaranteedRef { table in
      guard let id = try table.objectToChange(from: first), id <= end else { return nil }
      last = id
      let record = try table.recordToChange(id)
      reader.follow()
      guard let record else { return nil }
      try reader.use(record, id)
      return ModelRow(reader, id, record)
    }
  }

  /// Whether the write is still the one in which the cursor was opened: its cursors and tables stay
  /// valid.
  private var isInSameWrite: Bool {
    session.isWriting && !session.showsNewObjects && cursor != nil
      && viewNumber == session.viewNumber
  }

  /// Whether the objects are those of a migration or a rule, which are not in the table of the class.
  private var isElsewhere: Bool {
    unsafe reader.unsafeTable._withUnsafeGuaranteedRef { $0.isOfMigration }
  }

  /// Returns the row of the next listed object that still exists.
  @inline(never)
  private func nextListed() -> ModelRow? {
    while let id = listed?.popFirst() {
      last = id
      do {
        if isElsewhere {
          try session.requireOpen()
          if let row = try session.row(of: id, in: session.table(name)) { return row }
          continue
        }
        if cursor == nil || !reader.isCurrent, try !reopen() { break }
        if let ahead {
          let record = ahead.record(of: id)
          reader.follow()
          if let record {
            try reader.use(record, id)
            return ModelRow(reader, id, record)
          }
        }
        // Neighbors are found on the page at hand.
        guard let cursor, try cursor.seek(to: id.rawValue) else {
          if !session.isWriting, session.epoch == foundEpoch {
            session.note(try session.table(name).missing(id))
          }
          continue
        }
        var record = cursor.value
        ahead?.note(record)
        try unsafe reader.unsafeTable._withUnsafeGuaranteedRef {
          try $0.requireSound(record, id)
          record = try $0.converted(record, id)
        }
        try reader.use(record, id)
        return ModelRow(reader, id, record)
      } catch {
        if let row = unreadable(error) { return row }
      }
    }
    return nil
  }

  /// Notes an error, and returns the place of the object that cannot be read, which reads as empty;
  /// nil if no object can be read any more.
  @inline(never)
  private func unreadable(_ error: any Error) -> ModelRow? {
    session.note(error)
    guard let last, !session.isClosed, let table = session.find(name),
      (error as? StoreError)?.code == .damaged
    else {
      listed = nil
      return nil
    }
    return ModelRow(unreadable: last, in: table, session)
  }

  /// Reads objects that come after the last one, and returns whether there are any.
  @inline(never)
  private func fill(through end: ObjectID) throws -> Bool {
    if cursor == nil || !reader.isCurrent {
      batch.removeAll()
      guard try reopen() else { return false }
      (limit, isPlaced) = (1, false)
    }
    position = 0
    if last?.rawValue == .max { return false }
    guard let cursor else { return false }
    if let ahead, let last {
      let isFilled = ahead.fill(&batch, after: last)
      reader.follow()
      if isFilled {
        (sound, isPlaced) = (.max, false)
        return true
      }
      if ahead.isAhead { (limit, isPlaced) = (1, false) }
    }
    let first = isPlaced ? nil : last.map { $0.rawValue + 1 } ?? 0
    isPlaced = true
    guard
      try batch.fill(cursor, from: first, through: end.rawValue, touching: nil, upTo: limit)
    else { return false }
    limit = min(limit * 4, 64)
    ahead?.note(batch)
    sound = unsafe reader.unsafeTable._withUnsafeGuaranteedRef { $0.soundRecords(batch) }
    return true
  }

  /// Opens a cursor over the table in the current snapshot of the store. Returns false if another
  /// class has the name now, so that the objects are deleted.
  private func reopen() throws -> Bool {
    try session.requireOpen()
    session.finishChange()
    if isInSameWrite {
      reader.follow()
      return true
    }
    let isOtherView = viewNumber != session.viewNumber
    viewNumber = session.viewNumber
    let table = try session.table(name)
    guard table.resolved.id == classID else {
      (cursor, listed) = (nil, listed == nil ? nil : [])
      return false
    }
    reader = RecordReader(session, table)
    cursor = try session.view.cursor(table.objects)
    if isOtherView {
      ahead = ConversionAhead(
        table, end.map { .all(after: last, through: $0) } ?? .listed(listed ?? []))
    }
    return true
  }
}
