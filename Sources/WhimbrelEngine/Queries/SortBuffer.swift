internal import WhimbrelLMDB

/// A buffer that sorts objects, or keeps only the first ones of an order.
///
/// Invariant: once the limit is reached, the entries are a heap whose root is the last in
/// the order.
struct SortBuffer {
  private var reader: OrderReader
  private let limit: Int
  private var entries: [SortEntry] = []
  private var ids: [ObjectID] = []

  /// - Parameters:
  ///   - limit: the number of objects to keep, or nil for all.
  ///   - source: the snapshot that is read, or nil for what the session shows.
  init(_ order: QueryOrder, limit: Int?, _ source: QuerySource? = nil) {
    reader = OrderReader(order, source)
    self.limit = limit ?? .max
  }

  /// Adds an object, unless the buffer is full of objects that come before it.
  @inline(__always)
  mutating func add(_ id: ObjectID, _ record: PageBytes) throws {
    var entry = try reader.entry(of: record, id)
    entry.place = UInt32(ids.count)
    if entries.count >= limit {
      guard limit > 0, entry.precedes(entries[0], isReversed: reader.isReversed) else { return }
      ids.append(id)
      entries[0] = reader.kept(entry)
      siftDown(0)
      return
    }
    ids.append(id)
    entries.append(reader.kept(entry))
    if entries.count == limit { makeHeap() }
  }

  private mutating func makeHeap() {
    for place in (0..<entries.count / 2).reversed() { siftDown(place) }
  }

  private mutating func siftDown(_ start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { return }
      if child + 1 < entries.count, precedes(child, child + 1) { child += 1 }
      guard precedes(place, child) else { return }
      entries.swapAt(place, child)
      place = child
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    entries[left].precedes(entries[right], isReversed: reader.isReversed)
  }

  /// Returns the objects in their order.
  consuming func sorted() -> [ObjectID] { sortedRun().objectIDs }

  /// Returns the entries in their order.
  consuming func sortedRun() -> SortedRun {
    let isReversed = reader.isReversed
    // Two closures with a constant each, so that no comparison tests the flag.
    if isReversed {
      entries.sort { $0.precedes($1, isReversed: true) }
    } else {
      entries.sort { $0.precedes($1, isReversed: false) }
    }
    return SortedRun(entries: entries, ids: ids, reader: reader)
  }
}

/// Sorted objects, which can be merged with others.
struct SortedRun {
  /// The entries in their order.
  fileprivate let entries: [SortEntry]
  /// The objects, at the places that the entries name.
  fileprivate let ids: [ObjectID]
  /// Keeps the bytes of the entries.
  fileprivate let reader: OrderReader

  var objectIDs: [ObjectID] { entries.map { ids[Int($0.place)] } }

  /// Merges runs. Of objects that tie, those of an earlier run come first.
  ///
  /// - Parameter most: the number of objects that are wanted, or nil for all.
  /// - Complexity: O(*n* *k*) for *n* objects in *k* runs.
  static func merged(_ runs: [SortedRun], upTo most: Int?) -> [ObjectID] {
    if runs.count == 1 {
      let ids = runs[0].objectIDs
      return most.map { Array(ids.prefix($0)) } ?? ids
    }
    let isReversed = runs.first?.reader.isReversed ?? false
    let count = min(runs.reduce(0) { $0 + $1.entries.count }, most ?? .max)
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    // The next entry of each run, in their order.
    var heads: [(entry: SortEntry, run: Int)] = []
    var next = Array(repeating: 0, count: runs.count)
    for run in runs.indices where !runs[run].entries.isEmpty {
      heads.append((runs[run].entries[0], run))
    }
    func precedes(_ left: (entry: SortEntry, run: Int), _ right: (entry: SortEntry, run: Int))
      -> Bool
    {
      left.entry.precedes(right.entry, ties: left.run < right.run, isReversed: isReversed)
    }
    heads.sort(by: precedes)
    while ids.count < count {
      let run = heads[0].run
      ids.append(runs[run].ids[Int(heads[0].entry.place)])
      next[run] += 1
      guard next[run] < runs[run].entries.count else {
        heads.removeFirst()
        continue
      }
      let head = (entry: runs[run].entries[next[run]], run: run)
      var place = 1
      while place < heads.count, precedes(heads[place], head) {
        heads[place - 1] = heads[place]
        place += 1
      }
      heads[place - 1] = head
    }
    return ids
  }
}
