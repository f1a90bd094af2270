internal import Synchronization

/// A value that is set once, after the closures that use it were made.
final class Held<Value: Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)

  init() {}

  var value: Value? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
