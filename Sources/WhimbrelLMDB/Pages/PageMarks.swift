internal import Foundation
internal import Synchronization

/// Which pages have been verified, and reached from where: one word a page.
///
/// A word holds, from its low bits up, the page that leads there (32 bits), which of its nodes does
/// (12 bits), and the low bits of the number of the transaction in which the page was verified
/// there. A page that is reached from elsewhere is verified again, for the keys that it may have
/// follow from where it is reached.
///
/// No word is cleared when a snapshot is renewed: it is out of date by its transaction. The system
/// gives out the zeros as they are touched, so a large file costs what is read of it.
///
/// Invariant: a word is believed for as long as its page cannot have been written since. LMDB reuses
/// a page that commit F freed in commit F + 2 at the earliest (`mdb_find_oldest` is at most the
/// commit before the writer's, and only older records are taken). What a snapshot of T sees is freed
/// by T + 1 or later, hence unchanged where a snapshot of T + 1 or T + 2 sees it, too.
// Safe: it owns its memory, and makes room for every page of a snapshot before it is used.
@safe
final class PageMarks {
  /// The words; nil before the first snapshot.
  private(set) var words: UnsafeMutablePointer<UInt64>?
  private var capacity = 0
  var byteCount: Int { capacity * MemoryLayout<UInt64>.stride }
  /// The transaction of the first word that was set.
  private var oldest: UInt64 = 0

  private static let stampBits: UInt64 = 20
  private static let stampMask: UInt64 = (1 << stampBits) - 1
  /// For how many commits a page stays verified.
  private static let lifetime: UInt64 = 2

  deinit { release() }

  private func release() {
    if let words = unsafe words {
      unsafe munmap(words, capacity * MemoryLayout<UInt64>.stride)
    }
  }

  /// Gets ready for the pages and the transaction of a snapshot.
  func prepare(pageCount: Int, transaction: UInt64) throws(FileStructure.Failure) {
    // Before the bits of a transaction come round again, all begin anew.
    let isCurrent = transaction >= oldest && transaction - oldest < Self.stampMask / 2
    if pageCount <= capacity, isCurrent { return }
    let count = max(pageCount + pageCount / 4, 1_024)
    // Not from malloc, which gives out memory that was used before, and fills it with zeros.
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

  /// Returns the part of a word that is the transaction's; never zero.
  static func stamp(of transaction: UInt64) -> UInt64 {
    (transaction % stampMask + 1) << (64 - stampBits)
  }

  /// Returns whether a word that is not the wanted one says the same of an earlier transaction,
  /// whose pages cannot have been written since.
  static func isRecent(_ word: UInt64, wanted: UInt64) -> Bool {
    let shift = 64 - stampBits
    guard word << stampBits == wanted << stampBits, word >> shift != 0 else { return false }
    let age = (wanted >> shift &+ stampMask &- word >> shift) % stampMask
    return age <= lifetime
  }
}

/// The marks of snapshots that have ended, for those that begin. Most pages are the same for both.
final class SpareMarks: Sendable {
  // Safe: only one has them, who put them here or took them from here.
  private struct Idle: @unchecked Sendable {
    let marks: PageMarks
  }

  /// As many as an observed store uses at once while it follows a commit.
  private static let limit = 4
  private let idle = Mutex<[Idle]>([])

  func take() -> PageMarks? {
    idle.withLock { $0.popLast() }?.marks
  }

  func put(_ marks: PageMarks) {
    // The memory for a large file is not kept.
    guard marks.byteCount < 64 << 20 else { return }
    let spare = Idle(marks: marks)
    idle.withLock { if $0.count < Self.limit { $0.append(spare) } }
  }
}
