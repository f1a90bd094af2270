internal import Foundation
internal import WhimbrelEngine

/// The choice of whether a load is committed.
public enum MergeMode: Hashable, Sendable {
  /// The changes are committed.
  case commit
  /// The load runs and is rolled back; the store does not change.
  case dryRun
}

/// The store that receives loaded objects, in a single write transaction.
package struct MergeTarget {
  let path: String
  let mode: MergeMode
  package let monitor: WorkMonitor

  package init(path: String, mode: MergeMode, monitor: WorkMonitor) {
    (self.path, self.mode, self.monitor) = (path, mode, monitor)
  }

  /// An error that rolls back a dry run and carries its summary.
  private struct Undone: Error {
    let summary: MergeSummary
  }

  /// Loads objects into an existing store.
  ///
  /// The load is one transaction. If it exceeds the map size, it starts again with a larger map.
  ///
  /// - Parameters:
  ///   - policy: The treatment of objects that the store has already.
  ///   - source: Creates the objects to load for the classes of the session.
  func merge(
    _ policy: MergePolicy, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    var request = OpenRequest(path: path)
    request.file.checks = .allPages
    let trace = LockFileTrace(path: path)
    defer { if mode == .dryRun { trace.remove() } }
    let session = try Session(StoreFile.open(request))
    defer { session.close() }
    return try StoreError.retryingWhenFull { try fill(session, policy, source) }
  }

  /// Loads objects into a new store.
  func make(
    _ shape: StoreShape, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw InspectionError.fileExists(path, "load objects into")
    }
    let builder = try StoreBuilder(path: path, shape: shape)
    // Each attempt has a session of its own: the builder renames the file only after no session
    // uses it.
    let summary = try StoreError.retryingWhenFull { try fill(builder.session(), .fail, source) }
    if mode == .dryRun { return summary }
    guard try builder.finish() else { throw InspectionError.fileExists(path, "load objects into") }
    return summary
  }

  private func fill(
    _ session: Session, _ policy: MergePolicy, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    // Embedded objects arrive before their owners. ``ObjectMerger`` checks that each gets its
    // owner.
    session.checksOwners = false
    session.checksUniqueAtEnd = true
    let merger = ObjectMerger(try source(session), into: session, policy) { step, done, total in
      try monitor.update(
        step, done, of: total, orThrow: InspectionError.cancelled(path, "load objects into"))
    }
    do {
      return try monitor.write(session) {
        let summary = try merger.run()
        if mode == .dryRun { throw Undone(summary: summary) }
        return summary
      }
    } catch let undone as Undone {
      return undone.summary
    }
  }
}
