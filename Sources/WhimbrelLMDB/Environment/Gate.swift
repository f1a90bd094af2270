import Foundation
import Synchronization

/// The gate before every transaction of an environment.
///
/// Transactions enter it shared. A resize of the map or the closing of a table handle invalidates
/// memory that transactions use, and LMDB does not check that. Such an operation enters the gate
/// exclusively, when no transaction of the process is alive.
///
/// There is no queue. A thread that holds the gate shared may enter again at any time, so a thread
/// with a snapshot can begin to write while another waits to resize. But when an exclusive entry
/// has waited for ``urgency``, each new entry first waits for ``hesitation``. Otherwise many short
/// transactions might never leave a gap.
final class Gate: Sendable {
  private struct State {
    var shared = 0
    var isExclusive = false
    /// The number of exclusive entries that have waited for a long time.
    var urgent = 0
  }

  private static let hesitation = Duration.milliseconds(20)
  private static let urgency = Duration.seconds(1)

  private let state = Mutex(State())

  /// Enters shared. Waits while another thread is inside exclusively, which takes a few system
  /// calls at most.
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

  func leave() {
    state.withLock { $0.shared -= 1 }
  }

  /// Runs `body` while no transaction is alive. Returns nil when there was one throughout
  /// `patience`.
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
