import Synchronization

/// A value that the tasks of a test share.
final class Shared<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  init(_ value: Value) { storage = Mutex(value) }

  var value: Value {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  func change(_ body: @Sendable (inout Value) -> Void) {
    storage.withLock { body(&$0) }
  }
}
