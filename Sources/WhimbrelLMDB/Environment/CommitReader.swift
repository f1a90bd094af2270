internal import CWhimbrelLMDB
internal import Synchronization

/// A reader of the number of the newest commit, usable while the file is open.
///
/// It does not keep the environment alive. Closing waits until a read in progress has ended.
// Safe: all threads may use an environment, and nothing uses it after ``close()``.
@safe
final class CommitReader: Sendable {
  /// The number of the newest commit, as readers see it and as writers see it.
  ///
  /// LMDB: a commit writes its meta page, waits for the disk, and only then gives its number to
  /// readers. A writer that dies in between leaves the meta page ahead until the next writer.
  struct Numbers: Hashable {
    /// The commit that a new snapshot shows, or nil if no snapshot can be taken now: the map must
    /// grow first, or all slots are taken.
    var readable: Int?
    /// The commit that the meta page has.
    var written: Int
  }

  private let gate: Gate
  // Safe: all threads may use an environment, and nothing uses it after ``close()``.
  nonisolated(unsafe) private let handle: OpaquePointer
  private let isClosed = Mutex(false)

  init(_ handle: OpaquePointer, _ gate: Gate) {
    self.gate = gate
    unsafe self.handle = handle
  }

  /// Stops reading. Called before the environment is closed.
  func close() { isClosed.withLock { $0 = true } }

  /// Returns the numbers of the newest commit, or nil if the file is closed.
  ///
  /// The call begins and ends a snapshot, for which LMDB clears 200 KB. It reads no page.
  ///
  /// The corresponding C functions are `mdb_txn_begin`, `mdb_txn_id` and `mdb_env_info`.
  func numbers() -> Numbers? {
    isClosed.withLock { isClosed -> Numbers? in
      if isClosed { return nil }
      gate.enter()
      defer { gate.leave(ends: false) }
      var info = unsafe MDB_envinfo()
      guard unsafe mdb_env_info(handle, &info) == MDB_SUCCESS else { return nil }
      var snapshot: OpaquePointer?
      var readable: Int?
      if unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &snapshot) == MDB_SUCCESS {
        readable = unsafe mdb_txn_id(snapshot)
        unsafe mdb_txn_abort(snapshot)
      }
      return unsafe Numbers(readable: readable, written: Int(info.me_last_txnid))
    }
  }
}
