import Foundation

// Queries without an index.
extension LMDBEngine {
  func filter() throws -> Outcome {
    try reading { transaction in
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      var ids: [UInt64] = []
      while let (id, record) = try cursor.next() {
        guard record.load(Int64.self, at: LMDBRecord.age) > PersonFilter.age,
          record.load(Double.self, at: LMDBRecord.score) < PersonFilter.score
        else { continue }
        ids.append(id)
      }
      return Double(ids.count)
    }
  }

  func sum() throws -> Outcome {
    try reading { transaction in
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      var sum = 0.0
      while let (_, record) = try cursor.next() {
        sum += record.load(Double.self, at: LMDBRecord.score)
      }
      return sum
    }
  }

  func sort(first limit: Int?) throws -> Outcome {
    try reading { transaction in
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      if let limit { return Double(try Self.first(limit, cursor).last ?? 0) }
      var keys: [SortedKey] = []
      while let (id, record) = try cursor.next() {
        keys.append(unsafe SortedKey(record.stringBytes(LMDBRecord.mail), id))
      }
      keys.sort()
      let ids = keys.map(\.id)
      return Double(ids.last ?? 0)
    }
  }

  /// Returns the IDs of the first persons by email. A heap holds the first ones so far, with the
  /// last of them on top.
  private static func first(_ limit: Int, _ cursor: LMDBCursor) throws -> [UInt64] {
    var heap: [SortedKey] = []
    while let (id, record) = try cursor.next() {
      let key = unsafe SortedKey(record.stringBytes(LMDBRecord.mail), id)
      if heap.count < limit {
        heap.append(key)
        if heap.count == limit { heap.sort(by: >) }
      } else if key < heap[0] {
        replaceTop(of: &heap, by: key)
      }
    }
    return heap.sorted().map(\.id)
  }

  private static func replaceTop(of heap: inout [SortedKey], by key: SortedKey) {
    var place = 0
    while true {
      var child = place * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard key < heap[child] else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = key
  }
}

/// The bytes of a text in its page, with the ID of its person.
@safe
private struct SortedKey: Comparable {
  private let bytes: UnsafeRawPointer?
  private let count: Int
  let id: UInt64

  init(_ bytes: UnsafeRawBufferPointer, _ id: UInt64) {
    unsafe self.bytes = bytes.baseAddress
    count = bytes.count
    self.id = id
  }

  static func < (left: Self, right: Self) -> Bool {
    guard let leftBytes = unsafe left.bytes, let rightBytes = unsafe right.bytes else {
      return left.count < right.count
    }
    let order = unsafe memcmp(leftBytes, rightBytes, min(left.count, right.count))
    return order != 0 ? order < 0 : left.count < right.count
  }

  static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}
