import Foundation
import Synchronization

extension FileStructure {
  /// A set of page numbers: one bit a page. Several threads may add to it.
  @safe
  final class PageSet: Sendable {
    // Safe: the pointer never changes, and what it points to is atomic.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let capacity: UInt64

    /// Makes an empty set of the pages before `capacity`.
    ///
    /// The system gives out the zeros as they are touched, so that a sparse file
    /// does not cost more than what it holds.
    init(capacity: UInt64) throws(Failure) {
      let count = Int(capacity / 64) + 1
      guard let memory = unsafe calloc(count, MemoryLayout<Atomic<UInt64>>.size) else {
        throw .io(ENOMEM)
      }
      // Safe: an atomic number is laid out as the number is.
      unsafe words = unsafe memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
      self.capacity = capacity
    }

    deinit {
      unsafe free(words)
    }

    /// Whether a page is in the set.
    func contains(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      // Safe: the line above; the memory has a bit for each page up to there.
      return unsafe words[Int(page >> 6)].load(ordering: .relaxed) & (1 << (page & 63)) != 0
    }

    /// Adds a page and returns whether it was new.
    func insert(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      let mask: UInt64 = 1 << (page & 63)
      // Safe: the first line; the memory has a bit for each page up to there.
      let word = unsafe words[Int(page >> 6)].bitwiseOr(mask, ordering: .relaxed).oldValue
      return word & mask == 0
    }
  }
}
