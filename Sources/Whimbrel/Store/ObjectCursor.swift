internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Goes through the objects of a class in the order of their IDs.
public final class ObjectCursor {
  private let session: Session
  private let name: String
  // Safe: a cursor is used by one call after the other, on one thread; the checks
  // of that would cost as much as the reads.
  @safe @exclusivity(unchecked) private var cursor: Cursor?
  @safe @exclusivity(unchecked) private var reader: RecordReader
  @safe @exclusivity(unchecked) private var last: ObjectID?
  private let end: ObjectID?

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

  /// The place of the next object, or nil.
  public func _$next() -> ModelRow? {
    guard let end else { return nil }
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

  /// Goes to the next object, and returns whether there is one.
  @inline(__always)
  private func advance() throws -> Bool {
    if let cursor, reader.generation == reader.current.value {
      return try cursor.move(to: .next)
    }
    return try seek()
  }

  /// Finds the place again, after a write or in another snapshot.
  @inline(never)
  private func seek() throws -> Bool {
    try session.requireOpen()
    let table = try session.table(name)
    reader = RecordReader(session, table)
    let cursor = try session.view.cursor(table.objects)
    self.cursor = cursor
    if last?.rawValue == .max { return false }
    return try cursor.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0)
  }
}
