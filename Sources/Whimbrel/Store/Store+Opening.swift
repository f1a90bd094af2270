internal import Foundation
internal import Synchronization
public import WhimbrelEngine

extension Store {
  /// Opens a store as ``init(_:)`` does, without holding up the caller's actor: making the
  /// file, migrating it and waiting for others runs on a thread of its own.
  ///
  /// ```swift
  /// let progress = MigrationProgressSequence()
  /// Task { for await step in progress { await bar.show(step) } }
  /// let store = try await Store.open(configuration, reportingTo: progress)
  /// ```
  ///
  /// Cancelling the task cancels a migration, which leaves the file as it was, and ends the
  /// waiting for somebody else's.
  ///
  /// - Parameters:
  ///   - configuration: as for ``init(_:)``; its `migrationProgress` is called too.
  ///   - progress: what is to give each step of a migration. It ends when the store is
  ///     open, or cannot be opened.
  /// - Throws: ``StoreError``, and `CancellationError` when the task was cancelled while the
  ///   store was migrated, here or by somebody else.
  public nonisolated(nonsending) static func open(
    _ configuration: Configuration, reportingTo progress: MigrationProgressSequence? = nil
  ) async throws -> Store {
    defer { progress?.finish() }
    let cancellation = Cancellation()
    var request = try configuration.request()
    let report = configuration.migrationProgress
    request.progress = { step in
      progress?.yield(step)
      let response = report?(step) ?? .continue
      return cancellation.isCancelled ? .cancel : response
    }
    let ready = request
    do {
      let file = try await withTaskCancellationHandler {
        try await Self.onOwnThread { try StoreFile.open(ready) }
      } onCancel: {
        cancellation.cancel()
      }
      return try Store(configuration, ready, file)
    } catch StoreError.Code.migrationCancelled where cancellation.isCancelled {
      throw CancellationError()
    }
  }

  /// Runs `body` on a new thread: a write belongs to one thread, and those that tasks
  /// share must not be held up.
  private static func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        continuation.resume(with: Swift.Result { try body() })
      }
      thread.name = "Whimbrel"
      // A migration block is the app's own code, and may need as much as on the main thread.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}

/// Whether a task was cancelled.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// The steps of a migration, for one `for await` loop: see
/// ``Store/open(_:reportingTo:)``.
///
/// When the loop is slower than the migration, it gets the newest step only.
public struct MigrationProgressSequence: AsyncSequence, Sendable {
  private let stream: AsyncStream<MigrationProgress>
  private let continuation: AsyncStream<MigrationProgress>.Continuation

  /// Makes a sequence without steps.
  public init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func yield(_ step: MigrationProgress) { continuation.yield(step) }

  func finish() { continuation.finish() }

  /// Goes through the steps as they come.
  public func makeAsyncIterator() -> AsyncStream<MigrationProgress>.Iterator {
    stream.makeAsyncIterator()
  }
}
