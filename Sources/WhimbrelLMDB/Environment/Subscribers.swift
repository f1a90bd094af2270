internal import Synchronization

/// Closures that are called for each event. Any thread may add them, end them, and send events.
package final class Subscribers<Event: Sendable>: Sendable {
  /// A subscription, which ends when it is released.
  package final class Subscription: Sendable {
    private let subscribers: Subscribers
    private let number: UInt64
    private let whenEnded: @Sendable () -> Void

    fileprivate init(
      _ subscribers: Subscribers, _ number: UInt64, _ whenEnded: @escaping @Sendable () -> Void
    ) {
      self.subscribers = subscribers
      self.number = number
      self.whenEnded = whenEnded
    }

    deinit {
      subscribers.end(number)
      whenEnded()
    }
  }

  private struct State {
    var bodies: [UInt64: @Sendable (Event) -> Void] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())
  private let hasNone = Atomic<Bool>(true)

  package init() {}

  package var isEmpty: Bool { hasNone.load(ordering: .acquiring) }

  /// Adds a closure.
  ///
  /// - Parameters:
  ///   - body: A closure that any thread may call, also concurrently, and once more after the
  ///     subscription has ended. It must return quickly.
  ///   - whenEnded: A closure that is called when the subscription has ended.
  package func subscribe(
    _ body: @escaping @Sendable (Event) -> Void, whenEnded: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.bodies[state.lastNumber] = body
      hasNone.store(false, ordering: .releasing)
      return state.lastNumber
    }
    return Subscription(self, number, whenEnded)
  }

  private func end(_ number: UInt64) {
    state.withLock { state in
      state.bodies[number] = nil
      hasNone.store(state.bodies.isEmpty, ordering: .releasing)
    }
  }

  /// Calls the closures. Without closures, this is one load.
  package func send(_ event: Event) {
    if isEmpty { return }
    // No lock is held while they are called.
    let bodies = state.withLock { Array($0.bodies.values) }
    for body in bodies { body(event) }
  }
}
