internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// The pages that a write transaction has changed, which LMDB holds in memory until the commit.
///
/// LMDB: once there are 131,071 of them (512 MB of 4 KiB), it writes some to the file, at positions
/// that no reader sees before the commit, and reads them again when it needs them. A value of many
/// pages counts as one.
///
/// Whimbrel makes LMDB do this much earlier, and counts the bytes of large values. LMDB has no call
/// for it, but makes room before each put: the larger the value, the more pages it writes. Whimbrel
/// therefore puts a value of some hundred megabytes over the entry of the main table that describes
/// another table. LMDB makes room, detects the kind of the entry, and refuses the value.
struct HeldPages {
  /// The memory that a transaction may hold: 16 MiB.
  static let defaultLimit = 1 << 24

  /// LMDB: the number of changed pages that a transaction can hold.
  private static let capacity = 131_071
  /// The number of bytes that a change counts in addition to its value. It rarely makes more than
  /// one page dirty.
  private static let costOfChange = 4_096

  private let limit: Int
  /// The number of bytes that may be put before the pages are counted.
  private var room: Int
  /// The number of changes when the pages were last counted.
  private var counted = 0
  /// The number of bytes that were put since all pages were written.
  private var bytes = 0
  private var leak = PageListLeak()

  init(limit: Int) {
    // LMDB: pages have at most 32 KiB.
    let limit = min(limit, Self.capacity << 15)
    self.limit = limit
    room = limit
  }

  /// Adds a change that has put a number of bytes. Returns whether the pages must be counted.
  @inline(__always)
  mutating func mustCount(adding count: Int) -> Bool {
    room &-= Self.costOfChange &+ count
    return room < 0
  }

  /// Makes LMDB count the pages of a transaction, and write them to the file if there are too many.
  ///
  /// - Parameters:
  ///   - changeCount: The number of changes in the transaction.
  ///   - name: The name of a table of the file.
  /// - Throws: ``LMDBError`` if they cannot be written. The transaction can then only be aborted.
  mutating func count(
    after changeCount: Int, in handle: OpaquePointer, tableNamed name: String
  ) throws(LMDBError) {
    bytes += max(limit - room - (changeCount - counted) * Self.costOfChange, 0)
    (room, counted) = (limit, changeCount)
    let writesAll = bytes >= limit
    if writesAll { bytes = 0 }
    var facts = MDB_stat()
    try LMDBError.check(unsafe mdb_stat(handle, Table.main.handle, &facts), "mdb_stat")
    let pageSize = Int(facts.ms_psize)
    let wanted = max(Self.capacity - (writesAll ? 0 : limit / pageSize), 0)
    try unsafe leak.counting(handle) { () throws(LMDBError) in
      // LMDB: it makes room for twice the pages of a value.
      try unsafe Self.makeRoom(forBytes: wanted / 2 * pageSize, in: handle, tableNamed: name)
    }
  }

  /// Puts a value for which LMDB makes room, and which it then refuses.
  private static func makeRoom(
    forBytes count: Int, in handle: OpaquePointer, tableNamed name: String
  ) throws(LMDBError) {
    var cursor: OpaquePointer?
    try LMDBError.check(
      unsafe mdb_cursor_open(handle, Table.main.handle, &cursor), "mdb_cursor_open")
    defer { unsafe mdb_cursor_close(cursor) }
    let code = try PageBytes.with(Array(name.utf8)) { name throws(LMDBError) in
      var (key, value) = unsafe (name.value, MDB_val())
      let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_SET)
      guard code == MDB_SUCCESS else { return code }
      // LMDB: it refuses the value before it reads it, so the value has no memory.
      unsafe value = MDB_val(mv_size: count, mv_data: nil)
      return unsafe mdb_cursor_put(cursor, &key, &value, UInt32(MDB_CURRENT))
    }
    // A dropped table has no entry. The pages are then counted later.
    if code != MDB_INCOMPATIBLE, code != MDB_NOTFOUND {
      try LMDBError.check(code, "mdb_cursor_put")
      throw LMDBError(code: .incompatible, function: "mdb_cursor_put")
    }
  }
}

/// A limit on the memory that LMDB before 0.9.25 leaks: it never frees the list of the pages that a
/// transaction has written early.
///
/// A list takes up to a megabyte. With such a version, only some transactions of a process write
/// pages early. Later ones hold as many pages as LMDB allows.
struct PageListLeak {
  private static let isPossible = Environment.versionNumbers < (0, 9, 25)
  /// The number of lists that this process may still leak. Tests set it.
  static let remaining = Atomic<Int>(64)

  /// Whether the transaction has been counted.
  private var isCounted = false

  /// Calls `body`, which may write pages of a transaction, unless too many lists have leaked.
  mutating func counting(
    _ handle: OpaquePointer, _ body: () throws(LMDBError) -> Void
  ) throws(LMDBError) {
    guard Self.isPossible, !isCounted else { return try body() }
    guard Self.remaining.load(ordering: .relaxed) > 0 else { return }
    let before = unsafe Self.timeOfWrite(handle)
    try body()
    // The time of the file advances between two writes, because changing so many pages takes longer
    // than its resolution.
    guard unsafe Self.timeOfWrite(handle) != before else { return }
    isCounted = true
    Self.remaining.subtract(1, ordering: .relaxed)
  }

  /// Returns the time at which the file was last written.
  private static func timeOfWrite(_ handle: OpaquePointer) -> [Int] {
    var descriptor: mdb_filehandle_t = -1
    var facts = stat()
    guard unsafe mdb_env_get_fd(mdb_txn_env(handle), &descriptor) == MDB_SUCCESS,
      unsafe fstat(descriptor, &facts) == 0
    else { return [] }
    #if canImport(Darwin)
      let time = facts.st_mtimespec
    #else
      let time = facts.st_mtim
    #endif
    return [time.tv_sec, time.tv_nsec]
  }
}
