internal import Synchronization

/// Tells threads that wait for changes of a file that the file was closed.
package final class ClosingSignal: Sendable {
  /// What is called, until it is released.
  package final class Subscription: Sendable {
    private let signal: ClosingSignal
    private let number: UInt64

    fileprivate init(_ signal: ClosingSignal, _ number: UInt64) {
      self.signal = signal
      self.number = number
    }

    deinit { signal.state.withLock { $0.subscribers[number] = nil } }
  }

  private struct State {
    var subscribers: [UInt64: @Sendable () -> Void] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  init() {}

  /// Calls a closure when the file is closed. Any thread may call it.
  package func subscribe(_ body: @escaping @Sendable () -> Void) -> Subscription {
    state.withLock { state in
      state.lastNumber += 1
      state.subscribers[state.lastNumber] = body
      return Subscription(self, state.lastNumber)
    }
  }

  func send() {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber() }
  }
}
