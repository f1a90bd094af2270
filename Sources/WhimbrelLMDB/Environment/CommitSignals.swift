internal import Synchronization

/// Tells subscribers of commits to one file.
///
/// A signal says that something was committed, not what or how often: several commits may give one
/// signal, and a commit may give several. A subscriber renews its snapshot to see what there is.
package final class CommitSignals: Sendable {
  package enum Event: Sendable {
    /// Something may have been committed.
    case commit
    /// The file was moved, deleted or replaced.
    case moved
  }

  /// A subscription, which ends when it is released.
  package final class Subscription: Sendable {
    private let signals: CommitSignals
    private let number: UInt64

    fileprivate init(_ signals: CommitSignals, _ number: UInt64) {
      self.signals = signals
      self.number = number
    }

    deinit { signals.end(number) }
  }

  private struct State {
    var subscribers: [UInt64: @Sendable (Event) -> Void] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())
  private let isIdle = Atomic<Bool>(true)

  /// Subscribes to signals.
  ///
  /// - Parameter body: A closure that any thread may call, also at the same time as others and once
  ///   more after the subscription has ended. It must return soon.
  package func subscribe(_ body: @escaping @Sendable (Event) -> Void) -> Subscription {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.subscribers[state.lastNumber] = body
      isIdle.store(false, ordering: .releasing)
      return state.lastNumber
    }
    return Subscription(self, number)
  }

  private func end(_ number: UInt64) {
    state.withLock { state in
      state.subscribers[number] = nil
      isIdle.store(state.subscribers.isEmpty, ordering: .releasing)
    }
  }

  /// Tells the subscribers. Without any, this is one load.
  package func send(_ event: Event) {
    if isIdle.load(ordering: .acquiring) { return }
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber(event) }
  }
}
