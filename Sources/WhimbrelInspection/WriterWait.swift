internal import Foundation
internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The state of work that waits for another writer of the store.
public enum WriterWait: Hashable, Sendable {
  /// The work has waited half a second for the store at this path.
  case begun(path: String)
  /// The wait is over.
  case over
}

extension StoreError {
  /// Repeats a write while it fails because the map is full: each failure doubles the map, and 24
  /// doublings exceed any disk.
  static func retryingWhenFull<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<24 {
      do { return try body() } catch StoreError.Code.mapFull {}
    }
    return try body()
  }
}

extension WorkMonitor {
  /// Writes to a store, and reports a wait for another writer.
  func write<Result>(_ session: Session, _ body: () throws -> Result) throws -> Result {
    // On a slow disk, the check of all pages takes longer than the watch waits. If the check fails,
    // the write repeats it and throws the error.
    try? session.file.requireSoundPagesBeforeAnyWrite()
    let watch = WaitWatch(path: session.file.path, onWait)
    defer { watch.end() }
    return try session.write {
      watch.end()
      return try body()
    }
  }
}

/// A timer that reports a wait once, after half a second.
private final class WaitWatch: Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private let state = Mutex(State.waiting)
  private let report: @Sendable (WriterWait) -> Void

  private enum State {
    case waiting, told, over
  }

  init(path: String, _ report: @escaping @Sendable (WriterWait) -> Void) {
    self.report = report
    // If the system refuses the thread, the wait is not reported.
    try? BackgroundThread.start("Whimbrel wait") { [self] in
      guard isOver.wait(timeout: .now() + 0.5) == .timedOut else { return }
      state.withLock { state in
        guard state == .waiting else { return }
        state = .told
        report(.begun(path: path))
      }
    }
  }

  /// Ends the wait. Later calls do nothing.
  func end() {
    state.withLock { state in
      if state == .told { report(.over) }
      state = .over
    }
    isOver.signal()
  }
}
