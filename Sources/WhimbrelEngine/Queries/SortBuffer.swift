internal import WhimbrelLMDB

/// Puts objects in an order, or finds the first ones.
///
/// Invariant: with a limit that is reached the entries are a heap, whose first is the last
/// in the order.
struct SortBuffer {
  private var reader: OrderReader
  private let limit: Int
  private var entries: [SortEntry] = []
  private var ids: [ObjectID] = []

  /// - Parameter limit: how many objects of the order are wanted, or nil for all.
  init(_ order: QueryOrder, limit: Int?) {
    reader = OrderReader(order)
    self.limit = limit ?? .max
  }

  /// Where records are looked at first, as far as that is known.
  var firstOffset: Int { reader.firstOffset }

  mutating func reserve(_ count: Int) {
    guard limit == .max else { return }
    entries.reserveCapacity(count)
    ids.reserveCapacity(count)
  }

  /// Takes an object up.
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

  /// The objects in the order.
  consuming func sorted() -> [ObjectID] {
    let isReversed = reader.isReversed
    // Two closures, so that neither asks each time.
    if isReversed {
      entries.sort { $0.precedes($1, isReversed: true) }
    } else {
      entries.sort { $0.precedes($1, isReversed: false) }
    }
    return entries.map { ids[Int($0.place)] }
  }
}
