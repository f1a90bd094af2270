internal import WhimbrelLMDB

/// A buffer that sorts objects, or keeps only the first ones of an order.
///
/// Invariant: Once the limit is reached, the entries are a heap whose root is the last entry of the
/// order.
struct SortBuffer {
  private var reader: OrderReader
  private let limit: Int
  private var entries: [SortEntry] = []
  private var ids: [ObjectID] = []

  /// - Parameters:
  ///   - limit: The number of objects to keep, or nil for all.
  ///   - source: The snapshot to read, or nil for the one that the session shows.
  init(_ order: QueryOrder, limit: Int?, _ source: QuerySource? = nil) {
    reader = OrderReader(order, source)
    self.limit = limit ?? .max
  }

  /// Adds an object, unless the buffer is full of objects that precede it.
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

  /// Returns the objects, in order.
  consuming func sorted() -> [ObjectID] { sortedRun().objectIDs }

  /// Returns the entries, in order.
  consuming func sortedRun() -> SortedRun {
    let isReversed = reader.isReversed
    // Two closures with a constant each, so that the comparisons do not test the flag.
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
  /// The entries, in order.
  fileprivate let entries: [SortEntry]
  /// The objects. The entries contain their indices.
  fileprivate let ids: [ObjectID]
  /// The reader, which keeps the bytes of the entries alive.
  fileprivate let reader: OrderReader

  var objectIDs: [ObjectID] { entries.map { ids[Int($0.place)] } }

  /// Merges runs. If objects tie, those of an earlier run come first.
  ///
  /// - Parameter most: The number of objects that are needed, or nil for all.
  /// - Complexity: O(*n* *k*) for *n* objects in *k* runs.
  static func merged(_ runs: [SortedRun], upTo most: Int?) -> [ObjectID] {
    guard runs.count > 1, let first = runs.first else {
      let ids = runs.first?.objectIDs ?? []
      return most.map { Array(ids.prefix($0)) } ?? ids
    }
    let count = min(runs.reduce(0) { $0 + $1.entries.count }, most ?? .max)
    let isReversed = first.reader.isReversed
    return withHeads(of: runs[...]) { heads in
      heads.sort { $0.precedes($1, isReversed: isReversed) }
      var ids: [ObjectID] = []
      ids.reserveCapacity(count)
      while ids.count < count {
        var head = heads[0]
        ids.append(head.objectID)
        if !head.advance() {
          heads.removeFirst()
          continue
        }
        var place = 1
        while place < heads.count, heads[place].precedes(head, isReversed: isReversed) {
          heads[place - 1] = heads[place]
          place += 1
        }
        heads[place - 1] = head
      }
      return ids
    }
  }

  /// Calls `body` with the heads of earlier runs, followed by those of some runs.
  private static func withHeads<Result>(
    of runs: ArraySlice<SortedRun>, after earlier: [RunHead] = [],
    _ body: (inout [RunHead]) -> Result
  ) -> Result {
    var heads = earlier
    guard let run = runs.first else { return body(&heads) }
    return unsafe run.entries.withUnsafeBufferPointer { entries in
      unsafe run.ids.withUnsafeBufferPointer { ids in
        if let head = unsafe RunHead(entries, ids, number: runs.startIndex) { heads.append(head) }
        return withHeads(of: runs.dropFirst(), after: heads, body)
      }
    }
  }
}

/// The entries of a run that are not yet merged. It must not outlive the run.
@safe
private struct RunHead: BitwiseCopyable {
  private var next: UnsafePointer<SortEntry>
  private let end: UnsafePointer<SortEntry>
  private let ids: UnsafePointer<ObjectID>
  private let number: Int

  /// Returns nil if the run is empty.
  init?(
    _ entries: UnsafeBufferPointer<SortEntry>, _ ids: UnsafeBufferPointer<ObjectID>, number: Int
  ) {
    guard let start = entries.baseAddress, let ids = ids.baseAddress,
      !entries.isEmpty
    else { return nil }
    unsafe (next, end, self.ids) = unsafe (start, start + entries.count, ids)
    self.number = number
  }

  // Safe, here and below: a head always has an entry, whose place is that of an ID of the run.
  var objectID: ObjectID { unsafe ids[Int(next.pointee.place)] }

  /// Moves to the next entry. Returns false if there is none. The head must then not be used.
  @inline(__always)
  mutating func advance() -> Bool {
    unsafe next += 1
    return unsafe next < end
  }

  @inline(__always)
  func precedes(_ other: RunHead, isReversed: Bool) -> Bool {
    unsafe next.pointee.precedes(
      other.next.pointee, ties: number < other.number, isReversed: isReversed)
  }
}
