internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What ``Results`` of any model have in common.
public final class ObjectList {
  private let session: Session
  private let name: String
  private var ids: [ObjectID] = []
  private var generation: UInt64?

  init(_ session: Session, _ name: String) {
    self.session = session
    self.name = name
  }

  func belongs(to other: Session) -> Bool { session === other }

  private var table: ClassTable {
    guard let table = session.find(name) else {
      let error = StoreError.unknownClass(class: name, known: session.classes.map(\.name))
      preconditionFailure(error.description)
    }
    return table
  }

  /// What cannot be read counts as nothing, and the next call that can throw says
  /// why.
  private func reporting<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .storeClosed {
      preconditionFailure(error.description)
    } catch {
      session.note(error)
      return fallback
    }
  }

  var count: Int { reporting(0) { try table.count() } }

  func row(at position: Int) -> ModelRow {
    if generation != session.generation {
      ids = reporting([]) { try table.objectIDs() }
      generation = session.generation
    }
    return ModelRow(session, table, ids[position])
  }

  func row(forPrimaryKey key: PropertyValue) -> ModelRow? {
    reporting(nil) {
      let table = table
      return try table.find(key).map { ModelRow(session, table, $0) }
    }
  }

  var first: ModelRow? { end(.first) }

  var last: ModelRow? { end(.last) }

  private func end(_ step: Cursor.Step) -> ModelRow? {
    reporting(nil) {
      try table.objectID(at: step).map { ModelRow(session, table, $0) }
    }
  }

  /// A cursor before the first object.
  public func _$makeCursor() -> ObjectCursor { ObjectCursor(session, table) }
}
