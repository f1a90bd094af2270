internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What ``Results`` of any model have in common: a request, and its answer for as long
/// as the store shows the same.
public final class ObjectList {
  let session: Session
  let request: QueryRequest
  /// Whether these are all objects of the class, whose answer is its table.
  private let isWholeClass: Bool
  private var prepared: PreparedQuery?
  /// The class for which the request is prepared.
  private var preparedTable: ClassTable?
  private var found: [ObjectID] = []
  private var generation: UInt64?
  private var countFound = 0
  private var countGeneration: UInt64?

  init(_ session: Session, _ request: QueryRequest) {
    self.session = session
    self.request = request
    isWholeClass = request.stages.isEmpty && request.source == .all
  }

  convenience init(_ session: Session, _ name: String) {
    self.init(session, QueryRequest(name))
  }

  func belongs(to other: Session) -> Bool { session === other }

  /// The same with another stage behind.
  func appending(_ stages: [QueryStage]) -> ObjectList {
    var request = request
    request.stages += stages
    return ObjectList(session, request)
  }

  private var table: ClassTable {
    guard let table = session.find(request.className) else {
      let error = StoreError.unknownClass(
        class: request.className, known: session.classes.map(\.name))
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
}

// MARK: - Answering

extension ObjectList {
  /// The request as the catalog of the moment answers it.
  ///
  /// - Throws: ``StoreError`` where a property is not there, or types do not fit.
  func query() throws -> PreparedQuery {
    try session.requireOpen()
    let table = table
    if let prepared, preparedTable === table { return prepared }
    let query = try PreparedQuery(request, in: session)
    prepared = query
    preparedTable = table
    return query
  }

  /// The same where nothing can be thrown: a request that fits no class is an error of
  /// the program.
  private func validQuery() throws -> PreparedQuery {
    try session.requireOpen()
    do {
      return try query()
    } catch let error as StoreError where error.code != .damaged {
      preconditionFailure(error.description)
    }
  }

  /// The IDs of the objects, in their order.
  var ids: [ObjectID] {
    if generation == session.generation { return found }
    found = reporting([]) {
      isWholeClass ? try table.objectIDs() : try validQuery().objectIDs()
    }
    generation = session.generation
    return found
  }

  var count: Int {
    if isWholeClass { return reporting(0) { try table.count() } }
    if generation == session.generation { return found.count }
    if countGeneration == session.generation { return countFound }
    countFound = reporting(0) { try validQuery().count() }
    countGeneration = session.generation
    return countFound
  }

  func row(of id: ObjectID) -> ModelRow { ModelRow(session, table, id) }

  /// The place of the object at a position, which must be there.
  func row(at position: Int) -> ModelRow {
    let ids = ids
    precondition(
      ids.indices.contains(position),
      """
      Could not use result \(position) of '\(request.className)': there are \(ids.count). \
      Positions begin with 0 and end before the count.
      """)
    return row(of: ids[position])
  }

  func row(forPrimaryKey key: PropertyValue) -> ModelRow? {
    reporting(nil) { try table.find(key).map { row(of: $0) } }
  }

  var first: ModelRow? {
    if isWholeClass { return end(.first) }
    if generation == session.generation { return found.first.map { row(of: $0) } }
    return reporting(nil) { try validQuery().first().map { row(of: $0) } }
  }

  var last: ModelRow? { isWholeClass ? end(.last) : ids.last.map { row(of: $0) } }

  private func end(_ step: Cursor.Step) -> ModelRow? {
    reporting(nil) { try table.objectID(at: step).map { row(of: $0) } }
  }

  /// A cursor before the first object.
  public func _$makeCursor() -> ObjectCursor {
    isWholeClass
      ? ObjectCursor(session, table) : ObjectCursor(session, table, through: ids[...])
  }
}
