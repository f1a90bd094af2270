import Foundation
import Synchronization

/// A gate that every transaction of an environment passes.
///
/// Transactions enter it shared. A resize of the map or the closing of a table handle invalidates
/// memory that transactions use, and LMDB does not check that. Such an operation enters the gate
/// exclusively, when no transaction of the process is alive.
///
/// There is no queue. A thread that holds the gate shared may enter again at any time, so a thread
/// with a snapshot can begin to write while another waits to resize. Once an exclusive entry has
/// waited for ``urgency``, however, each new shared entry is delayed. Otherwise there might always
/// be some transaction alive. The delay grows with the time that the exclusive entry has waited, so
/// that long transactions leave a gap, too.
final class Gate: Sendable {
  private struct State {
    var shared = 0
    var departures = 0
    var isExclusive = false
    /// The number of exclusive entries that have waited for a long time.
    var urgent = 0
    /// The delay of new shared entries while there is such an exclusive entry.
    var hesitation = Duration.zero
  }

  /// The shortest and the longest delay. If a snapshot does not end, each other transaction is
  /// delayed by the longest one while an exclusive entry waits.
  private static let hesitations = Duration.milliseconds(20)...Duration.milliseconds(320)
  private static let urgency = Duration.seconds(1)

  private let state = Mutex(State())

  /// Enters the gate shared. Waits while another thread holds it exclusively.
  ///
  /// - Parameter hesitates: Whether the entry is delayed while an exclusive one has waited for long.
  func enter(hesitates: Bool = true) {
    var start: ContinuousClock.Instant?
    while true {
      let waited = start.map { ContinuousClock.now - $0 } ?? .zero
      let entered = state.withLock { state in
        let isDelayed = hesitates && state.urgent > 0 && waited < state.hesitation
        if state.isExclusive || isDelayed { return false }
        state.shared += 1
        return true
      }
      if entered { return }
      if start == nil { start = ContinuousClock.now }
      usleep(50)
    }
  }

  /// Leaves the gate.
  ///
  /// - Parameter ends: Whether a transaction has ended.
  func leave(ends: Bool = true) {
    state.withLock { state in
      state.shared -= 1
      if ends { state.departures &+= 1 }
    }
  }

  /// The number of transactions that have ended.
  var departures: Int { state.withLock { $0.departures } }

  /// Runs `body` while the caller, who has entered the gate shared, has it alone. Returns nil if
  /// anyone else has entered it. `body` may leave the gate.
  func alone<Result>(_ body: () throws(LMDBError) -> Result) throws(LMDBError) -> Result? {
    let isAlone = state.withLock { state in
      if state.isExclusive || state.shared > 1 { return false }
      state.isExclusive = true
      return true
    }
    guard isAlone else { return nil }
    defer { state.withLock { $0.isExclusive = false } }
    return try body()
  }

  /// Runs a `body` of a few system calls while no thread holds the gate exclusively.
  func briefly<Result>(_ body: () throws(LMDBError) -> Result) throws(LMDBError) -> Result {
    enter(hesitates: false)
    defer { leave(ends: false) }
    return try body()
  }

  /// Runs `body` while no transaction is alive. Returns nil if the wait for that takes longer than
  /// `patience`, or if `isNecessary` returns false meanwhile.
  ///
  /// - Parameter isNecessary: A closure that returns whether to wait any longer.
  func exclusively<Result>(
    patience: Duration, while isNecessary: () throws(LMDBError) -> Bool = { true },
    _ body: () throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result? {
    let start = ContinuousClock.now
    var isUrgent = false
    defer {
      if isUrgent {
        state.withLock { state in
          state.urgent -= 1
          if state.urgent == 0 { state.hesitation = .zero }
        }
      }
    }
    while true {
      let entered = state.withLock { state in
        if state.isExclusive || state.shared > 0 { return false }
        state.isExclusive = true
        return true
      }
      if entered { break }
      let waited = ContinuousClock.now - start
      if waited >= patience { return nil }
      guard try isNecessary() else { return nil }
      if waited >= Self.urgency {
        let hesitation = min(
          max(waited / 8, Self.hesitations.lowerBound), Self.hesitations.upperBound)
        state.withLock { state in
          if !isUrgent { state.urgent += 1 }
          state.hesitation = max(state.hesitation, hesitation)
        }
        isUrgent = true
      }
      usleep(500)
    }
    defer { state.withLock { $0.isExclusive = false } }
    return try body()
  }
}
