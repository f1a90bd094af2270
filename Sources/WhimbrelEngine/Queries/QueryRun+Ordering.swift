internal import WhimbrelLMDB

extension QueryRun {
  /// The objects that the stages begin with and that meet the leading condition, in an
  /// order.
  ///
  /// - Parameter most: how many of them are wanted, or nil for all.
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
          if try condition?.matches(record, id) ?? true { try buffer.add(id, record) }
        }
      }
    }
    let few = try table.count() / 20 + 64
    if let walk = query.indexOrder, let most, most < few,
      let ids = try objectIDs(walk, order, upTo: most, reading: few)
    {
      return ids
    }
    return try sortAll(order, upTo: most)
  }

  private mutating func sortAll(_ order: QueryOrder, upTo most: Int?) throws -> [ObjectID] {
    var scan = QueryRun(query)
    let hasCondition = query.leading != nil
    let table = table
    let ids = try sort(order, upTo: most) { buffer, _ in
      if !hasCondition { buffer.reserve(try table.count()) }
      try scan.scan(touching: buffer.firstOffset) { id, record in
        try buffer.add(id, record)
        return true
      }
    }
    tally.records += scan.tally.records
    tally.isScan = true
    return ids
  }

  /// The first objects of an index that meet the leading condition, in its order.
  ///
  /// - Parameters:
  ///   - most: how many of them are wanted, or nil for all.
  ///   - entries: how many entries may be read.
  /// - Returns: nil when more would have to be read.
  mutating func objectIDs(
    _ walk: IndexOrder, _ order: QueryOrder, upTo most: Int?, reading entries: Int
  ) throws -> [ObjectID]? {
    let (index, range) = (walk.index, walk.range)
    let cursor = try table.session.view.cursor(index.table)
    var found = OrderedObjects(most ?? .max)
    var read = 0
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
      // Those that tie are next to each other, the last of them first going backwards.
      let isNext = found.isTied(with: cursor.key)
      if !isNext {
        try take(&found, order, isExact: walk.isExact)
        if found.isFull { break }
      }
      if read == entries { return nil }
      read += 1
      if walk.isBackward || !tie.isInOrder {
        if !isNext { found.begin(cursor.key.slice(at: 0, count: tie.length), tie.isCut) }
        found.tied.append(id)
      } else if try walk.isExact || isMatch(id) {
        found.ids.append(id)
        if found.isFull { break }
      }
      isInside = try cursor.move(to: step)
    }
    try take(&found, order, isExact: walk.isExact)
    tally.indexEntries += read
    tally.order = walk
    return found.ids
  }

  private mutating func isMatch(_ id: ObjectID) throws -> Bool {
    guard let condition = try query.condition else { return true }
    return try condition.matches(table.requiredRecord(id, &tally), id)
  }

  /// Puts the objects that tie behind the others.
  private mutating func take(
    _ found: inout OrderedObjects, _ order: QueryOrder, isExact: Bool
  ) throws {
    guard !found.tied.isEmpty else { return }
    var ids = found.tied
    found.tied.removeAll(keepingCapacity: true)
    found.key = nil
    if ids.count > 1 {
      ids.sort()
      if found.isCut {
        var buffer = SortBuffer(order, limit: nil)
        for id in ids { try buffer.add(id, table.requiredRecord(id, &tally)) }
        ids = buffer.sorted()
      }
    }
    for id in ids where !found.isFull {
      if try isExact || isMatch(id) { found.ids.append(id) }
    }
  }
}

/// Objects as an index has them in order, and those last met whose keys tie.
private struct OrderedObjects {
  var ids: [ObjectID] = []
  /// How many are wanted.
  let most: Int
  var tied: [ObjectID] = []
  /// What the keys of those that tie begin with.
  var key: PageBytes?
  /// Whether the texts of those that tie may differ.
  var isCut = false

  init(_ most: Int) { self.most = most }

  var isFull: Bool { ids.count >= most }

  @inline(__always)
  func isTied(with other: PageBytes) -> Bool {
    guard let key, let start = other.slice(at: 0, count: key.count) else { return false }
    return key.isEqual(to: start)
  }

  mutating func begin(_ key: PageBytes?, _ isCut: Bool) {
    self.key = key
    self.isCut = isCut
  }
}
