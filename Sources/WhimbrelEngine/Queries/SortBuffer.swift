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

  /// The offset that is read first in records of the current layout, so that a scan can
  /// prefetch it.
  var firstOffset: Int { reader.firstOffset }

  mutating func reserve(_ count: Int) {
    guard limit == .max else { return }
    entries.reserveCapacity(count)
    ids.reserveCapacity(count)
  }

  /// Adds an object, unless the buffer is full of objects that come before it.
  @inline(__always)
  mutating func add(_ id: ObjectID, _ record: PageBytes) throws {
    var entry = try reader.entry(of: record, id)
    entry.place = UInt32(ids.count)
    if entries.count >= limit {
      guard limit > 0, entry.precedes(entries[0], isReversed: reader.isReversed) else { return }
      ids.append(id)
      entries[0] = entry
      siftDown(0)
      return
    }
    ids.append(id)
    entries.append(entry)
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

  consuming func sorted() -> [ObjectID] {
    let isReversed = reader.isReversed
    // Two closures with a constant each, so that no comparison tests the flag.
    if isReversed {
      entries.sort { $0.precedes($1, isReversed: true) }
    } else {
      entries.sort { $0.precedes($1, isReversed: false) }
    }
    return entries.map { ids[Int($0.place)] }
  }
}
