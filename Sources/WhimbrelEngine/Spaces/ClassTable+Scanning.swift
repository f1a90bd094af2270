internal import WhimbrelLMDB

/// Work on all objects of a class.
///
/// Large classes are worked on by several cores, each with a snapshot of its own of the same
/// commit: see ``ObjectScanner``. What comes out is the same as on one core.
extension ClassTable {
  /// Returns the objects that meet a condition, in the order of their IDs.
  ///
  /// - Complexity: O(*n*).
  package func objectIDs(matching condition: BoundCondition) throws -> [ObjectID] {
    try ObjectScanner(self).run { MatchingScan<MatchedIDs>(condition) }.matches.ids
  }

  /// Returns the objects that meet a condition, in the order of their IDs. They take less memory
  /// than an array.
  ///
  /// - Complexity: O(*n*).
  func packedIDs(matching condition: BoundCondition) throws -> some Sequence<ObjectID> {
    try ObjectScanner(self).run { MatchingScan<PackedMatches>(condition) }.matches.pieces.joined()
  }

  /// Returns how many objects meet a condition.
  ///
  /// - Complexity: O(*n*).
  package func count(matching condition: BoundCondition) throws -> Int {
    try ObjectScanner(self).run { MatchingScan<MatchCount>(condition) }.matches.count
  }

  /// Returns a value worked out of what a path leads to from all objects that meet a condition.
  ///
  /// Numbers with a fraction are added up in blocks, the same on any number of cores.
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
  /// - Parameter most: The number of objects that are wanted, or nil for all.
  /// - Complexity: O(*n* log *n*).
  func objectIDs(
    matching condition: BoundCondition?, by order: QueryOrder, upTo most: Int?
  ) throws -> [ObjectID] {
    // Each block is sorted by one core, and they are merged by one: so there are few of them.
    let blocks = 2 * max(ParallelMap<Void>.coreCount(.max), 1)
    let scan = try ObjectScanner(self, blockCount: blocks).run {
      SortingScan(condition, order, limit: most)
    }
    return SortedRun.merged(scan.runs, upTo: most)
  }
}

/// A scan of consecutive objects, which may be a part of all.
protocol ObjectScan: SendableMetatype {
  /// Where records are looked at first, behind their layout: 0 where that is not known.
  var firstOffset: Int { get }
  /// Takes the next object.
  mutating func take(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws
  /// Takes the end of the objects, on the core that has looked at them.
  mutating func finish()
  /// Takes what another has found in the objects that follow.
  mutating func append(_ next: Self)
  /// Makes room for what others have found.
  mutating func reserve(for others: [Self])
}

extension ObjectScan {
  mutating func finish() {}

  mutating func reserve(for others: [Self]) {}

  /// Returns what scans of consecutive objects have found. Each is let go of as soon as it is taken:
  /// together they may be as large as the answer.
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
  private var runner: ConditionProgram.Runner?

  init(_ condition: BoundCondition) { self.condition = condition }

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
  /// Takes the next object.
  mutating func take(_ id: ObjectID)
  /// Takes what another has kept of the objects that follow.
  mutating func append(_ next: Self)
  /// Makes room for what others have kept.
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
    if buffer == nil { buffer = SortBuffer(order, limit: limit, source) }
    try buffer?.add(id, record)
  }

  mutating func finish() {
    if let buffer = buffer.take() { runs.append(buffer.sortedRun()) }
  }

  mutating func append(_ next: SortingScan) { runs += next.runs }
}
