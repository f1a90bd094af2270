import Foundation

extension FileStructure {
  /// A set of page numbers: one bit a page.
  @safe
  final class PageSet {
    private let words: UnsafeMutablePointer<UInt64>
    private let capacity: UInt64

    /// Makes an empty set of the pages before `capacity`.
    ///
    /// The system gives out the zeros as they are touched, so that a sparse file
    /// does not cost more than what it holds.
    init(capacity: UInt64) throws(Failure) {
      let count = Int(capacity / 64) + 1
      guard let memory = unsafe calloc(count, MemoryLayout<UInt64>.size) else {
        throw .io(ENOMEM)
      }
      unsafe words = unsafe memory.bindMemory(to: UInt64.self, capacity: count)
      self.capacity = capacity
    }

    deinit {
      unsafe free(words)
    }

    /// Whether a page is in the set.
    func contains(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      // Safe: the line above; the memory has a bit for each page up to there.
      return unsafe words[Int(page >> 6)] & (1 << (page & 63)) != 0
    }

    /// Adds a page and returns whether it was new.
    func insert(_ page: UInt64) -> Bool {
      precondition(page < capacity)
      let mask: UInt64 = 1 << (page & 63)
      // Safe: the first line; the memory has a bit for each page up to there.
      let word = unsafe words[Int(page >> 6)]
      unsafe words[Int(page >> 6)] = word | mask
      return word & mask == 0
    }
  }
}
