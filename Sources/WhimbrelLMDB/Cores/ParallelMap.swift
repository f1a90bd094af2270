internal import Foundation
internal import Synchronization

/// A parallel map: several cores share pieces of work, and each takes the next remaining piece.
///
/// ```swift
/// try ParallelMap<Int>.run(pages.count) { pieces in
///   let reader = Reader()
///   pieces.work { try reader.sum(pages[$0]) }
/// } taking: { _, sum in
///   total += sum
/// }
/// ```
package enum ParallelMap<Outcome: Sendable> {
  /// The limit of cores. More of them would wait for memory.
  private static var coreLimit: Int { 8 }

  /// Returns the number of cores for a number of pieces.
  package static func coreCount(_ count: Int) -> Int {
    min(ProcessInfo.processInfo.activeProcessorCount, coreLimit, count)
  }

  /// Runs all pieces.
  ///
  /// - Parameters:
  ///   - isShared: Whether to use several cores. If not, the calling thread does all pieces.
  ///   - core: A closure that does pieces, called once on each core. If it does none there, the
  ///     other cores do them. The calling thread may call it twice.
  ///   - take: A closure that receives the outcomes on the calling thread, in the order of the
  ///     pieces. An error that it throws ends the work.
  package static func run(
    _ count: Int, isShared: Bool = true, _ core: @Sendable (Pieces) -> Void,
    taking take: (Int, Outcome) throws -> Void
  ) throws {
    try withoutActuallyEscaping(take) { take in
      let shared = Shared(count)
      let caller = Caller(shared, take)
      let cores = coreCount(count)
      if isShared, cores > 1 {
        let thread = Environment.currentThread
        // Safe: only the calling thread uses it, and that thread stays here until all others are
        // done.
        nonisolated(unsafe) let caller = caller
        DispatchQueue.concurrentPerform(iterations: cores) { _ in
          let isCaller = Environment.currentThread == thread
          // Safe: `isCaller` is true on the calling thread only.
          core(Pieces(shared, unsafe isCaller ? caller : nil))
        }
      }
      core(Pieces(shared, caller))
      try shared.throwFailure()
      try caller.takeDone()
    }
  }

  /// The remaining pieces, as one core sees them.
  package struct Pieces {
    private let shared: Shared
    private let caller: Caller?

    fileprivate init(_ shared: Shared, _ caller: Caller?) {
      (self.shared, self.caller) = (shared, caller)
    }

    package var isOnCallingThread: Bool { caller != nil }

    /// Does pieces until none are left or one fails.
    package func work(_ body: (Int) throws -> Outcome) {
      while let number = shared.next() {
        do {
          shared.finish(number, try body(number))
          try caller?.takeDone()
        } catch {
          shared.fail(error)
        }
      }
    }
  }

  /// The state that the cores share.
  fileprivate final class Shared: Sendable {
    private let count: Int
    private let following = Atomic(0)
    private let done = Mutex<[Int: Outcome]>([:])
    private let failure = Mutex<(any Error)?>(nil)

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
      let number = following.wrappingAdd(1, ordering: .relaxed).oldValue
      return number < count ? number : nil
    }

    func finish(_ number: Int, _ outcome: Outcome) { done.withLock { $0[number] = outcome } }

    /// Returns the outcome of a piece if it is done and not taken yet.
    func take(_ number: Int) -> Outcome? { done.withLock { $0.removeValue(forKey: number) } }

    func fail(_ error: any Error) {
      failure.withLock { $0 = $0 ?? error }
      following.store(count, ordering: .relaxed)
    }

    func throwFailure() throws {
      if let failure = failure.withLock({ $0 }) { throw failure }
    }
  }

  /// The calling thread, which takes the outcomes in order.
  fileprivate final class Caller {
    private let shared: Shared
    private let take: (Int, Outcome) throws -> Void
    private var taken = 0

    init(_ shared: Shared, _ take: @escaping (Int, Outcome) throws -> Void) {
      (self.shared, self.take) = (shared, take)
    }

    func takeDone() throws {
      while let outcome = shared.take(taken) {
        try take(taken, outcome)
        taken += 1
      }
    }
  }
}
