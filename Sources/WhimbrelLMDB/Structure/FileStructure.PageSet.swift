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
    func insert(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      let mask: UInt64 = 1 << (page & 63)
      // Safe: the precondition holds, and the memory has a bit for each page
      // below `capacity`.
      let word = unsafe words[Int(page >> 6)].bitwiseOr(mask, ordering: .relaxed).oldValue
      return word & mask == 0
    }
  }
}
