internal import WhimbrelLMDB

extension ClassRewrite {
  /// Calls a block with each object; see ``Migration/enumerateObjects(ofType:_:)``.
  func enumerate(_ block: (DynamicObject?, DynamicObject?) throws -> Void) throws {
    trace.isEnumerated = true
    if draft.declared == nil {
      guard !isDropped, let old else { return }
      let oldSide = OldObjects(old, of: self)
      return try enumerateOld { id, record in
        try oldSide.prepare(id, record)
        try block(DynamicObject(oldSide, id), nil)
      }
    }
    guard let old else {
      return try enumerateCreated { id in try block(nil, DynamicObject(self, id)) }
    }
    let oldSide = OldObjects(old, of: self)
    try enumeratePairs { id, record in
      try oldSide.prepare(id, record)
      try block(DynamicObject(oldSide, id), DynamicObject(self, id))
    }
  }

  /// Calls `body` with each old object whose new object exists.
  func enumeratePairs(_ body: (ObjectID, PageBytes) throws -> Void) throws {
    trace.isEnumerated = true
    guard oldCount > 0 else { return }
    try beginRewrite()
    try walk(body)
  }

  /// Copies all old objects whose turn has not come.
  func copyAll() throws {
    try flush()
    guard generation.copied != .all else { return }
    try walk(isOfRemaining: true) { _, _ in }
  }

  /// Visits the old objects in order: copies each one that was not copied before, and calls `body`
  /// with those that still exist.
  ///
  /// Walks may be nested. An inner walk copies the remaining objects; the outer one then only
  /// visits them.
  ///
  /// - Parameter isOfRemaining: Whether only the objects are visited whose turn has not come.
  private func walk(
    isOfRemaining: Bool = false, _ body: (ObjectID, PageBytes) throws -> Void
  ) throws {
    try flush()
    guard let old else { return }
    var last: ObjectID?
    if isOfRemaining, case .through(let reached) = generation.copied { last = reached }
    var records = OldRecords(of: old, after: last)
    var count = 0
    let willVisit = willVisitObject
    while let found = try records.next(isVerified: generation.copied != .all) {
      let (id, record) = (found.id, found.record)
      count += 1
      // An inner walk that ended with an error has left its object unwritten.
      try flush()
      if generation.copied.includes(id) {
        guard try newRecord(id) != nil else { continue }
      } else {
        try explaining(id) { try old.verify(found) }
        guard try begin(id, record, waits: !isOfRemaining) else { continue }
      }
      if try !isReleased(id) { try call(id, after: willVisit) { try body(id, record) } }
      if pending == id { try flush() }
      try writer.checkpoint(.rewriting, name, count, of: oldCount)
    }
    try flush()
    generation.copied = .all
  }

  /// Begins the turn of an old object, and returns whether it still exists.
  ///
  /// - Parameter waits: Whether values that the block may set are converted after it.
  private func begin(_ id: ObjectID, _ record: PageBytes, waits: Bool) throws -> Bool {
    generation.copied = .through(id)
    // No record has an ID above all that have been written.
    if let new, let bound = new.upperBound, id <= bound,
      let ahead = try writer.view().reading.value(new.objects, id.rawValue)
    {
      // The object was changed or deleted before its turn.
      if ahead.layoutID == RecordLayout.tombstone {
        try writer.view().remove(new.objects, id.rawValue)
        return false
      }
      return true
    }
    try copy(record, id, waits: waits)
    pending = id
    return true
  }

  private var willVisitObject: (() throws -> Void)? {
    migrator.task.request.migration.probe?.willVisitObject
  }

  /// Calls the block for an object, and names the object in errors.
  ///
  /// - Parameter willVisit: A closure that a test has asked to be called before each object, or nil.
  private func call(
    _ id: ObjectID, after willVisit: (() throws -> Void)?, _ body: () throws -> Void
  ) throws {
    do {
      try willVisit?()
      try body()
      if migrator.block.problem != nil, let problem = migrator.block.problem.take() {
        throw problem
      }
    } catch let error as LMDBError {
      throw error
    } catch let error as StoreError where error.isAboutMigration {
      throw error
    } catch {
      throw StoreError.migrationBlockFailed(
        underlying: error, class: name, objectID: id,
        primaryKey: knownPrimaryKey(id), from: migrator.task.oldVersion,
        to: migrator.task.newVersion)
    }
  }

  /// Calls `body` with each old object.
  func enumerateOld(_ body: (ObjectID, PageBytes) throws -> Void) throws {
    guard let old else { return }
    try requireConverted()
    var records = OldRecords(of: old, after: nil)
    var count = 0
    let willVisit = willVisitObject
    while let found = try records.next(isVerified: true) {
      count += 1
      try explaining(found.id) { try old.verify(found) }
      try call(found.id, after: willVisit) { try body(found.id, found.record) }
      try writer.checkpoint(.rewriting, name, count, of: oldCount)
    }
  }

  private func enumerateCreated(_ body: (ObjectID) throws -> Void) throws {
    var last: ObjectID?
    let end = new?.upperBound
    let willVisit = willVisitObject
    while let (id, _) = try nextNew(after: last), let end, id <= end {
      last = id
      if try !isReleased(id) { try call(id, after: willVisit) { try body(id) } }
      try writer.checkpoint(.rewriting, name, 0, of: 0)
    }
  }
}

extension StoreError {
  /// Whether the error already names the versions and the object.
  var isAboutMigration: Bool {
    switch code {
    case .migrationBlockFailed, .migrationCancelled, .migrationUnset, .migrationDuplicateKeys,
      .migrationNil, .conversionFailed, .noSpace, .diskQuotaExceeded, .mapFull, .damaged:
      true
    default: false
    }
  }
}
