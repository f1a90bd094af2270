internal import WhimbrelLMDB

/// One execution of a query, with a tally of its work.
struct QueryRun {
  let query: BoundQuery
  var tally = QueryTally()

  init(_ query: BoundQuery) {
    self.query = query
  }

  var table: ClassTable { query.table }
}

/// The window of objects that pass a sequence of offsets and limits.
struct QueryWindow {
  var start = 0
  /// The end of the window, or nil if it has none.
  var end: Int?

  /// Applies the offsets and limits at the start of some stages. Returns the number of these
  /// stages.
  mutating func take(_ stages: ArraySlice<BoundQuery.Stage>) -> Int {
    var taken = 0
    for stage in stages {
      switch stage {
      case .offset(let count):
        let (sum, overflows) = start.addingReportingOverflow(max(count, 0))
        start = overflows ? .max : sum
      case .limit(let count):
        let (sum, overflows) = start.addingReportingOverflow(max(count, 0))
        if !overflows { end = min(end ?? .max, sum) }
      case .filter, .sort, .distinct: return taken
      }
      taken += 1
    }
    return taken
  }

  /// Returns the number of objects in the window, given their total number.
  func count(of total: Int) -> Int { max(0, min(total, end ?? .max) - start) }

  /// Returns the objects in the window.
  func apply(to ids: [ObjectID]) -> [ObjectID] {
    if start == 0, ids.count <= end ?? .max { return ids }
    return Array(ids.prefix(end ?? .max).dropFirst(start))
  }
}

extension QueryRun {
  /// Returns the objects, in order.
  ///
  /// - Parameter most: The number of objects that are needed, or nil for all.
  mutating func objectIDs(upTo most: Int? = nil) throws -> [ObjectID] {
    let stages = query.stages + (most.map { [BoundQuery.Stage.limit($0)] } ?? [])
    var place = 0
    var order: QueryOrder?
    if case .sort(let first)? = stages.first, query.request.source == .all {
      order = first
      place = 1
    }
    var window = QueryWindow()
    place += window.take(stages[place...])
    var ids =
      if let order {
        try ordered(by: order, upTo: window.end)
      } else {
        try found(upTo: window.end)
      }
    ids = window.apply(to: ids)
    while place < stages.count {
      let stage = stages[place]
      place += 1
      var window = QueryWindow()
      place += window.take(stages[place...])
      ids = window.apply(to: try apply(stage, to: ids, upTo: window.end))
    }
    return ids
  }

  /// Removes the objects.
  mutating func removeObjects() throws {
    // The order in which objects are removed does not matter.
    let hasOnlySorts = query.stages.allSatisfy { if case .sort = $0 { true } else { false } }
    guard hasOnlySorts, query.isPossible, query.request.source == .all else {
      return try table.remove(objectIDs())
    }
    if let ids = try foundByIndex(upTo: nil) { return try table.remove(ids) }
    guard let condition = try scannedCondition() else { return try table.remove(objectIDs()) }
    try table.remove(table.packedIDs(matching: condition))
  }

  private mutating func apply(
    _ stage: BoundQuery.Stage, to ids: [ObjectID], upTo most: Int?
  ) throws -> [ObjectID] {
    switch stage {
    case .filter(let condition): return try filtered(ids, condition, upTo: most)
    case .sort(let order):
      let table = table
      return try sort(order, upTo: most) { buffer, tally in
        for id in ids { try buffer.add(id, table.requiredRecord(id, &tally)) }
      }
    case .distinct(let order): return try distinct(ids, order, upTo: most)
    case .offset, .limit:
      var window = QueryWindow()
      _ = window.take([stage])
      return window.apply(to: ids)
    }
  }

  mutating func count() throws -> Int {
    // Sorting does not change the number of objects, unless a window follows and a later stage
    // depends on the objects in it. In that case all stages run.
    let stages = query.stages.filter { if case .sort = $0 { false } else { true } }
    var window = QueryWindow()
    guard window.take(stages[...]) == stages.count else { return try objectIDs().count }
    return window.count(of: try foundCount())
  }
}

// MARK: - Records

extension ClassTable {
  /// Returns the record of an object that must exist.
  func requiredRecord(_ id: ObjectID, _ tally: inout QueryTally) throws -> PageBytes {
    tally.records += 1
    if tally.records % 128 == 0 { try session.checkInterruption() }
    guard let record = try record(id) else { throw missing(id) }
    return record
  }
}
