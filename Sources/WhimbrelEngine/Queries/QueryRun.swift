internal import WhimbrelLMDB

/// One time of answering a prepared query.
struct QueryRun {
  let query: PreparedQuery
  var tally = QueryTally()

  init(_ query: PreparedQuery) {
    self.query = query
  }

  var table: ClassTable { query.table }
}

/// Which of the objects that a stage lets through go on: those from one place on, up to
/// another.
struct QueryWindow {
  var start = 0
  /// Nil for all.
  var end: Int?

  /// Takes up the offsets and limits that stages begin with, and returns how many stages
  /// these are.
  mutating func take(_ stages: ArraySlice<PreparedQuery.Stage>) -> Int {
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

  /// How many of a number of objects go on.
  func count(of total: Int) -> Int { max(0, min(total, end ?? .max) - start) }

  /// The objects that go on.
  func apply(to ids: [ObjectID]) -> [ObjectID] {
    if start == 0, ids.count <= end ?? .max { return ids }
    return Array(ids.prefix(end ?? .max).dropFirst(start))
  }
}

extension QueryRun {
  /// The objects, in their order.
  ///
  /// - Parameter most: how many are wanted, or nil for all.
  mutating func objectIDs(upTo most: Int? = nil) throws -> [ObjectID] {
    let stages = query.stages + (most.map { [PreparedQuery.Stage.limit($0)] } ?? [])
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

  private mutating func apply(
    _ stage: PreparedQuery.Stage, to ids: [ObjectID], upTo most: Int?
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

  /// How many objects there are.
  mutating func count() throws -> Int {
    // An order does not change how many there are, unless only some of them go on to a
    // stage that looks at them.
    let stages = query.stages.filter { if case .sort = $0 { false } else { true } }
    var window = QueryWindow()
    guard window.take(stages[...]) == stages.count else { return try objectIDs().count }
    return window.count(of: try foundCount())
  }
}

// MARK: - Records

extension ClassTable {
  /// The record of an object that is known to be there.
  func requiredRecord(_ id: ObjectID, _ tally: inout QueryTally) throws -> PageBytes {
    tally.records += 1
    guard let record = try record(id) else { throw missing(id) }
    return record
  }
}
