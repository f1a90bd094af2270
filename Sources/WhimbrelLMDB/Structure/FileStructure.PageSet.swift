import Foundation
import Synchronization

extension FileStructure {
  /// A set of page numbers, with one bit for each page. Several threads may add
  /// to it.
  // Safe: it owns its memory, and checks each number against the capacity.
  @safe
  final class PageSet: Sendable {
    // Safe: the pointer never changes, and its target is atomic.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let capacity: UInt64

    /// Creates an empty set for page numbers below `capacity`.
    ///
    /// The system provides zeroed memory on first access, so a sparse set is
    /// cheap.
    init(capacity: UInt64) throws(Failure) {
      let count = Int(capacity / 64) + 1
      guard let memory = unsafe calloc(count, MemoryLayout<Atomic<UInt64>>.size) else {
        throw .io(ENOMEM)
      }
      // Safe: an atomic number has the layout of the number itself.
      unsafe words = unsafe memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
      self.capacity = capacity
    }

    deinit {
      unsafe free(words)
    }

    func contains(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      // Safe: the precondition holds, and the memory has a bit for each page
      // below `capacity`.
      return unsafe words[Int(page >> 6)].load(ordering: .relaxed) & (1 << (page & 63)) != 0
    }

    /// Adds a page, and returns whether it was new.
    func insert(_ page: UInt64) -> Bool { insert(Group(page)) == nil }

    /// Adds pages in one step, and returns the last of them that was not new.
    func insert(_ group: Group) -> UInt64? {
      precondition(group.last < capacity)
      // Safe: the precondition holds, and the memory has a bit for each page
      // below `capacity`.
      let word = unsafe words[Int(group.index)].bitwiseOr(group.mask, ordering: .relaxed)
      let known = word.oldValue & group.mask
      return known == 0 ? nil : group.index << 6 | UInt64(63 - known.leadingZeroBitCount)
    }
  }
}

extension FileStructure.PageSet {
  /// One or more pages whose bits are in the same word of a set. One atomic operation adds them.
  struct Group {
    fileprivate let index: UInt64
    fileprivate var mask: UInt64

    init(_ page: UInt64) {
      index = page >> 6
      mask = 1 << (page & 63)
    }

    /// The page with the highest number.
    fileprivate var last: UInt64 { index << 6 | UInt64(63 - mask.leadingZeroBitCount) }

    /// Adds a page, and returns whether it belongs to this group.
    mutating func append(_ page: UInt64) -> Bool {
      guard page >> 6 == index else { return false }
      mask |= 1 << (page & 63)
      return true
    }
  }
}
