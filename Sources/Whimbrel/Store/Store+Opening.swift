internal import Synchronization
public import WhimbrelEngine
internal import WhimbrelLMDB

extension Store {
  /// Opens a store as ``init(_:)`` does, without blocking the caller's actor. A separate thread
  /// makes the file, migrates it and waits for others.
  ///
  /// ```swift
  /// let progress = MigrationProgressSequence()
  /// Task { for await step in progress { await bar.show(step) } }
  /// let store = try await Store.open(configuration, reportingTo: progress)
  /// ```
  ///
  /// Cancelling the task cancels a running migration, which leaves the file unchanged. It also ends
  /// the wait for another process or thread that migrates the file.
  ///
  /// - Parameters:
  ///   - configuration: The configuration. Its `migrationProgress` is called too.
  ///   - progress: The sequence that receives each step of a migration. It ends when the store is
  ///     open or opening has failed. The default is nil.
  /// - Throws: ``StoreError``, and `CancellationError` if the task was cancelled while the store
  ///   was being migrated, by this process or another one.
  public nonisolated(nonsending) static func open(
    _ configuration: Configuration, reportingTo progress: MigrationProgressSequence? = nil
  ) async throws -> Store {
    defer { progress?.finish() }
    let (request, file) = try await openFile(configuration, reportingTo: progress)
    return try Store(configuration, request, file)
  }

  /// Opens the file of a configuration on another thread.
  nonisolated(nonsending) static func openFile(
    _ configuration: Configuration, reportingTo progress: MigrationProgressSequence? = nil
  ) async throws -> (OpenRequest, StoreFile) {
    let cancellation = Cancellation()
    var request = try configuration.request()
    let report = configuration.migrationProgress
    request.migration.progress = { step in
      progress?.yield(step)
      let response = report?(step) ?? .continue
      return cancellation.isCancelled ? .cancel : response
    }
    let ready = request
    do {
      let file = try await withTaskCancellationHandler {
        try await Self.onOwnThread(for: ready.path) { try StoreFile.open(ready) }
      } onCancel: {
        cancellation.cancel()
      }
      return (ready, file)
    } catch StoreError.Code.migrationCancelled where cancellation.isCancelled {
      throw CancellationError()
    }
  }

  /// Runs `body` on a new thread. A write belongs to one thread, and a migration must not block a
  /// thread of the cooperative pool.
  private static func onOwnThread<Result: Sendable>(
    for path: String, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      do throws(LMDBError) {
        try BackgroundThread.start("Whimbrel") {
          continuation.resume(with: Swift.Result { try body() })
        }
      } catch {
        continuation.resume(throwing: StoreError.describing(error, path: path))
      }
    }
  }
}

/// A flag that tells that a task was cancelled.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// The progress of a migration, for one `for await` loop: see ``Store/open(_:reportingTo:)``.
///
/// If the loop is slower than the migration, it receives only the newest step.
public struct MigrationProgressSequence: AsyncSequence, Sendable {
  private let stream: AsyncStream<MigrationProgress>
  private let continuation: AsyncStream<MigrationProgress>.Continuation

  /// Makes a sequence that ``Store/open(_:reportingTo:)`` fills.
  public init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func yield(_ step: MigrationProgress) { continuation.yield(step) }

  func finish() { continuation.finish() }

  /// Returns an iterator that waits for each step.
  public func makeAsyncIterator() -> AsyncStream<MigrationProgress>.Iterator {
    stream.makeAsyncIterator()
  }
}
