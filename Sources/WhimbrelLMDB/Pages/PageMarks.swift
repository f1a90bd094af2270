internal import Foundation

/// The marks of verified pages, and of the nodes through which they were reached. There is one word
/// per page.
///
/// From its low bits up, a word holds the number of the page that leads to the marked page (32
/// bits), the node of that page (12 bits), and the low bits of the number of the transaction in
/// which the page was verified. A page that is reached from elsewhere is verified again, because
/// the keys that it may have depend on where it is reached from.
///
/// No word is cleared when a snapshot is renewed: its transaction shows that it is out of date. The
/// system provides zeroed memory when it is touched, so a large file costs only what is read of it.
///
/// Invariant: a word is trusted only while its page cannot have been rewritten. LMDB reuses a page
/// that commit F freed in commit F + 2 at the earliest (`mdb_find_oldest` is at most the commit
/// before the writer's, and only older records are taken). A page that a snapshot of T sees is
/// freed by T + 1 or later. It is therefore unchanged if a snapshot of T + 1 or T + 2 sees it, too.
// Safe: it owns its memory, and allocates a word for every page of a snapshot before it is used.
@safe
final class PageMarks {
  /// The words, or nil before the first snapshot.
  private(set) var words: UnsafeMutablePointer<UInt64>?
  private var capacity = 0
  var byteCount: Int { capacity * MemoryLayout<UInt64>.stride }
  /// The transaction of the first word that was set.
  private var oldest: UInt64 = 0

  private static let stampBits: UInt64 = 20
  private static let stampMask: UInt64 = (1 << stampBits) - 1
  /// The number of commits for which a page stays verified.
  private static let lifetime: UInt64 = 2

  deinit { release() }

  private func release() {
    if let words = unsafe words {
      unsafe munmap(words, capacity * MemoryLayout<UInt64>.stride)
    }
  }

  /// Prepares the words for the pages and the transaction of a snapshot.
  func prepare(pageCount: Int, transaction: UInt64) throws(FileStructure.Failure) {
    // All words are cleared before the bits of a transaction number repeat.
    let isCurrent = transaction >= oldest && transaction - oldest < Self.stampMask / 2
    if pageCount <= capacity, isCurrent { return }
    let count = max(pageCount + pageCount / 4, 1_024)
    // This does not use malloc, which would return used memory and fill it with zeros.
    let flags = MAP_PRIVATE | Int32(MAP_ANON)
    let size = count * MemoryLayout<UInt64>.stride
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw .io(ENOMEM) }
    release()
    unsafe words = unsafe memory.bindMemory(to: UInt64.self, capacity: count)
    capacity = count
    oldest = transaction
  }

  /// Returns the word of a page that is reached from a node of another.
  @inline(__always)
  static func edge(from page: UInt64, node: Int, stamp: UInt64) -> UInt64 {
    stamp | UInt64(truncatingIfNeeded: node & 0xFFF) << 32 | page & 0xFFFF_FFFF
  }

  /// Returns the word of the root of a table. No page has as many nodes.
  @inline(__always)
  static func rootEdge(of handle: UInt32, stamp: UInt64) -> UInt64 {
    edge(from: UInt64(handle), node: 0xFFF, stamp: stamp)
  }

  /// Returns the part of a word that identifies the transaction. Never zero.
  static func stamp(of transaction: UInt64) -> UInt64 {
    (transaction % stampMask + 1) << (64 - stampBits)
  }

  /// Returns whether a word differs from the wanted one only by an earlier transaction, whose pages
  /// cannot have been rewritten since.
  static func isRecent(_ word: UInt64, wanted: UInt64) -> Bool {
    let shift = 64 - stampBits
    guard word << stampBits == wanted << stampBits, word >> shift != 0 else { return false }
    let age = (wanted >> shift &+ stampMask &- word >> shift) % stampMask
    return age <= lifetime
  }
}
