import Whimbrel

/// An actor with a store, which writes asynchronously.
actor StoreWriter {
  private let store: Store

  init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

  /// The names of all nodes, in the order in which they were added.
  var names: [String] { store.objects(Node.self).map(\.name) }

  func add(_ name: String, waitingUpTo limit: Duration? = nil) async throws {
    try await store.asyncWrite(waitingUpTo: limit) { store in
      assertIsolated()
      try store.add(Node(name: name))
    }
  }

  func write(
    waitingUpTo limit: Duration? = nil, _ body: @Sendable (Store) throws -> Void
  ) async throws {
    try await store.asyncWrite(waitingUpTo: limit) { store in
      assertIsolated()
      try body(store)
    }
  }

  func addAndThrow(_ name: String) async throws {
    try await store.asyncWrite { store in
      try store.add(Node(name: name))
      throw RollBack()
    }
  }

  /// Runs a closure with the store, which holds up the actor.
  func with<Result: Sendable>(_ body: @Sendable (Store) throws -> Result) rethrows -> Result {
    try body(store)
  }

  /// Calls ``Store/asyncWrite(waitingUpTo:_:)`` in a write that was begun by hand.
  func writeInWrite() async throws {
    beginWrite()
    defer { cancelWrite() }
    try await store.asyncWrite {}
  }

  private func beginWrite() { try? store.beginWrite() }

  private func cancelWrite() { try? store.cancelWrite() }
}
