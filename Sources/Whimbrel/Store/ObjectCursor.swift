internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Goes through the objects of a class in the order of their IDs, or through those that
/// were found before.
@usableFromInline
final class ObjectCursor {
  private let session: Session
  private let name: String
  // Safe: a cursor is used by one call after the other, on one thread; the checks
  // of that would cost as much as the reads.
  @safe @exclusivity(unchecked) private var cursor: Cursor?
  @safe @exclusivity(unchecked) private var viewNumber = -1
  @safe @exclusivity(unchecked) private var reader: RecordReader
  @safe @exclusivity(unchecked) private var last: ObjectID?
  private let end: ObjectID?
  /// Those to go through, or nil for all of the class.
  @safe @exclusivity(unchecked) private var listed: ArraySlice<ObjectID>?

  init(_ session: Session, _ table: ClassTable) {
    self.session = session
    name = table.name
    reader = RecordReader(session, table)
    do {
      end = try table.objectID(at: .last)
    } catch {
      session.note(error)
      end = nil
    }
  }

  init(_ session: Session, _ table: ClassTable, through ids: ArraySlice<ObjectID>) {
    self.session = session
    name = table.name
    reader = RecordReader(session, table)
    end = nil
    listed = ids
  }

  /// The place of the next object, or nil.
  @usableFromInline
  func next() -> ModelRow? {
    guard let end else { return nextListed() }
    do {
      guard try advance() else { return nil }
      guard let cursor else { return nil }
      let id = ObjectID(rawValue: cursor.integerKey)
      guard id <= end else { return nil }
      last = id
      let record = cursor.value
      try reader.use(record, id)
      return ModelRow(reader, id, record)
    } catch {
      session.note(error)
      return nil
    }
  }

  /// The next of those listed that is still there.
  @inline(never)
  private func nextListed() -> ModelRow? {
    do {
      while let id = listed?.popFirst() {
        if cursor == nil || !reader.isCurrent { try reopen() }
        // Neighbors are found on the page at hand.
        guard let cursor, try cursor.seek(to: id.rawValue) else { continue }
        let record = cursor.value
        try reader.use(record, id)
        return ModelRow(reader, id, record)
      }
    } catch {
      session.note(error)
      listed = nil
    }
    return nil
  }

  /// Goes to the next object, and returns whether there is one.
  @inline(__always)
  private func advance() throws -> Bool {
    if let cursor, reader.isCurrent {
      return try cursor.move(to: .next)
    }
    return try seek()
  }

  /// Finds the place again, after a write or in another snapshot.
  @inline(never)
  private func seek() throws -> Bool {
    try reopen()
    if last?.rawValue == .max { return false }
    return try cursor?.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0) ?? false
  }

  /// Opens the table as the store shows it now.
  private func reopen() throws {
    try session.requireOpen()
    session.finishChange()
    if session.isWriting, !session.showsNewObjects, cursor != nil,
      viewNumber == session.viewNumber
    {
      // The write is the same: its cursors and tables stay.
      return reader.follow()
    }
    viewNumber = session.viewNumber
    let table = try session.table(name)
    reader = RecordReader(session, table)
    cursor = try session.view.cursor(table.objects)
  }
}
