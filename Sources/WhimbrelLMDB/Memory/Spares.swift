internal import Synchronization

/// Values that are not in use, for use by others instead of new ones.
final class Spares<Value>: Sendable {
  private let limit: Int
  private let values = Mutex<[Spare]>([])

  // Safe: only the caller of `put` or `take` has a value.
  private struct Spare: @unchecked Sendable {
    let value: Value
  }

  /// - Parameter limit: The number of values to keep.
  init(limit: Int) { self.limit = limit }

  /// Returns a value, or nil if there is none.
  func take() -> Value? { values.withLock { $0.popLast() }?.value }

  /// Keeps a value, and returns true, unless there are as many as the limit.
  @discardableResult
  func put(_ value: Value) -> Bool {
    let spare = Spare(value: value)
    return values.withLock { values in
      if values.count == limit { return false }
      values.append(spare)
      return true
    }
  }
}
