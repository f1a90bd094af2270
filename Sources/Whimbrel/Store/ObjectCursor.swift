internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A cursor over the objects of a class in the order of their IDs, or over a list of IDs.
@usableFromInline
final class ObjectCursor {
  private let session: Session
  private let name: String
  // Safe: one thread uses a cursor, one call after another. Checking exclusivity would cost as much
  // as the reads.
  @safe @exclusivity(unchecked) private var cursor: Cursor?
  @safe @exclusivity(unchecked) private var viewNumber = -1
  @safe @exclusivity(unchecked) private var reader: RecordReader
  @safe @exclusivity(unchecked) private var last: ObjectID?
  private let end: ObjectID?
  /// The IDs to visit; nil to visit the whole class.
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

  /// Returns the row of the next object, or nil at the end.
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

  /// Returns the row of the next listed object that still exists.
  @inline(never)
  private func nextListed() -> ModelRow? {
    do {
      while let id = listed?.popFirst() {
        if cursor == nil || !reader.isCurrent { try reopen() }
        // `seek` is fast when the next ID is on the current page.
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

  /// Moves to the next object, and returns whether there is one.
  @inline(__always)
  private func advance() throws -> Bool {
    if let cursor, reader.isCurrent {
      return try cursor.move(to: .next)
    }
    return try seek()
  }

  /// Moves past the last object that was visited, after a write or in another snapshot.
  @inline(never)
  private func seek() throws -> Bool {
    try reopen()
    if last?.rawValue == .max { return false }
    return try cursor?.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0) ?? false
  }

  /// Opens a cursor over the table in the current snapshot of the store.
  private func reopen() throws {
    try session.requireOpen()
    session.finishChange()
    if session.isWriting, !session.showsNewObjects, cursor != nil,
      viewNumber == session.viewNumber
    {
      // The write is still the same one, so its cursors and tables stay valid.
      return reader.follow()
    }
    viewNumber = session.viewNumber
    let table = try session.table(name)
    reader = RecordReader(session, table)
    cursor = try session.view.cursor(table.objects)
  }
}
