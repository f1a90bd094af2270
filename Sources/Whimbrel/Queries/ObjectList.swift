internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The request of ``Results`` of any model, with its answer. The answer is cached until something
/// changes that the query reads.
@usableFromInline
final class ObjectList {
  let session: Session
  let className: String
  private let source: Source
  /// Whether the request asks for all objects of the class. The answer is then the table.
  private let isWholeClass: Bool
  private var bound: BoundQuery?
  /// The class table that the query is bound to.
  private var boundTable: ClassTable?
  private var found: [ObjectID] = []
  /// Whether damage kept the objects from being found.
  private var isUnreadable = false
  private var age = AnswerAge()
  private var countFound = 0
  private var countAge = AnswerAge()

  /// The reason why the request cannot be answered, or nil.
  let failure: (any Error)?

  private enum Source {
    case request(QueryRequest)
    /// A prepared condition, with the values of its parameters.
    case prepared(PreparedCondition, [PropertyValue])
  }

  init(_ session: Session, _ request: QueryRequest, failure: (any Error)? = nil) {
    self.session = session
    className = request.className
    source = .request(request)
    self.failure = failure
    if case .all = request.source {
      isWholeClass = request.stages.isEmpty && failure == nil
    } else {
      isWholeClass = false
    }
  }

  init(_ condition: PreparedCondition, _ values: [PropertyValue], failure: (any Error)?) {
    session = condition.session
    className = condition.request.className
    source = .prepared(condition, values)
    self.failure = failure
    isWholeClass = false
  }

  convenience init(_ session: Session, _ name: String) {
    self.init(session, QueryRequest(name))
  }

  var request: QueryRequest {
    switch source {
    case .request(let request): request
    case .prepared(let condition, let values): condition.request.filled(with: values)
    }
  }

  /// Returns the list with stages appended.
  func appending(_ stages: [QueryStage]) -> ObjectList {
    var request = request
    if request.stages.isEmpty {
      request.stages = stages
    } else {
      request.stages += stages
    }
    return ObjectList(session, request, failure: failure)
  }

  /// Returns the list with an error instead of an answer. The first error counts.
  func failing(_ error: any Error) -> ObjectList {
    ObjectList(session, request, failure: failure ?? error)
  }

  /// Returns the list with stages appended, after checking them against the class.
  ///
  /// - Throws: ``StoreError`` if a property does not exist, or if types do not match.
  func appendingChecked(_ stages: [QueryStage]) throws -> ObjectList {
    let list = appending(stages)
    _ = try list.query()
    return list
  }

  /// The table of the class. If the class has gone from the file, this is its last table, of which
  /// nothing can be read. Stops the program if the store never had the class.
  var table: ClassTable {
    session.find(className) ?? session.goneTable(className) ?? session.requiredTable(className)
  }

  private func reporting<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    session.reporting(fallback, body)
  }
}

// MARK: - Answering

extension ObjectList {
  /// Returns the request prepared for the current catalog.
  ///
  /// - Throws: ``StoreError`` if a property does not exist, or if types do not match.
  func query() throws -> BoundQuery {
    try session.requireOpen()
    if let failure { throw failure }
    let table = try session.table(className)
    if let bound, boundTable === table { return bound }
    let query =
      switch source {
      case .request(let request): try BoundQuery(request, in: session)
      case .prepared(let condition, let values): try condition.template().query(values)
      }
    bound = query
    boundTable = table
    return query
  }

  private func directLookup() throws -> DirectLookup? {
    if failure != nil { return nil }
    switch source {
    case .request(let request): return try session.table(className).directLookup(request)
    case .prepared(let condition, let values): return try condition.template().directLookup(values)
    }
  }

  /// Notes that the objects are read, if the store tracks that.
  @inline(__always)
  func noteRead() {
    if session.readTracker != nil { noteTrackedRead() }
  }

  @inline(never)
  private func noteTrackedRead() {
    session.readTracker?.noteRead { try query() }
  }

  var ids: [ObjectID] {
    noteRead()
    if isCurrent { return found }
    let ids: [ObjectID]? = reporting(nil) {
      if isWholeClass { return try session.table(className).allObjectIDs() }
      return try directLookup()?.objectIDs() ?? query().objectIDs()
    }
    (found, isUnreadable) = (ids ?? [], ids == nil)
    age.begin(in: session) { isUnreadable ? nil : try session.stamp(of: query()) }
    return found
  }

  /// Whether the objects that were found are those that the query would find now.
  private var isCurrent: Bool { age.isCurrent(in: session) }

  var count: Int {
    noteRead()
    if isWholeClass { return reporting(0) { try session.table(className).count() } }
    if isCurrent { return found.count }
    if countAge.isCurrent(in: session) { return countFound }
    let count: Int? = reporting(nil) { try query().count() }
    countFound = count ?? 0
    countAge.begin(in: session) { count == nil ? nil : try session.stamp(of: query()) }
    return countFound
  }

  /// Returns the IDs of the first objects. No others are found for them.
  func firstIDs(_ count: Int) -> ArraySlice<ObjectID> {
    isCurrent ? found.prefix(count) : appending([.limit(count)]).ids[...]
  }

  var isEmpty: Bool {
    isWholeClass || isCurrent ? count == 0 : first == nil
  }

  /// Returns the place of an object that was found. It is read at once where the store shows what
  /// it showed then: an object that is not there is damage, and reads as empty.
  ///
  /// - Parameters:
  ///   - epoch: The epoch in which the object was found. The default is the one of the list.
  ///   - known: The table in which it was found. The default is the current one.
  func row(
    of id: ObjectID, foundIn epoch: UInt64? = nil, in known: ClassTable? = nil
  ) -> ModelRow {
    let table = known.map { session.current($0) ?? $0 } ?? table
    guard isCurrent, epoch == nil || epoch == session.epoch else {
      return ModelRow(session, table, id)
    }
    do {
      guard let row = try session.row(of: id, in: table) else { throw table.missing(id) }
      return row
    } catch {
      session.note(error)
      return ModelRow(unreadable: id, in: table, session)
    }
  }

  /// Returns the row of the object at an index. An index out of range stops the program.
  func row(at position: Int) -> ModelRow {
    let ids = ids
    // The objects may have been counted and cannot be found: the error is noted.
    if isUnreadable { return ModelRow(unreadable: ObjectID(rawValue: 0), in: table, session) }
    requirePosition(position, in: ids.indices)
    return row(of: ids[position])
  }

  /// Returns the IDs at a range of indexes. An index out of range stops the program.
  func ids(at bounds: Range<Int>) -> ArraySlice<ObjectID> {
    let ids = ids
    if isUnreadable {
      return Array(repeating: ObjectID(rawValue: 0), count: bounds.upperBound)[bounds]
    }
    requirePositions(bounds, in: ids.indices)
    return ids[bounds]
  }

  /// Stops the program if a range of indexes is out of range: see ``requirePosition(_:in:)``.
  func requirePositions(_ bounds: Range<Int>, in range: Range<Int>) {
    if bounds.lowerBound < range.lowerBound { requirePosition(bounds.lowerBound, in: range) }
    if bounds.upperBound > range.upperBound { requirePosition(bounds.upperBound - 1, in: range) }
  }

  /// Stops the program if the index of an object is out of range, which is a programming error.
  func requirePosition(_ position: Int, in range: Range<Int>) {
    if !range.contains(position) { stop("object", position, range, "Results") }
  }

  /// Stops the program if the index of a section is out of range, which is a programming error.
  func requireSection(_ position: Int, in range: Range<Int>) {
    if !range.contains(position) { stop("section", position, range, "Sections") }
  }

  /// Stops the program at an index out of range. A closed store has no positions at all.
  private func stop(
    _ noun: String, _ position: Int, _ range: Range<Int>, _ liveOnes: String
  ) -> Never {
    if session.isClosed { stopProgram(StoreError.storeClosed(path: session.file.path).description) }
    stopProgram(
      """
      Could not use \(noun) \(position) of the results of '\(className)': positions \
      begin at \(range.lowerBound) and end before \(range.upperBound). \(liveOnes) are live: \
      iterate over them, or read their count again after a change.
      """)
  }

  var first: ModelRow? {
    noteRead()
    if isWholeClass { return end(.first) }
    if isCurrent { return found.first.map { row(of: $0) } }
    return reporting(nil) {
      if let lookup = try directLookup() {
        return try lookup.first().flatMap { try session.row(of: $0, in: lookup.table) }
      }
      return try query().first().map { row(of: $0) }
    }
  }

  var last: ModelRow? { isWholeClass ? end(.last) : ids.last.map { row(of: $0) } }

  private func end(_ step: Cursor.Step) -> ModelRow? {
    noteRead()
    return reporting(nil) {
      try session.table(className).objectID(at: step).map { row(of: $0) }
    }
  }

  @usableFromInline
  func makeCursor() -> ObjectCursor {
    guard isWholeClass else { return cursor(through: ids[...]) }
    noteRead()
    let table: ClassTable? = reporting(nil) { try session.table(className) }
    return table.map { ObjectCursor(session, $0) } ?? cursor(through: [])
  }

  /// Returns a cursor over objects that were found before.
  ///
  /// - Parameters:
  ///   - epoch: The epoch in which they were found. The default is the current one.
  ///   - known: The table in which they were found. The default is the current one.
  func cursor(
    through ids: ArraySlice<ObjectID>, foundIn epoch: UInt64? = nil, in known: ClassTable? = nil
  ) -> ObjectCursor {
    ObjectCursor(session, known ?? table, through: ids, foundIn: epoch)
  }
}

// MARK: - Finding

extension ObjectList {
  /// Returns whether an object is of this class and file.
  private func mayHave(_ row: ModelRow) -> Bool {
    guard session.file.isSame(as: row.session?.file), let table = row.table else { return false }
    return table.name == className
      && session.find(className).map { $0.resolved.id == table.resolved.id } ?? true
  }

  /// Returns the index of an object, or nil. Counts the objects in front of it, unless they are
  /// known already or only finding all objects can tell.
  func position(of row: ModelRow) -> Int? {
    guard mayHave(row) else { return nil }
    noteRead()
    if isCurrent { return found.firstIndex(of: row.id) }
    return reporting(nil) {
      switch try query().position(of: row.id) {
      case .at(let position): position
      case .absent: nil
      case .unknown: ids.firstIndex(of: row.id)
      }
    }
  }

  func contains(_ row: ModelRow) -> Bool {
    guard mayHave(row) else { return false }
    noteRead()
    return reporting(false) { try query().contains(row.id) } ?? ids.contains(row.id)
  }

  /// Returns the index of the first object that meets a condition, or nil.
  func position(_ condition: () throws -> QueryCondition) -> Int? {
    let ids = ids
    session.readTracker?.noteEverything()
    return reporting(nil) {
      let table = try session.table(className)
      let condition = try BoundCondition(try condition(), in: table)
      return try ids.firstIndex { id in
        guard let record = try table.record(id) else { return false }
        return try condition.matches(record, id)
      }
    }
  }

  func aggregate(
    _ aggregate: QueryAggregate, _ path: () throws -> QueryPath
  ) -> PropertyValue {
    session.readTracker?.noteRead(of: { try query() }, reading: path)
    return reporting(.null) { try query().aggregate(aggregate, try path()) }
  }

  /// Returns how the store finds the objects.
  func explanation() throws -> QueryExplanation {
    try session.file.explaining { try query().explanation() }
  }
}

// MARK: - Printing

extension ObjectList {
  /// Returns the number of objects, and the first objects as `text` describes them.
  func printed(_ text: (ModelRow) -> String) -> String {
    let limit = PrintedValue.objectLimit
    if session.isClosed { return "objects of '\(className)', whose store is closed" }
    guard let table = session.find(className) else {
      return "objects of '\(className)', which has gone from the file"
    }
    let first = isWholeClass ? reporting([]) { try table.firstObjectIDs(limit) } : ids
    return PrintedValue.objects(
      className, count: count, first.prefix(limit).map { text(row(of: $0)) })
  }
}

// MARK: - Deleting

extension ObjectList {
  /// Deletes all objects that match now.
  func delete() throws {
    _ = try session.requireWriting("delete objects of '\(className)'")
    let table = try session.table(className)
    if isWholeClass { return try table.removeAll() }
    try query().removeObjects()
  }
}
