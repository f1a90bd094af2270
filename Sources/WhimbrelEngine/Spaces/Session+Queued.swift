internal import Foundation
package import WhimbrelLMDB

// A write that waits in the queue of the file. Its closure runs in a nested transaction, between
// two points at which other code of the caller's actor may use the session. Outside of the closure
// the session shows a snapshot, as always. Before the end of the group, that snapshot lacks the
// write.
extension Session {
  /// Runs `body` on the caller's actor in a write of the file's queue, and returns after the flush.
  ///
  /// - Parameter limit: The time to wait for the turn, or nil to wait without a limit.
  /// - Throws: The error of `body`; `CancellationError`; ``StoreError`` with `writeTimedOut`.
  package nonisolated(nonsending) func writeQueued<Result>(
    waitingUpTo limit: Duration?, _ body: () throws -> Result
  ) async throws -> Result {
    try requireReadyToQueue()
    // The queue's thread could not adopt the map size while this session holds its snapshot.
    if try file.environment.information().isOutgrown { _ = try refresh() }
    let write = QueuedWrite(file)
    queuedWrites.append(write)
    defer { queuedWrites.removeAll { $0 === write } }
    write.enqueue()
    let timer = write.limit(to: limit)
    defer { timer?.cancel() }
    while true {
      switch await write.next() {
      case .turn:
        guard let group = write.take() else { continue }
        guard let outcome = run(body, in: group) else {
          write.finish(isOutdated: true)
          continue
        }
        // If the closure has forked, the child has no thread that would end the group.
        try file.requireSameProcess()
        write.finish(isOutdated: false)
        var failure: (any Error)?
        if case .over(let error) = await write.next() { failure = error }
        return try didEndGroup(outcome, failure)
      case .over(let error): throw error ?? CancellationError()
      }
    }
  }

  /// Returns the error for an object that the session does not show.
  package func missingObject(_ id: ObjectID, in table: ClassTable) -> StoreError {
    StoreError.objectDeleted(
      class: table.name, objectID: id, primaryKey: table.resolved.key(of: id),
      mayBeUnfinished: !queuedWrites.isEmpty)
  }

  /// Returns the error for an object whose class has gone from the file, or whose class's name
  /// another class has now.
  package func missingClass(of id: ObjectID, in table: ClassTable) -> StoreError {
    find(table.name) == nil
      ? StoreError.unknownClass(class: table.name, known: classes.map(\.name))
      : missingObject(id, in: table)
  }

  private func requireReadyToQueue() throws {
    try requireOpen()
    if isWriting { throw StoreError.nestedWrite() }
    try file.requireReadyToQueue()
  }

  /// Runs `body` in a part of a group. Returns nil if it must run in another group.
  private func run<Result>(
    _ body: () throws -> Result, in group: WriteGroup
  ) -> Swift.Result<Result, any Error>? {
    do {
      return .success(try write(in: group, body))
    } catch is WriteGroup.Outdated {
      return nil
    } catch {
      return .failure(error)
    }
  }

  /// Runs `body` in a part of a group, on this thread.
  ///
  /// - Throws: The error of `body`, or ``WriteGroup/Outdated``.
  package func write<Result>(in group: WriteGroup, _ body: () throws -> Result) throws -> Result {
    self.group = group
    defer { self.group = nil }
    return try write(body)
  }

  /// Moves to the commit of a group, and returns the result of the closure.
  private func didEndGroup<Result>(
    _ outcome: Swift.Result<Result, any Error>, _ failure: (any Error)?
  ) throws -> Result {
    // The store may have been closed meanwhile, or be in a write of other code.
    if !isClosed, !isWriting {
      if let obstacle = moveToEnd(outcome, failure) { _ = endingObservations(obstacle) }
      followChanges()
    }
    let result = try outcome.get()
    if let failure { throw failure }
    return result
  }

  /// Shows the commit of a group. Returns the reason if it cannot be shown.
  private func moveToEnd<Result>(
    _ outcome: Swift.Result<Result, any Error>, _ failure: (any Error)?
  ) -> (any Error)? {
    claim()
    defer { release() }
    if case .failure(let error) = outcome {
      growIfFull(error, patience: .zero)
    } else if let failure {
      growIfFull(failure, patience: .zero)
    }
    // As with a write that cannot begin, the snapshot stays as it is if the app cannot follow.
    do {
      try requireKnownSchema()
    } catch let error as StoreError where error.code == .schemaChangedElsewhere {
      return error
    } catch {
      // Showing the last commit gives the error, too.
    }
    return showLastCommit()
  }

  /// Ends the writes that wait in the queue, because the store is closed.
  func leaveQueue() {
    for write in queuedWrites { write.leave(closedError) }
  }
}

extension StoreFile {
  /// Runs `work` on the thread of the file's queue, in a part of a group, and returns after the
  /// flush.
  ///
  /// - Parameters:
  ///   - limit: The time to wait for the turn, or nil to wait without a limit.
  ///   - work: A closure that writes in a nested transaction of the group. If the group cannot be
  ///     used, it throws ``WriteGroup/Outdated`` and is called again with another group.
  package nonisolated(nonsending) func writeQueued(
    waitingUpTo limit: Duration?, _ work: @escaping @Sendable (WriteGroup) throws -> Void
  ) async throws {
    try requireReadyToQueue()
    let write = QueuedWrite(self, work)
    write.enqueue()
    let timer = write.limit(to: limit)
    defer { timer?.cancel() }
    if case .over(let error?) = await write.next() { throw error }
  }

  fileprivate func requireReadyToQueue() throws {
    if isReadOnly { throw StoreError.readOnlyStore(verb: "write") }
    // The queue's thread does not exist in a child of a fork.
    try requireSameProcess()
    try Task.checkCancellation()
  }

  fileprivate func requireSameProcess() throws {
    try explaining { try environment.requireSameProcess() }
  }
}
