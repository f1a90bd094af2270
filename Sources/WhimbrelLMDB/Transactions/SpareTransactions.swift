internal import CWhimbrelLMDB
internal import Synchronization

/// Ended read transactions, which the next ones take over.
///
/// LMDB: a new transaction has memory for all tables that the environment may open, which is
/// cleared first. For 4,096 tables, these are 200 KB. A renewed transaction keeps its memory. It
/// also keeps its slot, which pins no pages meanwhile.
final class SpareTransactions: Sendable {
  /// The limit of ended transactions: the number that opening a store uses at once, beside the one
  /// that it keeps.
  private static let limit = 2

  // Safe: only the caller of `put` or `take` has the handle.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let handles = Mutex<[Handle]>([])

  /// Returns a transaction that was reset, or nil if there is none.
  func take() -> OpaquePointer? {
    unsafe handles.withLock { $0.popLast() }?.pointer
  }

  /// Keeps a transaction that was reset, or ends it.
  func put(_ pointer: OpaquePointer) {
    let handle = unsafe Handle(pointer: pointer)
    let isKept = handles.withLock { handles in
      if handles.count == Self.limit { return false }
      handles.append(handle)
      return true
    }
    if !isKept { unsafe mdb_txn_abort(pointer) }
  }

  /// Ends all transactions, before the file is closed.
  func end() {
    while let pointer = unsafe take() { unsafe mdb_txn_abort(pointer) }
  }
}
