internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Goes through the objects of a class in the order of their IDs.
public final class ObjectCursor {
  private let session: Session
  private var table: ClassTable
  private var cursor: Cursor?
  private var generation: UInt64 = 0
  private var last: ObjectID?
  private var end: ObjectID?

  init(_ session: Session, _ table: ClassTable) {
    self.session = session
    self.table = table
    end = (try? table.objectID(at: .last)) ?? nil
  }

  /// The place of the next object, or nil.
  public func _$next() -> ModelRow? {
    guard let end else { return nil }
    do {
      guard let cursor = try advance() else { return nil }
      let id = ObjectID(rawValue: cursor.integerKey)
      guard id <= end else { return nil }
      last = id
      var row = ModelRow(session, table, id)
      let record = cursor.value
      unsafe row.layout = try table.layout(of: record, id)
      row.record = record
      row.generation = generation
      return row
    } catch {
      session.note(error)
      return nil
    }
  }

  private func advance() throws -> Cursor? {
    if let cursor, generation == session.generation {
      return try cursor.move(to: .next) ? cursor : nil
    }
    // A write, or another snapshot, since the last object: find the place again.
    try session.requireOpen()
    table = try session.table(table.name)
    generation = session.generation
    let cursor = try session.view.cursor(table.objects)
    self.cursor = cursor
    if last?.rawValue == .max { return nil }
    return try cursor.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0) ? cursor : nil
  }
}
