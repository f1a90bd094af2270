internal import Synchronization
internal import WhimbrelEngine

extension Store {
  /// Returns the values that a closure reads from the store, for `for await` loops: the value at hand,
  /// and each value that differs from the one before, until the loop ends.
  ///
  /// ```swift
  /// for try await count in store.values({ $0.objects(Zone.self).count }) {
  ///   label.text = "\(count) zones"
  /// }
  /// ```
  ///
  /// The sequence and its values are `Sendable`: any task or actor may loop over them, also several
  /// at a time. A thread of the library calls the closure, one for each loop, with a store that shows
  /// the last commit. It is called when the loop asks for a value and others, other processes or this
  /// store have committed since the last call. A loop that is slower than the commits gets the latest
  /// value and skips those before it. No value is kept for it, and no snapshot of the file is held
  /// while it waits.
  ///
  /// A loop ends when its task is cancelled. It throws once, and then ends, with the error of the
  /// closure, and with a ``StoreError``: `storeClosed` after ``close()`` of this store, `storeMoved` if
  /// the file was moved, deleted or replaced, `schemaChangedElsewhere` if another process has migrated
  /// the file to a schema that the models cannot use, and `damaged`.
  ///
  /// The sequence keeps the file open, and not the store.
  ///
  /// - Parameter read: A closure that reads a value. It must not keep the store, or objects and
  ///   results of it. It must not wait for the loop. A write in it throws `readOnlyStore`.
  /// - Complexity: The cost of the closure, for each commit that the loop does not skip.
  public func values<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (Store) throws -> Value
  ) -> StoreValues<Value> {
    StoreValues(file: session.file, configuration: configuration, read: read)
  }
}

/// The values that a closure reads from a store, whenever they change: see ``Store/values(_:)``.
public struct StoreValues<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  let file: StoreFile
  let configuration: Store.Configuration
  let read: @Sendable (Store) throws -> Value

  /// Returns an iterator that begins with the value at hand.
  public func makeAsyncIterator() -> Iterator { Iterator(ValueRequests(self)) }

  /// An iterator over values, which waits for each of them.
  public struct Iterator: AsyncIteratorProtocol {
    private let requests: ValueRequests<Value>

    init(_ requests: ValueRequests<Value>) { self.requests = requests }

    /// Returns the next value, or nil after an error or if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      try await requests.next(isolation: actor)
    }

    /// Returns the next value, or nil after an error or if the task was cancelled.
    public nonisolated(nonsending) mutating func next() async throws -> Value? {
      try await requests.next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension StoreValues.Iterator: Sendable {}

/// The requests of one loop for values.
final class ValueRequests<Value: Sendable & Equatable> {
  private let values: StoreValues<Value>
  private var exchange: ValueExchange<Value>?

  init(_ values: StoreValues<Value>) { self.values = values }

  deinit { exchange?.end() }

  func next(isolation: isolated (any Actor)?) async throws -> Value? {
    let exchange = begun()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { exchange.request($0) }
    } onCancel: {
      exchange.end()
    }
  }

  private func begun() -> ValueExchange<Value> {
    if let exchange { return exchange }
    let made = ValueExchange<Value>()
    exchange = made
    ValueReader(values, made).start()
    return made
  }
}
