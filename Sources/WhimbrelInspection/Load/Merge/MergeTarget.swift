internal import Foundation
internal import WhimbrelEngine

/// Whether what is loaded is kept.
public enum MergeMode: Hashable, Sendable {
  /// It is.
  case commit
  /// It is found out what would be done, and nothing is changed.
  case dryRun
}

/// The store that objects are loaded into, in one write: all of it, or nothing.
package struct MergeTarget {
  let path: String
  let mode: MergeMode
  package let monitor: WorkMonitor

  package init(path: String, mode: MergeMode, monitor: WorkMonitor) {
    (self.path, self.mode, self.monitor) = (path, mode, monitor)
  }

  /// The way of a write out of which nothing is to be kept.
  private struct Undone: Error {
    let summary: MergeSummary
  }

  /// Loads objects into a store that exists.
  ///
  /// The whole load is one transaction. When it does not fit into the space that the file has
  /// been given, it is done again with more.
  ///
  /// - Parameter source: makes what is loaded, for the classes of the session.
  func merge(
    _ policy: MergePolicy, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    var request = OpenRequest(path: path)
    request.checksPages = true
    let trace = LockFileTrace(path: path)
    defer { if mode == .dryRun { trace.remove() } }
    return try merge(policy, Session(StoreFile.open(request)), source)
  }

  private func merge(
    _ policy: MergePolicy, _ session: Session, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    defer { session.close() }
    var attempts = 0
    while true {
      do {
        return try fill(session, policy, source)
      } catch StoreError.Code.mapFull where attempts < 24 {
        attempts += 1
      }
    }
  }

  /// Makes a store of what is loaded.
  func make(
    _ shape: StoreShape, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw InspectionError.fileExists(path, "load objects into")
    }
    let builder = try StoreBuilder(path: path, shape: shape)
    let summary = try fill(builder, source)
    if mode == .dryRun { return summary }
    guard try builder.finish() else { throw InspectionError.fileExists(path, "load objects into") }
    return summary
  }

  /// The session is not kept: the file gets its name once nobody uses it.
  private func fill(
    _ builder: StoreBuilder, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    var attempts = 0
    while true {
      do {
        return try fill(builder.session(), .fail, source)
      } catch StoreError.Code.mapFull where attempts < 24 {
        attempts += 1
      }
    }
  }

  private func fill(
    _ session: Session, _ policy: MergePolicy, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    // Objects come before those that they belong to; the merger sees to it that all do.
    session.checksOwners = false
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
