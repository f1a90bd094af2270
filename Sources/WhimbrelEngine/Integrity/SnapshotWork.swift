internal import WhimbrelLMDB

/// A way to share work between cores that all read the same commit. Each core has its own snapshot,
/// because two threads must not share one in LMDB.
///
/// A snapshot carries the number of its commit, which is never reused. Cores whose snapshot shows a
/// later commit do not take part.
struct SnapshotWork {
  private let view: ReadView
  private let environment: Environment?

  /// - Parameter environment: The environment for further snapshots, or nil to use a single core.
  init(_ view: ReadView, _ environment: Environment?) {
    self.view = view
    self.environment = environment
  }

  /// Returns the number of cores for a number of pieces.
  func coreCount(_ count: Int) -> Int {
    environment == nil ? 1 : max(ParallelMap<Void>.coreCount(count), 1)
  }

  /// Runs all pieces.
  ///
  /// - Parameters:
  ///   - body: A closure that does one piece. Several threads call it at once.
  ///   - take: A closure that receives each outcome on the calling thread, in the order of the
  ///     pieces. An error that it throws ends the work.
  func run<Outcome: Sendable>(
    _ count: Int, _ body: @Sendable (Int, ReadView) throws -> Outcome,
    taking take: (Int, Outcome) throws -> Void
  ) throws {
    let (environment, commit) = (environment, view.transactionID)
    // Safe: only the calling thread uses it.
    nonisolated(unsafe) let ownView = view
    try ParallelMap<Outcome>.run(count, isShared: environment != nil) { pieces in
      if pieces.isOnCallingThread {
        // Safe: this is the calling thread.
        let view = unsafe ownView
        pieces.work { try body($0, view) }
      } else if let environment, let snapshot = try? ReadTransaction(environment),
        snapshot.view.transactionID == commit
      {
        let view = snapshot.view
        pieces.work { try body($0, view) }
        _ = consume snapshot
      }
    } taking: { number, outcome in
      try take(number, outcome)
    }
  }
}
