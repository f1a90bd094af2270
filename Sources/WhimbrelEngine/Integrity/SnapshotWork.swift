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
    let next = Atomic(0)
    private let done = Mutex<[Piece]>([])
    let failure = Mutex<(any Error)?>(nil)
    let ended = DispatchSemaphore(value: 0)

    struct Piece: Sendable {
      let number: Int
      let outcome: Outcome
    }

    func add(_ number: Int, _ outcome: Outcome) {
      done.withLock { $0.append(Piece(number: number, outcome: outcome)) }
    }

    /// What was done since this was asked last.
    func takeAll() -> [Piece] {
      done.withLock { done in
        let all = done
        done.removeAll()
        return all
      }
    }
  }

  /// Does all pieces.
  ///
  /// - Parameters:
  ///   - body: does one; it is called on several threads at once.
  ///   - take: is given what was done, on the calling thread, in the order of the numbers.
  ///     What it throws ends the work.
  func run<Outcome: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int, ReadView) throws -> Outcome,
    taking take: (Int, Outcome) throws -> Void
  ) throws {
    let shared = Shared<Outcome>()
    let helpers = count > 1 ? startHelpers(shared, count, body) : 0
    var waiting: [Int: Outcome] = [:]
    var taken = 0
    func takeDone() throws {
      for piece in shared.takeAll() { waiting[piece.number] = piece.outcome }
      while let outcome = waiting.removeValue(forKey: taken) {
        try take(taken, outcome)
        taken += 1
      }
    }
    Self.work(shared, count, view, body, takeDone)
    for _ in 0..<helpers { shared.ended.wait() }
    if let failure = shared.failure.withLock({ $0 }) { throw failure }
    try takeDone()
  }

  /// Does pieces until there are none left, or one fails.
  private static func work<Outcome: Sendable>(
    _ shared: Shared<Outcome>, _ count: Int, _ view: ReadView,
    _ body: (Int, ReadView) throws -> Outcome, _ afterEach: () throws -> Void = {}
  ) {
    while true {
      let number = shared.next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      do {
        let outcome = try body(number, view)
        shared.add(number, outcome)
        try afterEach()
      } catch {
        shared.failure.withLock { $0 = $0 ?? error }
        shared.next.store(count, ordering: .relaxed)
        return
      }
    }
  }

  /// Starts the other cores, and returns how many there are.
  private func startHelpers<Outcome: Sendable>(
    _ shared: Shared<Outcome>, _ count: Int,
    _ body: @escaping @Sendable (Int, ReadView) throws -> Outcome
  ) -> Int {
    guard let environment else { return 0 }
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, Self.coreLimit, count)
    let commit = view.transactionID
    for _ in 1..<max(cores, 1) {
      Thread.detachNewThread {
        defer { shared.ended.signal() }
        guard let snapshot = try? ReadTransaction(environment),
          snapshot.view.transactionID == commit
        else { return }
        Self.work(shared, count, snapshot.view, body)
      }
    }
    return max(cores, 1) - 1
  }
}
