internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelLMDB

extension Store {
  /// Runs a closure in a write without blocking a thread, and returns when its changes are on the
  /// disk.
  ///
  /// ```swift
  /// @MainActor func visit(_ zone: Zone, in store: Store) async throws {
  ///   try await store.asyncWrite {
  ///     zone.comments = "visited"
  ///   }
  /// }
  /// ```
  ///
  /// The closure runs once, on the caller's actor, with the live objects of this store. The
  /// function waits for other writers and for the disk without blocking the actor: other code of
  /// the actor runs meanwhile. Until this function returns, that code sees the store without the
  /// changes, and cannot read objects that the closure has added. Read the values on which the
  /// changes depend inside the closure, because they may change during the wait.
  ///
  /// Asynchronous writes of the same file share a commit if they come at the same time. If one of
  /// them throws, only its own changes are undone. They run in the order in which they were called,
  /// except while the actor of one is busy. A write never waits for the actor of another one. An
  /// actor that was busy at eight turns of its write is held up until the next one, for at most a
  /// second.
  ///
  /// Cancelling the task ends the wait. A write whose closure has begun is not cancelled.
  ///
  /// - Parameters:
  ///   - limit: The time to wait until the closure runs. The default is nil, which waits without a
  ///     limit, as ``write(_:)-(()->Result)`` does. The task can be cancelled.
  ///   - body: A closure that changes objects. It is synchronous, so it holds up other writers for
  ///     as long as it takes.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; `CancellationError`; ``StoreError`` with `writeTimedOut`,
  ///   which names the process and the thread that is writing; with `storeClosed` if the store is
  ///   closed during the wait; with `nestedWrite` inside of another write of this store; and as
  ///   ``write(_:)-(()->Result)`` does. Nothing is written then.
  /// - Complexity: That of ``write(_:)-(()->Result)``, and two changes of threads.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<Result>(
    waitingUpTo limit: Duration? = nil, _ body: () throws -> Result
  ) async throws -> Result {
    try await session.writeQueued(waitingUpTo: limit, body)
  }

  /// Runs a closure in a write without blocking a thread, passes the store to it, and returns when
  /// its changes are on the disk.
  ///
  /// ```swift
  /// actor Library {
  ///   let store: Store
  ///
  ///   init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }
  ///
  ///   func add(_ name: String) async throws {
  ///     try await store.asyncWrite { store in
  ///       try store.add(Country(code: name, name: name))
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: The time to wait until the closure runs. The default is nil, which waits without a
  ///     limit.
  ///   - body: A closure that changes objects of the store.
  /// - Returns: The result of the closure.
  /// - Throws: As ``asyncWrite(waitingUpTo:_:)-(_,()->Result)``.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<Result>(
    waitingUpTo limit: Duration? = nil, _ body: (_ store: Store) throws -> Result
  ) async throws -> Result {
    try await session.writeQueued(waitingUpTo: limit) { try body(self) }
  }

  /// Opens a store, runs a closure in a write on a thread of its own, and returns when the changes
  /// are on the disk.
  ///
  /// ```swift
  /// func load(_ names: [String], _ configuration: Store.Configuration) async throws -> Int {
  ///   try await Store.write(configuration) { store in
  ///     for name in names { try store.add(Country(code: name, name: name)) }
  ///     return store.objects(Country.self).count
  ///   }
  /// }
  /// ```
  ///
  /// Use it for work that needs no live objects of the caller, such as an import. It blocks neither
  /// the caller's actor nor a thread of the cooperative pool, and never waits for an actor. The
  /// closure runs once. Its store is closed afterwards: return values, not objects.
  ///
  /// Asynchronous writes of the same file share a commit if they come at the same time. If one of
  /// them throws, only its own changes are undone. Stores of the caller see the changes when they
  /// are refreshed.
  ///
  /// Cancelling the task ends the wait. A write whose closure has begun is not cancelled.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store. The file is made or migrated if necessary,
  ///     as by ``open(_:reportingTo:)``.
  ///   - limit: The time to wait for other writers, after the file was opened. The default is nil,
  ///     which waits without a limit.
  ///   - body: A closure that gets the store.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; `CancellationError`; ``StoreError`` with `writeTimedOut`,
  ///   which names the process and the thread that is writing; otherwise as ``open(_:reportingTo:)``
  ///   and ``write(_:)-(()->Result)`` do. Nothing is written then.
  @discardableResult
  public nonisolated(nonsending) static func write<Result: Sendable>(
    _ configuration: Configuration, waitingUpTo limit: Duration? = nil,
    _ body: @escaping @Sendable (_ store: Store) throws -> Result
  ) async throws -> Result {
    let (request, file) = try await openFile(configuration)
    defer { file.close() }
    let result = Output<Result>()
    try await file.writeQueued(waitingUpTo: limit) { group in
      do {
        let store = try Store(configuration, request, file)
        defer { store.session.endReading() }
        let value = try store.session.write(in: group) { try body(store) }
        result.value = value
      } catch let error as WriteGroup.Outdated {
        throw error
      } catch {
        file.close()
        throw error
      }
      // Before the caller is resumed, which may delete the file.
      file.close()
    }
    guard let value = result.value else { throw CancellationError() }
    return value
  }
}

/// The result of a closure that another thread runs.
private final class Output<Value: Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)

  var value: Value? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
