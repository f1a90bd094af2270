internal import WhimbrelLMDB

/// Operations on all objects of a class.
///
/// Several cores scan a large class, each with its own snapshot of the same commit: see
/// ``ObjectScanner``. The result is the same as on one core.
extension ClassTable {
  /// Returns the objects that meet a condition, in the order of their IDs.
  ///
  /// - Complexity: O(*n*).
  package func objectIDs(matching condition: BoundCondition) throws -> [ObjectID] {
    try ObjectScanner(self).run { MatchingScan<MatchedIDs>(condition) }.matches.ids
  }

  /// Returns the objects that meet a condition, in the order of their IDs. The result takes less
  /// memory than an array.
  ///
  /// - Complexity: O(*n*).
  func packedIDs(matching condition: BoundCondition) throws -> some Sequence<ObjectID> {
    try ObjectScanner(self).run { MatchingScan<PackedMatches>(condition) }.matches.pieces.joined()
  }

  /// Returns the number of objects that meet a condition.
  ///
  /// - Complexity: O(*n*).
  package func count(matching condition: BoundCondition) throws -> Int {
    try ObjectScanner(self).run { MatchingScan<MatchCount>(condition) }.matches.count
  }

  /// Returns the aggregate of the values of a path, over all objects that meet a condition.
  ///
  /// Floating-point numbers are added in blocks, which are the same on any number of cores.
  ///
  /// - Complexity: O(*n*).
  package func aggregate(
    _ aggregate: QueryAggregate, _ path: BoundPath, matching condition: BoundCondition?
  ) throws -> PropertyValue {
    try path.requireAggregate(aggregate)
    let scan = try ObjectScanner(self).run { AggregatingScan(aggregate, path, condition) }
    return try scan.result()
  }
}

extension ClassTable {
  /// Returns the objects that meet a condition, sorted.
  ///
  /// - Parameter most: The maximum number of objects, or nil for all.
  /// - Complexity: O(*n* log *n*).
  func objectIDs(
    matching condition: BoundCondition?, by order: QueryOrder, upTo most: Int?
  ) throws -> [ObjectID] {
    // One core sorts each block, and one core merges all of them. So there are few blocks.
    let blocks = 2 * max(ParallelMap<Void>.coreCount(.max), 1)
    let scan = try ObjectScanner(self, blockCount: blocks).run {
      SortingScan(condition, order, limit: most)
    }
    return SortedRun.merged(scan.runs, upTo: most)
  }
}

/// A scan of consecutive objects: all objects of a class, or a part of them.
protocol ObjectScan: SendableMetatype {
  /// The offset at which records are read first, after their layout, or 0 if it is not known.
  var firstOffset: Int { get }
  /// Processes the next object.
  mutating func take(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws
  /// Finishes the scan, on the core that has run it.
  mutating func finish()
  /// Appends the results of a scan of the objects that follow.
  mutating func append(_ next: Self)
  /// Reserves memory for the results of other scans.
  mutating func reserve(for others: [Self])
}

extension ObjectScan {
  mutating func finish() {}

  mutating func reserve(for others: [Self]) {}

  /// Joins the results of scans of consecutive objects. Releases each scan as soon as it is joined,
  /// because together they may be as large as the result.
  static func joined(_ scans: inout [Self]) -> Self {
    scans.reverse()
    var whole = scans.removeLast()
    whole.reserve(for: scans)
    while let next = scans.popLast() { whole.append(next) }
    return whole
  }
}

/// A filter of objects that meet a condition. It verifies the records that it reads.
struct ConditionFilter {
  let condition: BoundCondition
  private let movesRecords: Bool
  private var runner: ConditionProgram.Runner?

  init(_ condition: BoundCondition) {
    self.condition = condition
    movesRecords = condition.movesRecords
  }

  var firstOffset: Int { runner?.firstOffset ?? 0 }

  @inline(__always)
  mutating func accepts(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> Bool {
    if let runner, record.count >= 8, record.layoutID == runner.layoutID,
      record.count >= runner.fixedSize
    {
      return try runner.matches(record, id, source)
    }
    return try changeLayout(id, record, source)
  }

  /// Returns the current bytes of a record that the filter has accepted.
  @inline(__always)
  func current(
    _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> PageBytes {
    guard movesRecords else { return record }
    return try condition.current(record, id, source)
  }

  @inline(never)
  private mutating func changeLayout(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> Bool {
    let new = try condition.runner(for: record, id)
    runner = new
    return try new.matches(record, id, source)
  }
}

/// The result of a scan for objects that meet a condition.
private protocol Matches {
  init()
  /// Adds the next object.
  mutating func take(_ id: ObjectID)
  /// Appends the matches in the objects that follow.
  mutating func append(_ next: Self)
  /// Reserves memory for the matches of others.
  mutating func reserve(for others: [Self])
}

extension Matches {
  mutating func reserve(for others: [Self]) {}
}

private struct MatchedIDs: Matches {
  private(set) var ids: [ObjectID] = []

  @inline(__always)
  mutating func take(_ id: ObjectID) { ids.append(id) }

  mutating func append(_ next: MatchedIDs) { ids += next.ids }

  mutating func reserve(for others: [MatchedIDs]) {
    ids.reserveCapacity(others.reduce(ids.count) { $0 + $1.ids.count })
  }
}

private struct PackedMatches: Matches {
  /// The IDs that each core has found.
  private(set) var pieces = [PackedIDs()]

  @inline(__always)
  mutating func take(_ id: ObjectID) { pieces[0].append(id) }

  mutating func append(_ next: PackedMatches) { pieces += next.pieces }
}

private struct MatchCount: Matches {
  private(set) var count = 0

  @inline(__always)
  mutating func take(_ id: ObjectID) { count += 1 }

  mutating func append(_ next: MatchCount) { count += next.count }
}

private struct MatchingScan<Found: Matches>: ObjectScan {
  private var filter: ConditionFilter
  private(set) var matches = Found()

  init(_ condition: BoundCondition) { filter = ConditionFilter(condition) }

  var firstOffset: Int { filter.firstOffset }

  @inline(__always)
  mutating func take(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws {
    if try filter.accepts(id, record, source) { matches.take(id) }
  }

  mutating func append(_ next: Self) { matches.append(next.matches) }

  mutating func reserve(for others: [Self]) { matches.reserve(for: others.map(\.matches)) }
}

private struct SortingScan: ObjectScan {
  private var filter: ConditionFilter?
  private let order: QueryOrder
  private let limit: Int?
  private var buffer: SortBuffer?
  private(set) var runs: [SortedRun] = []
  private let keyOffset: Int

  var firstOffset: Int { filter?.firstOffset ?? keyOffset }

  init(_ condition: BoundCondition?, _ order: QueryOrder, limit: Int?) {
    filter = condition.map { ConditionFilter($0) }
    self.order = order
    self.limit = limit
    keyOffset = OrderReader(order).firstOffset
  }

  @inline(__always)
  mutating func take(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws {
    if try filter?.accepts(id, record, source) == false { return }
    let record = try filter?.current(record, id, source) ?? record
    if buffer == nil { buffer = SortBuffer(order, limit: limit, source) }
    try buffer?.add(id, record)
  }

  mutating func finish() {
    if let buffer = buffer.take() { runs.append(buffer.sortedRun()) }
  }

  mutating func append(_ next: SortingScan) { runs += next.runs }
}
