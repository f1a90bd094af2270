internal import WhimbrelLMDB

extension QueryRun {
  /// Returns the objects that satisfy the leading condition, sorted.
  ///
  /// - Parameter most: The number of objects that are needed, or nil for all.
  mutating func ordered(by order: QueryOrder, upTo most: Int?) throws -> [ObjectID] {
    guard query.isPossible, most != 0 else { return [] }
    if let walk = query.indexOrder, walk.isExact,
      let ids = try objectIDs(walk, order, upTo: most, reading: .max)
    {
      return ids
    }
    if let found = try findByIndex(upTo: nil) {
      let (condition, table) = (try found.isExact ? nil : query.condition, table)
      return try sort(order, upTo: most) { buffer, tally in
        for id in found.ids {
          let record = try table.requiredRecord(id, &tally)
          guard try condition?.matches(record, id) ?? true else { continue }
          try buffer.add(id, condition?.current(record, id) ?? record)
        }
      }
    }
    // This walk looks up every object to check the condition, and one lookup takes as long as
    // scanning about ten objects. A walk that stops after a twentieth of the class therefore costs
    // at most about half a scan. Small classes get the same allowance of 64 as in `most(isExact:)`.
    let few = try table.count() / 20 + 64
    if let walk = query.indexOrder, let most, most < few,
      let ids = try objectIDs(walk, order, upTo: most, reading: few)
    {
      return ids
    }
    return try sortAll(order, upTo: most)
  }

  private mutating func sortAll(_ order: QueryOrder, upTo most: Int?) throws -> [ObjectID] {
    let limit = try sortLimit(upTo: most)
    tally.sorts.append(limit)
    tally.isScan = true
    tally.mayUseCores = true
    let condition = try scannedCondition()
    return try table.objectIDs(matching: condition, by: order, upTo: limit)
  }

  /// Walks an index, and returns the first objects that satisfy the leading condition, in the order
  /// of the index.
  ///
  /// - Parameters:
  ///   - most: The number of objects that are needed, or nil for all.
  ///   - entries: The limit on the entries to read.
  /// - Returns: The objects, or nil if the limit was reached too early.
  mutating func objectIDs(
    _ walk: IndexOrder, _ order: QueryOrder, upTo most: Int?, reading entries: Int
  ) throws -> [ObjectID]? {
    var ids: [ObjectID] = []
    let most = most ?? .max
    let isEnough = try forEachObject(walk, order, reading: entries) { id in
      ids.append(id)
      return ids.count < most
    }
    return isEnough ? ids : nil
  }

  /// Walks an index, and calls `body` with each object that satisfies the leading condition, in the
  /// order of the index, until it returns false.
  ///
  /// - Parameter entries: The limit on the entries to read.
  /// - Returns: False if the limit was reached too early.
  mutating func forEachObject(
    _ walk: IndexOrder, _ order: QueryOrder, reading entries: Int,
    _ body: (ObjectID) throws -> Bool
  ) throws -> Bool {
    let (index, range) = (walk.index, walk.range)
    let cursor = try table.session.view.cursor(index.table)
    var ties = TiedObjects()
    var (read, isDone) = (0, false)
    let step: Cursor.Step = walk.isBackward ? .previous : .next
    var isInside =
      try walk.isBackward ? index.seekBack(cursor, to: range) : index.seek(cursor, to: range)
    while isInside,
      walk.isBackward
        ? index.isAtLeastStart(cursor, of: range) : index.isBelowEnd(cursor, of: range)
    {
      guard let id = index.objectID(at: cursor), let tie = walk.tie(of: cursor.key) else {
        throw damaged(index)
      }
      // Tied entries are adjacent. A backward walk reads the last of them first, so they are
      // collected and sorted before they are used.
      let isNext = ties.include(cursor.key)
      if !isNext {
        isDone = try !take(&ties, order, isExact: walk.isExact, body)
        if isDone { break }
      }
      if read == entries { return false }
      read += 1
      if walk.isBackward || !tie.isInOrder {
        if !isNext { ties.begin(cursor.key.slice(at: 0, count: tie.length), tie.isCut) }
        ties.ids.append(id)
      } else if try walk.isExact || isMatch(id) {
        isDone = try !body(id)
        if isDone { break }
      }
      isInside = try cursor.move(to: step)
    }
    if !isDone { _ = try take(&ties, order, isExact: walk.isExact, body) }
    tally.indexEntries += read
    tally.order = walk
    return true
  }

  private mutating func isMatch(_ id: ObjectID) throws -> Bool {
    guard let condition = try query.condition else { return true }
    return try condition.matches(table.requiredRecord(id, &tally), id)
  }

  /// Calls `body` with the tied objects, in the correct order, until it returns false. Returns
  /// false if `body` did, otherwise true.
  private mutating func take(
    _ ties: inout TiedObjects, _ order: QueryOrder, isExact: Bool,
    _ body: (ObjectID) throws -> Bool
  ) throws -> Bool {
    guard !ties.ids.isEmpty else { return true }
    var ids = ties.ids
    ties.ids.removeAll(keepingCapacity: true)
    ties.key = nil
    if ids.count > 1 {
      ids.sort()
      if ties.isCut {
        var buffer = SortBuffer(order, limit: nil)
        for id in ids { try buffer.add(id, table.requiredRecord(id, &tally)) }
        ids = buffer.sorted()
      }
    }
    for id in ids where try isExact || isMatch(id) {
      if try !body(id) { return false }
    }
    return true
  }
}

/// The latest objects of an index walk whose keys tie.
private struct TiedObjects {
  var ids: [ObjectID] = []
  /// The common prefix of the objects' keys.
  var key: PageBytes?
  /// Whether the texts of the objects may still differ.
  var isCut = false

  /// Returns whether a key has the common prefix.
  @inline(__always)
  func include(_ other: PageBytes) -> Bool {
    guard let key, let start = other.slice(at: 0, count: key.count) else { return false }
    return key.isEqual(to: start)
  }

  mutating func begin(_ key: PageBytes?, _ isCut: Bool) {
    self.key = key
    self.isCut = isCut
  }
}
