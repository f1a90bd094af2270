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
}
