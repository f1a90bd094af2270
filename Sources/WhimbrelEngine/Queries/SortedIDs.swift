/// A set of object IDs as a sorted array.
///
/// Sets of changed objects are created in the order of the IDs, merged and iterated, and may have
/// as many objects as a class. An array does this without hashing.
struct SortedIDs: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  private(set) var ids: [ObjectID]

  /// - Parameter ids: The IDs, in any order. Duplicates are allowed.
  init(_ ids: [ObjectID]) {
    self.ids = ids
    let isSorted = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
    if !isSorted { self.ids.sortOnce() }
  }

  init(arrayLiteral elements: ObjectID...) { self.init(elements) }

  var startIndex: Int { 0 }
  var endIndex: Int { ids.count }

  subscript(position: Int) -> ObjectID { ids[position] }

  /// - Complexity: O(log *n*).
  func contains(_ id: ObjectID) -> Bool {
    let place = ids.partitionPoint { $0 >= id }
    return place < ids.count && ids[place] == id
  }

  /// Adds the IDs of another set.
  ///
  /// - Complexity: O(*n*).
  mutating func formUnion(_ other: SortedIDs) {
    if other.isEmpty { return }
    if isEmpty {
      ids = other.ids
      return
    }
    var union: [ObjectID] = []
    union.reserveCapacity(Swift.max(count, other.count))
    var (left, right) = (0, 0)
    while left < count, right < other.count {
      let (first, second) = (ids[left], other.ids[right])
      union.append(Swift.min(first, second))
      if first <= second { left += 1 }
      if second <= first { right += 1 }
    }
    union += ids[left...]
    union += other.ids[right...]
    ids = union
  }

  func union(_ other: SortedIDs) -> SortedIDs {
    var union = self
    union.formUnion(other)
    return union
  }
}

/// A set of object IDs that mostly needs only one bit to decide whether it contains an ID.
struct SievedIDs: Sendable {
  /// The IDs, or an empty set if there is a bit for each ID.
  private let ids: SortedIDs
  private var bits: [UInt64]
  /// The first ID, if there is a bit for each ID from the first to the last.
  private let first: UInt64?
  private let mask: UInt64

  init(_ ids: SortedIDs) {
    if let first = ids.first?.rawValue, let last = ids.last?.rawValue,
      (last - first) / 64 <= UInt64(ids.count)
    {
      self.first = first
      self.ids = []
      mask = 0
      bits = Array(repeating: 0, count: Int((last - first) / 64) + 1)
      for id in ids {
        let bit = id.rawValue - first
        bits[Int(bit >> 6)] |= 1 << (bit & 63)
      }
      return
    }
    first = nil
    self.ids = ids
    // A power of two, with about sixteen bits for each object.
    let size = max(64, 1 << (Int.bitWidth - max(ids.count * 16 - 1, 1).leadingZeroBitCount))
    mask = UInt64(size - 1)
    bits = Array(repeating: 0, count: size / 64)
    for id in ids {
      let bit = hash(id)
      bits[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  @inline(__always)
  private func hash(_ id: ObjectID) -> UInt64 {
    let mixed = id.rawValue &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed >> 32) & mask
  }

  @inline(__always)
  func contains(_ id: ObjectID) -> Bool {
    if let first {
      let bit = id.rawValue &- first
      return bit >> 6 < UInt64(bits.count) && bits[Int(bit >> 6)] & (1 << (bit & 63)) != 0
    }
    let bit = hash(id)
    return bits[Int(bit >> 6)] & (1 << (bit & 63)) != 0 && ids.contains(id)
  }
}
