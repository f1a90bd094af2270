internal import WhimbrelLMDB

/// Does pieces of work on several cores, each of which reads in a snapshot of its own of one
/// commit: LMDB's snapshots are not for two threads.
///
/// A snapshot has the number of the commit that it shows, which is never given twice. Where
/// another commit came between, fewer cores do the work.
struct SnapshotWork {
  private let view: ReadView
  private let environment: Environment?

  /// - Parameter environment: the file, or nil when one core does it all.
  init(_ view: ReadView, _ environment: Environment?) {
    self.view = view
    self.environment = environment
  }

  /// How many cores so many pieces are for.
  func coreCount(_ count: Int) -> Int {
    environment == nil ? 1 : max(ParallelMap<Void>.coreCount(count), 1)
  }

  /// Does all pieces.
  ///
  /// - Parameters:
  ///   - body: does one; it is called on several threads at once.
  ///   - take: is given what was done, on the calling thread, in the order of the numbers.
  ///     What it throws ends the work.
  func run<Outcome: Sendable>(
    _ count: Int, _ body: @Sendable (Int, ReadView) throws -> Outcome,
    taking take: (Int, Outcome) throws -> Void
  ) throws {
    let (environment, commit) = (environment, view.transactionID)
    // Safe: the calling thread alone uses it.
    nonisolated(unsafe) let ownView = view
    try ParallelMap<Outcome>.run(count, isShared: environment != nil) { pieces in
      if pieces.isOnCallingThread {
        // Safe: the line above.
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
