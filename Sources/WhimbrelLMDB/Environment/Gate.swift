import Foundation
import Synchronization

/// The gate before every transaction of an environment.
///
/// Transactions pass it shared. Resizing the map, or closing the handle of a
/// table, pulls memory from under them, which LMDB does not check: that passes
/// it exclusively, when no transaction of the process is alive.
///
/// There is no queue: who holds the gate shared may take it shared again at any
/// time, so that a thread with a snapshot can begin to write while another waits
/// to resize. But when somebody has waited for it exclusively for ``urgency``, who
/// enters hesitates for ``hesitation``: many short transactions might else never
/// leave a gap.
final class Gate: Sendable {
  private struct State {
    var shared = 0
    var isExclusive = false
    /// How many have waited long for it exclusively.
    var urgent = 0
  }

  private static let hesitation = Duration.milliseconds(20)
  private static let urgency = Duration.seconds(1)

  private let state = Mutex(State())

  /// Enters shared; waits while somebody is inside exclusively, which is never
  /// longer than a few system calls.
  func enter() {
    var deadline: ContinuousClock.Instant?
    while true {
      let hasWaited = deadline.map { ContinuousClock.now >= $0 } ?? false
      let entered = state.withLock { state in
        if state.isExclusive || (state.urgent > 0 && !hasWaited) { return false }
        state.shared += 1
        return true
      }
      if entered { return }
      if deadline == nil { deadline = ContinuousClock.now + Self.hesitation }
      usleep(50)
    }
  }

  /// Leaves what ``enter()`` entered.
  func leave() {
    state.withLock { $0.shared -= 1 }
  }

  /// Runs `body` while no transaction is alive, or returns nil when one was
  /// alive for the whole of `patience`.
  func exclusively<Result>(
    patience: Duration, _ body: () throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result? {
    let deadline = ContinuousClock.now + patience
    let urgent = ContinuousClock.now + Self.urgency
    var isUrgent = false
    defer { if isUrgent { state.withLock { $0.urgent -= 1 } } }
    while true {
      let entered = state.withLock { state in
        if state.isExclusive || state.shared > 0 { return false }
        state.isExclusive = true
        return true
      }
      if entered { break }
      let now = ContinuousClock.now
      if now >= deadline { return nil }
      if now >= urgent, !isUrgent {
        isUrgent = true
        state.withLock { $0.urgent += 1 }
      }
      usleep(500)
    }
    defer { state.withLock { $0.isExclusive = false } }
    return try body()
  }
}
