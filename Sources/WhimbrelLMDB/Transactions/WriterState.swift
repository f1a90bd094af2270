internal import Synchronization

/// The state that the writes of this process to a file share. One of its threads writes at a time.
struct WriterState: ~Copyable, Sendable {
  /// The queue of the threads that wait to write.
  let line = WriterLine()
  /// The pages that were verified for writes.
  // Safe: only the write transaction uses them, and a process has one at a time.
  nonisolated(unsafe) let marks = PageMarks()
  /// The last error in a call of the current write. If it made the write fail, all later calls
  /// return `MDB_BAD_TXN`.
  let failure = Mutex<LMDBError?>(nil)
  private let writingThread = Atomic<UInt>(0)
  private let verifies = Atomic<Bool>(false)
  private let pageLimit = Atomic<Int>(HeldPages.defaultLimit)

  /// The thread with the write transaction, or 0.
  var thread: UInt {
    get { writingThread.load(ordering: .relaxed) }
    nonmutating set { writingThread.store(newValue, ordering: .relaxed) }
  }

  /// Whether each write verifies the pages that LMDB is about to use.
  var verifiesPaths: Bool {
    get { verifies.load(ordering: .relaxed) }
    nonmutating set { verifies.store(newValue, ordering: .relaxed) }
  }

  /// The number of bytes of changed pages that a write may hold in memory.
  var heldPageLimit: Int {
    get { pageLimit.load(ordering: .relaxed) }
    nonmutating set { pageLimit.store(newValue, ordering: .relaxed) }
  }
}
