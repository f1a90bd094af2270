public import WhimbrelEngine

extension Store {
  /// The conversion of objects that an ``OnlineMigration`` has left to do.
  ///
  /// ```swift
  /// for await progress in store.transition { banner.show(progress) }
  /// // "converting objects: 42 % (420000 of 1000000)"
  /// ```
  ///
  /// If all objects were converted when the file was opened, the sequence ends at once. If they have
  /// been converted since, it has one progress, the last one. A read-only store does not convert
  /// objects: its sequence has one progress, that of the store's snapshot.
  public var transition: StoreTransition {
    let driver = session.file.transitionDriver
    return StoreTransition(driver, driver == nil ? session.transitionProgress : nil)
  }
}

extension Store {
  /// Converts all objects at once, in small batches that depend on no clock.
  ///
  /// - Returns: The last state, or nil if there was nothing to convert.
  /// - Throws: ``StoreError`` with `ruleFailed` if objects cannot be converted.
  @discardableResult
  package func finishTransition() throws -> TransitionState? {
    let rules = try configuration.ruleBook()
    let state = try session.file.finishTransition(by: rules, inBatchesOf: .nanoseconds(1))
    try refresh()
    return state
  }
}

extension Store.Configuration {
  /// Converts some objects of a file that is in transition and that no store has open. The same
  /// number of batches leaves the same bytes.
  package func convertObjects(inBatches count: Int) throws {
    try StoreFile.attach(OpenRequest(path: url.path))
      .convertObjects(by: ruleBook(), inBatches: count)
  }
}

/// The conversion of the objects of a store while the app uses them: see ``Store/transition``.
///
/// It is a sequence of its own progress. A loop that is slower than the conversion receives only the
/// newest progress. The sequence ends when all objects are converted, or with the last store of the
/// file in this process.
///
/// Of all processes that have the file open, one converts, and only as long as one of its stores
/// is open. Converted objects stay converted. The next opening continues with the others.
public struct StoreTransition: AsyncSequence, Sendable {
  private let driver: TransitionDriver?
  /// The progress that the store shows if it does not take part in the conversion, or nil.
  private let shown: TransitionProgress?

  init(_ driver: TransitionDriver?, _ shown: TransitionProgress?) {
    self.driver = driver
    self.shown = shown
  }

  /// The progress that was made last, or nil if all objects were converted when the store was opened.
  public var progress: TransitionProgress? { driver?.progress ?? shown }

  /// Pauses the conversion by this process until ``resume()``. Reading and writing go on. If
  /// another process has the file open, it converts instead.
  public func pause() { driver?.pause() }

  /// Goes on after ``pause()``.
  public func resume() { driver?.resume() }

  /// Converts the rest without pauses, and returns when all objects are converted.
  ///
  /// The store keeps its snapshot. Refresh it before ``Store/writeCopy(to:)``, so that the copy does
  /// not contain objects that are not yet converted.
  ///
  /// Cancelling the task ends the wait, and not the conversion. The wait also ends with the last
  /// store of the file in this process, and if a newer version of the app changes the schema of the
  /// file: that version converts the rest. A read-only store does not wait.
  ///
  /// If the conversion fails, for example because the disk is full or a page is damaged, it is tried
  /// again, and the wait goes on. ``TransitionProgress/problem`` gives the error meanwhile. Read
  /// ``progress`` or iterate over the transition in another task to notice it, and cancel the wait.
  /// The wait also goes on while the disk has less free space than
  /// ``OnlineMigration/minimumFreeSpace``, with the activity
  /// ``TransitionProgress/Activity/waitingForDiskSpace``.
  ///
  /// - Returns: The last progress. Its activity is `finished`, or `blocked` if some objects cannot
  ///   be converted, or another one if the wait ended early; nil if there was nothing to convert.
  /// - Throws: `CancellationError`.
  @discardableResult
  public func finish() async throws -> TransitionProgress? {
    guard let driver else { return shown }
    driver.hurry()
    defer { driver.relax() }
    for await progress in self {
      if progress.activity == .blocked { return progress }
    }
    try Task.checkCancellation()
    return driver.progress
  }

  /// Returns an iterator that waits for each progress.
  public func makeAsyncIterator() -> AsyncStream<TransitionProgress>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TransitionProgress.self, bufferingPolicy: .bufferingNewest(1))
    guard let driver else {
      if let shown { continuation.yield(shown) }
      continuation.finish()
      return stream.makeAsyncIterator()
    }
    let listener = driver.addListener { progress in
      if let progress {
        continuation.yield(progress)
      } else {
        continuation.finish()
      }
    }
    continuation.onTermination = { _ in driver.removeListener(listener) }
    return stream.makeAsyncIterator()
  }
}

extension StoreTransition: CustomStringConvertible {
  /// The progress that was made last: `converting objects: 42 % (420 of 1000)`.
  public var description: String { progress?.description ?? "all objects are converted" }
}
