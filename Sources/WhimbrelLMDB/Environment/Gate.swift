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
/// to resize.
final class Gate: Sendable {
  private struct State {
    var shared = 0
    var isExclusive = false
  }

  private let state = Mutex(State())

  /// Enters shared; waits while somebody is inside exclusively, which is never
  /// longer than one system call.
  func enter() {
    while true {
      let entered = state.withLock { state in
        if state.isExclusive { return false }
        state.shared += 1
        return true
      }
      if entered { return }
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
    while true {
      let entered = state.withLock { state in
        if state.isExclusive || state.shared > 0 { return false }
        state.isExclusive = true
        return true
      }
      if entered { break }
      if ContinuousClock.now >= deadline { return nil }
      usleep(500)
    }
    defer { state.withLock { $0.isExclusive = false } }
    return try body()
  }
}
