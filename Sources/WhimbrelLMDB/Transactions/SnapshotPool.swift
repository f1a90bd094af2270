internal import Synchronization

/// The resources that ended snapshots of a file pass on to new ones.
// Safe: a handle is used only by the thread that has taken it out.
@safe
struct SnapshotPool: ~Copyable, Sendable {
  /// The maps that snapshots read pages from, the last one by default.
  let maps = Mutex<[PageMap]>([])
  /// The marks of ended snapshots. Most pages are the same for new ones. An observed store uses four
  /// at once while it follows a commit.
  let marks = Spares<PageMarks>(limit: 4)
  /// Read transactions that were reset. Opening a store uses two at once, beside the one that it
  /// keeps.
  ///
  /// LMDB: a new transaction clears memory for all tables that the environment may open, 200 KB for
  /// 4,096 tables. A renewed one does not. It keeps its slot, which pins no pages meanwhile.
  let transactions = unsafe Spares<OpaquePointer>(limit: 2)
}
