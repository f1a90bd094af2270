internal import CWhimbrelLMDB
internal import Synchronization

// Readers that cannot write the lock file: their folder is mounted read-only but others write it, as
// in a container, or the file belongs to another user. LMDB does not know their snapshots, and would
// reuse the pages that they show. Such a reader locks a byte of the data file for each snapshot, and
// writers keep snapshots of their own as long as there are such bytes.
//
// Invariants:
// 1. A reader locks the byte of the last commit, and then takes a snapshot. The snapshot shows that
//    commit or a later one.
// 2. A write that begins when the byte is locked keeps a snapshot of the last commit, or has an
//    older one. LMDB: a write does not change pages of the two commits before it, so a write that
//    has begun earlier does no harm.
// 3. A writer ends its older snapshot only when no byte before the commit of its newer one is
//    locked.

/// The bytes that the snapshots of a process without reader slots have locked.
final class UnlockedSnapshots: Sendable {
  fileprivate static let firstByte = Int64(1) << 60
  /// The number of bytes, one for each commit.
  fileprivate static let byteCount = Int64(1) << 60

  /// The numbers of snapshots, by commits.
  private let counts = Mutex<[Int: Int]>([:])

  /// The lock on the byte of a commit, for one snapshot.
  final class PageLock: Sendable {
    private let environment: Environment
    private let commit: Int

    private var byte: Int64 { firstByte + max(0, min(Int64(commit), byteCount - 1)) }

    fileprivate init(_ environment: Environment, since commit: Int) throws(LMDBError) {
      self.environment = environment
      self.commit = commit
      let descriptor = try environment.descriptor()
      environment.unlockedSnapshots.counts.withLock { counts in
        // A file system without locks cannot have writers either.
        if counts[commit] == nil { _ = try? ByteLock.take(byte, .shared, in: descriptor) }
        counts[commit, default: 0] += 1
      }
    }

    deinit {
      guard environment.isOfThisProcess, let descriptor = try? environment.descriptor() else {
        return
      }
      environment.unlockedSnapshots.counts.withLock { counts in
        let left = counts[commit, default: 1] - 1
        counts[commit] = left == 0 ? nil : left
        if left == 0 { ByteLock.drop(byte, in: descriptor) }
      }
    }
  }
}

extension Environment {
  /// Lets writers keep the pages of a snapshot that is about to be taken. Returns nil if it gets a
  /// reader slot.
  func lockPages() throws(LMDBError) -> UnlockedSnapshots.PageLock? {
    guard options.ignoresLocks else {
      // A process that does not write any more must not keep its snapshots for longer than others.
      if !keptSnapshots.isEmpty, isOfThisProcess { try keptSnapshots.update(self) }
      return nil
    }
    try requireSameProcess()
    return try UnlockedSnapshots.PageLock(self, since: information().lastTransaction)
  }
}

/// The snapshots that a writer keeps for readers without reader slots.
///
/// Nothing is read in them, so the map may be replaced and tables may be dropped meanwhile.
final class KeptSnapshots: Sendable {
  // Safe: the handles are used only under the lock.
  @safe
  private struct Handles {
    var older: OpaquePointer?
    var newer: OpaquePointer?
  }

  private let handles = Mutex(Handles())
  private let hasNone = Atomic<Bool>(true)

  /// Whether there are none. This is one load.
  var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

  /// Takes, keeps and ends snapshots, so that every reader without a slot keeps its pages. Each
  /// write calls it when it begins.
  ///
  /// - Complexity: One system call, or two while there are such readers.
  func update(_ environment: Environment) throws(LMDBError) {
    let descriptor = try environment.descriptor()
    guard Self.isLocked(before: .max, in: descriptor) else { return end() }
    try handles.withLock { handles throws(LMDBError) in
      if let newer = unsafe handles.newer, let older = unsafe handles.older,
        !Self.isLocked(before: unsafe mdb_txn_id(newer), in: descriptor)
      {
        unsafe mdb_txn_abort(older)
        unsafe (handles.older, handles.newer) = (newer, nil)
      }
      if unsafe handles.older == nil {
        unsafe handles.older = try Self.take(environment)
      } else if unsafe handles.newer == nil {
        unsafe handles.newer = try Self.take(environment)
      }
      hasNone.store(false, ordering: .relaxed)
    }
  }

  private static func isLocked(before commit: Int, in descriptor: Int32) -> Bool {
    let first = UnlockedSnapshots.firstByte
    let count = max(0, min(Int64(commit), UnlockedSnapshots.byteCount))
    return ByteLock.isHeld(first..<first + count, in: descriptor)
  }

  private static func take(_ environment: Environment) throws(LMDBError) -> OpaquePointer? {
    var handle: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &handle)
    if code == MDB_READERS_FULL, try environment.removeDeadReaders() > 0 {
      return unsafe try take(environment)
    }
    try LMDBError.check(code, "mdb_txn_begin")
    return unsafe handle
  }

  /// Ends all snapshots.
  func end() {
    if isEmpty { return }
    handles.withLock { handles in
      if let older = unsafe handles.older { unsafe mdb_txn_abort(older) }
      if let newer = unsafe handles.newer { unsafe mdb_txn_abort(newer) }
      handles = Handles()
      hasNone.store(true, ordering: .relaxed)
    }
  }
}
