internal import WhimbrelLMDB

/// The objects that indexes have found.
struct FoundObjects {
  /// The IDs, sorted and without duplicates.
  var ids: [ObjectID]
  /// Whether every object is known to satisfy the condition.
  var isExact: Bool
}

extension QueryRun {
  /// Returns the objects that satisfy the leading condition, in the order of the source.
  mutating func found(upTo most: Int? = nil) throws -> [ObjectID] {
    guard query.isPossible, most != 0 else { return [] }
    if query.request.source != .all {
      let ids = try query.request.source.objectIDs(of: table)
      guard let condition = try query.condition else { return ids }
      return try filtered(ids, condition, upTo: most)
    }
    if let ids = try foundByIndex(upTo: most) { return ids }
    guard let most else {
      tally.isScan = true
      guard query.leading != nil, let condition = try scannedCondition() else {
        return try table.objectIDs()
      }
      tally.mayUseCores = true
      return try table.objectIDs(matching: condition)
    }
    var ids: [ObjectID] = []
    try scan { id, _ in
      ids.append(id)
      return ids.count < most
    }
    return ids
  }

  /// Returns the number of objects that satisfy the leading condition.
  mutating func foundCount() throws -> Int {
    guard query.isPossible else { return 0 }
    guard query.request.source == .all else { return try found().count }
    if query.leading == nil { return try table.count() }
    if let count = try countByIndex() { return count }
    if let ids = try foundByIndex(upTo: nil) { return ids.count }
    tally.isScan = true
    guard let condition = try scannedCondition() else { return try table.count() }
    return try table.count(matching: condition)
  }

  /// Returns the objects that satisfy the leading condition, or nil if a scan is faster than
  /// indexes.
  mutating func foundByIndex(upTo most: Int?) throws -> [ObjectID]? {
    guard let found = try findByIndex(upTo: most) else { return nil }
    return try found.isExact ? found.ids : filtered(found.ids, query.condition, upTo: most)
  }

  /// Returns the condition for a scan of all objects, and counts their records in the tally.
  mutating func scannedCondition() throws -> BoundCondition? {
    let count = try table.count()
    tally.records += count
    return try query.condition?.findingTargets(of: count, &tally)
  }

  /// Calls `body` with each object that satisfies the leading condition, in the order of IDs, until
  /// it returns false.
  ///
  /// - Parameter touched: The offset that `body` reads first, so that the scan can prefetch it.
  mutating func scan(touching touched: Int = 0, _ body: (ObjectID, PageBytes) throws -> Bool) throws
  {
    try table.session.requireOpen()
    tally.isScan = true
    let source = QuerySource(table.session)
    let cursor = try source.view.cursor(table.objects)
    var filter = try query.condition.map { ConditionFilter($0) }
    // The first objects are usually enough, so sets of targets are made step by step, as more
    // objects are scanned.
    var (scanned, next) = (0, 0)
    var batch = EntryBatch()
    var first: UInt64? = 0
    while try batch.fill(
      cursor, from: first, through: .max, touching: filter?.firstOffset ?? touched)
    {
      first = nil
      try table.session.checkInterruption()
      let sound = table.soundRecords(batch)
      for index in 0..<batch.count {
        let id = ObjectID(rawValue: batch.key(index))
        let record = try table.record(batch, index, sound, source)
        tally.records += 1
        if try filter?.accepts(id, record, source) == false { continue }
        if try !body(id, filter?.current(record, id, source) ?? record) { return }
      }
      scanned += batch.count
      guard scanned > next, let condition = filter?.condition else { continue }
      next = scanned * 8
      filter = ConditionFilter(condition.findingTargets(of: scanned, &tally))
    }
  }

  mutating func filtered(
    _ ids: [ObjectID], _ condition: BoundCondition?, upTo most: Int?
  ) throws -> [ObjectID] {
    guard let condition else { return ids }
    var result: [ObjectID] = []
    for id in ids where result.count < most ?? .max {
      if try condition.matches(table.requiredRecord(id, &tally), id) { result.append(id) }
    }
    return result
  }
}

// MARK: - Indexes

extension QueryRun {
  /// Returns the number of index entries up to which an index is faster than a scan.
  ///
  /// A scan reads adjacent records in batches. An index yields only IDs; the lookup of one object
  /// by its ID takes as long as scanning about ten objects. So an index may find a tenth of the
  /// class if its objects must still be checked. If an index answers the whole condition, objects
  /// are not looked up, and the IDs only need to be sorted. It may then find half of the class.
  ///
  /// The added 64 lets small classes use an index too: for them, the fraction rounds down to almost
  /// nothing.
  private func most(isExact: Bool) throws -> Int {
    let count = try table.count()
    return isExact ? count / 2 + 64 : count / 10 + 64
  }

  /// Returns the objects that indexes find, or nil if a scan is faster.
  ///
  /// - Parameter limit: A limit on the index entries. It applies if it is lower than the number at
  ///   which a scan is faster.
  mutating func findByIndex(upTo wanted: Int?, limit: Int = .max) throws -> FoundObjects? {
    guard let access = query.access else { return nil }
    let isExact = access.candidates.contains { $0.answered == access.parts }
    return try find(access, most: min(most(isExact: isExact), limit), wanted)
  }

  /// - Parameters:
  ///   - most: The limit on the entries to read.
  ///   - wanted: The number of objects that is enough, or nil for all.
  private mutating func find(
    _ access: QueryAccess, most: Int, _ wanted: Int?
  ) throws -> FoundObjects? {
    let chosen = try choose(access, most: most)
    guard let best = chosen.first else { return nil }
    let candidate = access.candidates[best.place]
    // Stopping early is correct only if every object found satisfies the whole condition.
    let enough = candidate.answered == access.parts ? wanted : nil
    guard var ids = try find(candidate, most: most, enough) else { return nil }
    var answered = ids.isExact ? candidate.answered : 0
    for other in chosen.dropFirst() {
      // A second index saves lookups but costs the reading of its entries. A lookup takes about ten
      // times as long as reading an entry, so the second index pays off if it has at most about
      // eight entries for each object found so far.
      guard answered != access.parts, !ids.ids.isEmpty, other.count / 8 <= ids.ids.count,
        let more = try find(access.candidates[other.place], most: most, nil)
      else { continue }
      ids.ids = ids.ids.intersection(ofSorted: more.ids)
      if more.isExact { answered |= access.candidates[other.place].answered }
    }
    return FoundObjects(ids: ids.ids, isExact: answered == access.parts)
  }

  /// Returns the candidates with few entries, starting with the fewest. A single candidate is
  /// returned without counting.
  private mutating func choose(
    _ access: QueryAccess, most: Int
  ) throws -> [(place: Int, count: Int)] {
    let candidates = access.candidates
    if let place = candidates.firstIndex(where: \.isNothing) { return [(place, 0)] }
    if candidates.count == 1 { return [(0, 0)] }
    // With a small bound, a selective candidate is found without counting all entries of the
    // others. The bound grows eightfold, so that the counting is repeated in few rounds only.
    var bound = 256
    while true {
      bound = min(bound, most)
      let counts = try candidates.indices.map { place in
        (place: place, count: try count(candidates[place], upTo: bound + 1))
      }
      let few = counts.filter { $0.count <= bound }
      if !few.isEmpty || bound == most {
        return few.sorted { ($0.count, $0.place) < ($1.count, $1.place) }
      }
      bound *= 8
    }
  }

  /// Returns the number of entries of a candidate, counted up to a bound.
  private func count(_ candidate: QueryAccess.Candidate, upTo bound: Int) throws -> Int {
    switch candidate.source {
    case .ranges(let found): return try count(found, upTo: bound)
    // Few objects contain the words of a search, so it is first and is not counted.
    case .words: return 0
    case .linked(let linked): return try count(linked, upTo: bound)
    case .anyOf(let ways):
      var total = 0
      for way in ways where total < bound {
        let counts = try way.candidates.map { try count($0, upTo: bound - total) }
        total += counts.min() ?? bound
      }
      return total
    }
  }

  /// - Parameter end: The ID below which entries are counted, or nil to count all.
  private func count(
    _ found: IndexRanges, upTo bound: Int, before end: ObjectID? = nil
  ) throws -> Int {
    let index = found.index
    let cursor = try table.session.view.cursor(index.table)
    var total = 0
    for range in found.ranges {
      var isInside = try index.seek(cursor, to: range)
      while isInside, total < bound, index.isBelowEnd(cursor, of: range) {
        if let end {
          guard let id = index.objectID(at: cursor) else { throw damaged(index) }
          if id < end {
            total += 1
          } else if found.isInOrderOfObjects {
            break
          }
        } else {
          total += 1
        }
        isInside = try cursor.move(to: .next)
      }
    }
    return total
  }

  /// Returns the number of objects that satisfy the condition, or nil if the entries of one index
  /// are not enough to know it.
  ///
  /// - Parameter end: The ID below which objects are counted, or nil to count all.
  mutating func countByIndex(before end: ObjectID? = nil) throws -> Int? {
    guard let access = query.access else { return nil }
    for candidate in access.candidates where candidate.answered == access.parts {
      guard case .ranges(let found) = candidate.source, !found.index.hasManyEntries else {
        continue
      }
      let count = try count(found, upTo: .max, before: end)
      use(found)
      tally.indexEntries += count
      return count
    }
    return nil
  }
}

// MARK: - Reading indexes

extension QueryRun {
  private mutating func find(
    _ candidate: QueryAccess.Candidate, most: Int, _ wanted: Int?
  ) throws -> FoundObjects? {
    switch candidate.source {
    case .ranges(let found):
      return try find(found, most: most, wanted).map { FoundObjects(ids: $0, isExact: true) }
    case .words(let search, let found):
      let ids = try table.objectIDs(matching: search, in: found.index.positions[0])
      use(found)
      tally.indexEntries += ids?.count ?? 0
      return ids.map { FoundObjects(ids: $0, isExact: true) }
    case .linked(let linked):
      return try find(linked, most: most).map { FoundObjects(ids: $0, isExact: true) }
    case .anyOf(let ways):
      var result = FoundObjects(ids: [], isExact: true)
      for way in ways {
        guard let found = try find(way, most: most - result.ids.count, nil) else { return nil }
        result.ids += found.ids
        result.isExact = result.isExact && found.isExact
      }
      if ways.count > 1 { result.ids.sortOnce() }
      return result
    }
  }

  /// Returns the objects of the entries in some ranges, or nil if there are too many entries.
  private mutating func find(
    _ found: IndexRanges, most: Int, _ wanted: Int?
  ) throws -> [ObjectID]? {
    let index = found.index
    let enough = found.isInOrderOfObjects ? wanted ?? .max : .max
    var ids: [ObjectID] = []
    guard !found.ranges.isEmpty else {
      use(found)
      return ids
    }
    let cursor = try table.session.view.cursor(index.table)
    for range in found.ranges where ids.count < enough {
      var isInside = try index.seek(cursor, to: range)
      while isInside, index.isBelowEnd(cursor, of: range) {
        guard let id = index.objectID(at: cursor) else { throw damaged(index) }
        if ids.count >= most, enough == .max { return nil }
        ids.append(id)
        if ids.count >= enough { break }
        isInside = try cursor.move(to: .next)
      }
    }
    tally.indexEntries += ids.count
    use(found)
    if !found.isInOrderOfObjects { ids.sortOnce() }
    return ids
  }

  private mutating func use(_ found: IndexRanges) {
    tally.used.append(
      QueryTally.IndexUse(index: found.index, table: table, entries: .passing(found.tests)))
  }

  func damaged(_ index: QueryIndex) -> StoreError {
    StoreError.damaged(
      path: table.session.file.path,
      detail: "the index '\(index.name(in: table.resolved))' has an entry that is too short")
  }
}

extension [ObjectID] {
  /// Sorts the IDs and removes duplicates.
  mutating func sortOnce() {
    sort()
    var last: ObjectID?
    removeAll { id in
      defer { last = id }
      return id == last
    }
  }

  /// Returns the IDs that are in both of two sorted arrays.
  fileprivate func intersection(ofSorted other: [ObjectID]) -> [ObjectID] {
    var result: [ObjectID] = []
    var (left, right) = (0, 0)
    while left < count, right < other.count {
      if self[left] == other[right] { result.append(self[left]) }
      let isLess = self[left] <= other[right]
      if self[left] >= other[right] { right += 1 }
      if isLess { left += 1 }
    }
    return result
  }
}
