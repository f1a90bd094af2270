internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// Does pieces of work on several cores, each of which reads in a snapshot of its own of one
/// commit: LMDB's snapshots are not for two threads.
///
/// A snapshot has the number of the commit that it shows, which is never given twice. Where
/// another commit came between, fewer cores do the work.
struct SnapshotWork {
  private let view: ReadView
  private let environment: Environment?

  /// More cores than this wait for memory, not for each other.
  private static let coreLimit = 8

  /// - Parameter environment: the file, or nil when one core does it all.
  init(_ view: ReadView, _ environment: Environment?) {
    self.view = view
    self.environment = environment
  }

  /// What the cores share.
  private final class Shared<Outcome: Sendable>: Sendable {
    private let next = Atomic(0)
    private let done = Mutex<[Int: Outcome]>([:])
    private let failure = Mutex<(any Error)?>(nil)

    /// Does pieces until there are none left, or one fails.
    func work(_ count: Int, _ body: (Int) throws -> Outcome, afterEach: () throws -> Void) {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        do {
          let outcome = try body(number)
          done.withLock { $0[number] = outcome }
          try afterEach()
        } catch {
          failure.withLock { $0 = $0 ?? error }
          next.store(count, ordering: .relaxed)
        }
      }
    }

    /// What a piece gave, if it is done and was not taken yet.
    func take(_ number: Int) -> Outcome? { done.withLock { $0.removeValue(forKey: number) } }

    func throwFailure() throws {
      if let failure = failure.withLock({ $0 }) { throw failure }
    }
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
    try withoutActuallyEscaping(take) { take in
      try run(count, body, on: Caller(take))
    }
  }

  /// The calling thread, which takes what was done in its order.
  private final class Caller<Outcome: Sendable> {
    let shared = Shared<Outcome>()
    private let take: (Int, Outcome) throws -> Void
    private var taken = 0

    init(_ take: @escaping (Int, Outcome) throws -> Void) { self.take = take }

    func takeDone() throws {
      while let outcome = shared.take(taken) {
        try take(taken, outcome)
        taken += 1
      }
    }
  }

  private func run<Outcome: Sendable>(
    _ count: Int, _ body: @Sendable (Int, ReadView) throws -> Outcome, on caller: Caller<Outcome>
  ) throws {
    let shared = caller.shared
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, Self.coreLimit, count)
    if let environment, cores > 1 {
      let (thread, commit) = (Environment.currentThread, view.transactionID)
      // Safe: the calling thread alone uses these, and is in here until all others are done.
      nonisolated(unsafe) let (ownView, caller) = (view, caller)
      DispatchQueue.concurrentPerform(iterations: cores) { _ in
        if Environment.currentThread == thread {
          // Safe: the line above.
          let caller = unsafe caller
          let view = unsafe ownView
          shared.work(count, { try body($0, view) }, afterEach: caller.takeDone)
        } else if let snapshot = try? ReadTransaction(environment),
          snapshot.view.transactionID == commit
        {
          let view = snapshot.view
          shared.work(count, { try body($0, view) }, afterEach: {})
          _ = consume snapshot
        }
      }
    }
    shared.work(count, { try body($0, view) }, afterEach: caller.takeDone)
    try shared.throwFailure()
    try caller.takeDone()
  }
}
