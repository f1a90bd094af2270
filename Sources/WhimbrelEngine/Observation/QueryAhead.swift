internal import Dispatch
internal import Synchronization

/// A query that runs on another core while the changes are examined, because its result will be
/// needed.
final class QueryAhead: Sendable {
  private let result = Mutex<Result<[ObjectID], any Error>?>(nil)
  private let group = DispatchGroup()

  /// Starts the query. Returns nil if it can run only in the current session.
  ///
  /// - Parameter withoutWindow: Whether to ignore offsets and limits.
  init?(_ request: QueryRequest, withoutWindow: Bool, in changes: StoreChanges) {
    guard let makeSession = changes.makeSession else { return nil }
    // A queue of its own gets a thread even if an app blocks the threads of the global queues.
    let queue = DispatchQueue(label: "Whimbrel query", qos: .userInitiated)
    queue.async(group: group) {
      let found = Result {
        // The query does not keep its session.
        let session = try makeSession()
        return try withExtendedLifetime(session) {
          let query = try BoundQuery(request, in: session)
          return try (withoutWindow ? query.withoutWindow : query).objectIDs()
        }
      }
      self.result.withLock { $0 = found }
    }
  }

  /// Waits for the objects that the query finds.
  func objectIDs() throws -> [ObjectID] {
    group.wait()
    return try result.withLock { $0 }?.get() ?? []
  }
}
