internal import Foundation
internal import Logging
internal import Synchronization
internal import WhimbrelLMDB

extension StoreFile {
  /// Returns the snapshots of the file that all processes hold, oldest first. Removes the snapshots
  /// of dead processes.
  package func activeSnapshots() throws -> [ActiveSnapshot] {
    try explaining {
      let environment = try environment
      if !isReadOnly { try environment.removeDeadReaders() }
      var held = heldSnapshots.byCommit()
      return try environment.snapshots().map { snapshot in
        let isOwn = snapshot.slot.processID == getpid()
        let holding = isOwn ? held[snapshot.slot.transaction]?.popLast() : nil
        return ActiveSnapshot(
          processID: snapshot.slot.processID, threadID: snapshot.slot.thread,
          commitsBehind: snapshot.commitsBehind, fileGrowth: snapshot.growth,
          since: holding?.since ?? snapshot.date, holder: holding?.holder)
      }
    }
  }

  /// Reports snapshots that have fallen behind, each once. Call it when a write begins and has
  /// released its own snapshot.
  ///
  /// - Throws: ``StoreError`` with `snapshotTooOld`.
  func checkSnapshots() throws {
    let last = try environment.information().lastTransaction
    guard last - snapshotLog.lookedAt.load(ordering: .relaxed) >= snapshotLimits.interval else {
      return
    }
    for snapshot in try activeSnapshots() {
      if snapshotLimits.warns(of: snapshot), snapshotLog.isNew(snapshot, last: last) {
        Logger(label: "whimbrel.snapshots").warning(
          """
          A snapshot is \(snapshot.commitsBehind) commits old and keeps the file from reusing \
          pages. Refresh or close the store that holds it.
          """,
          metadata: [
            "path": "\(path)", "process": "\(snapshot.processID)",
            "thread": "\(snapshot.threadID)", "growth": "\(snapshot.fileGrowth)",
            "holder": "\(snapshot.holder?.description ?? "unknown")",
          ])
      }
      if snapshotLimits.forbids(snapshot) {
        // The next write checks the snapshot again.
        throw StoreError.snapshotTooOld(
          path: path, processID: snapshot.processID, commits: snapshot.commitsBehind,
          bytes: snapshot.fileGrowth)
      }
    }
    snapshotLog.lookedAt.store(last, ordering: .relaxed)
  }
}

/// The snapshots that the log has already named.
final class SnapshotLog: Sendable {
  /// The number of the last commit when the reader table was last read.
  let lookedAt = Atomic(0)
  private let named = Mutex<Set<String>>([])

  /// Notes a snapshot, and returns whether it was not noted before.
  func isNew(_ snapshot: ActiveSnapshot, last: Int) -> Bool {
    let commit = last - snapshot.commitsBehind
    let name = "\(snapshot.processID) \(snapshot.threadID) \(commit)"
    return named.withLock { $0.insert(name).inserted }
  }
}
