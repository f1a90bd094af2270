internal import WhimbrelLMDB

extension QueryRun {
  /// Returns the objects that meet the leading condition, sorted.
  ///
  /// - Parameter most: the number of objects that are wanted, or nil for all.
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
    // This walk looks every object up to check the condition, and one lookup takes as long
    // as scanning some ten objects. A walk that gives up after a twentieth of the class has
    // therefore cost about half a scan at most. Small classes get the same allowance of 64
    // as in `most(isExact:)`.
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

  /// Walks an index and returns the first objects that meet the leading condition, in the
  /// order of the index.
  ///
  /// - Parameters:
  ///   - most: the number of objects that are wanted, or nil for all.
  ///   - entries: the limit on the entries that are read.
  /// - Returns: the objects, or nil if the limit is not enough.
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
      // Tied entries are neighbours. A backward walk meets the last of them first, so they
      // are collected and sorted before they are taken.
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

  /// Appends the objects that tie, in the right order.
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

/// The objects of a walk through an index, and the latest ones whose keys tie.
private struct OrderedObjects {
  var ids: [ObjectID] = []
  /// The number of objects that are wanted.
  let most: Int
  var tied: [ObjectID] = []
  /// The beginning that the keys of the tied objects share.
  var key: PageBytes?
  /// Whether the texts of the tied objects may still differ.
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
