public import WhimbrelEngine

extension Store {
  /// The snapshots of the file that all processes hold, the oldest first.
  ///
  /// A file cannot reuse the pages that a snapshot shows, so an old one lets the file grow with
  /// every write. ``Configuration/snapshotLimits`` says when the log names it, and when writes are
  /// refused. Snapshots of processes that died are removed.
  ///
  /// ```swift
  /// for snapshot in try store.activeSnapshots where snapshot.commitsBehind > 100 {
  ///   print(snapshot.processID, snapshot.commitsBehind)
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `storeClosed`.
  public var activeSnapshots: [ActiveSnapshot] {
    get throws { try session.file.activeSnapshots() }
  }

  /// The snapshots that pin old pages of the file, in all processes, the oldest first: those of
  /// ``activeSnapshots`` that do not show the last commit.
  ///
  /// The file grows with every write while there is one. For a snapshot of this process,
  /// ``ActiveSnapshot/holder`` tells what holds it, and ``ActiveSnapshot/since`` since when: a
  /// store that is not refreshed, frozen objects that are kept, or a migration. A store with slow
  /// observers counts as a store that is not refreshed.
  ///
  /// ```swift
  /// for snapshot in try store.pinned {
  ///   print(snapshot.processID, snapshot.holder?.description ?? "?", snapshot.fileGrowth)
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `storeClosed`.
  public var pinned: [ActiveSnapshot] {
    get throws { try activeSnapshots.filter { $0.commitsBehind > 0 } }
  }
}
