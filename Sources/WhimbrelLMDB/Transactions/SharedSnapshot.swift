internal import CWhimbrelLMDB

/// A snapshot that several threads read at once, with one reader slot.
///
/// LMDB provides snapshots of the newest commit only, and only one thread may use each. But pages
/// can be read without LMDB. The transaction therefore only pins the pages, and each thread reads
/// them through its own ``Reader``.
///
/// It keeps the file open.
// Safe: nothing uses the transaction after this object is created, until the last reference ends
// it. LMDB: with `MDB_NOTLS`, any thread may end it.
@safe
package final class SharedSnapshot: Sendable {
  nonisolated(unsafe) private let transaction: ReadTransaction
  private let pages: PageSnapshot.Sharing
  /// The number of the commit that the snapshot shows.
  package let commit: Int

  /// Shares a snapshot that has been taken. The caller can continue to use what it has read from it
  /// while it keeps this object.
  package init(_ transaction: consuming ReadTransaction) throws(LMDBError) {
    pages = try transaction.pages.sharing()
    commit = transaction.pages.transactionID
    unsafe self.transaction = transaction
  }

  /// A reader of the snapshot, for one thread at a time. It keeps the snapshot.
  package final class Reader {
    package let snapshot: SharedSnapshot
    private let pages: PageSnapshot

    fileprivate init(_ snapshot: SharedSnapshot) throws(LMDBError) {
      self.snapshot = snapshot
      pages = try PageSnapshot(snapshot.pages)
    }

    deinit { pages.end() }

    /// The view of the snapshot through this reader.
    package var view: ReadView { unsafe snapshot.transaction.view(through: pages) }
  }

  /// Creates a reader for one more thread.
  package func makeReader() throws(LMDBError) -> Reader { try Reader(self) }
}
