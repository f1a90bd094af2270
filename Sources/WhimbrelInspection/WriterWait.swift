internal import Foundation
internal import Synchronization
internal import WhimbrelEngine

/// What becomes of work that has to wait for somebody else who writes the store.
public enum WriterWait: Hashable, Sendable {
  /// It has been waiting for half a second, for the store at this path.
  case begun(path: String)
  /// It goes on.
  case over
}

extension WorkMonitor {
  /// Writes to a store, and says so when that has to wait for another writer.
  func write<Result>(_ session: Session, _ body: () throws -> Result) throws -> Result {
    let watch = WaitWatch(path: session.file.path, onWait)
    defer { watch.end() }
    return try session.write {
      watch.end()
      return try body()
    }
  }
}

/// Says once, after a while, that something waits.
private final class WaitWatch: Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private let state = Mutex(State.waiting)
  private let report: @Sendable (WriterWait) -> Void

  private enum State {
    case waiting, told, over
  }

  init(path: String, _ report: @escaping @Sendable (WriterWait) -> Void) {
    self.report = report
    Thread.detachNewThread { [self] in
      guard isOver.wait(timeout: .now() + 0.5) == .timedOut else { return }
      state.withLock { state in
        guard state == .waiting else { return }
        state = .told
        report(.begun(path: path))
      }
    }
  }

  /// Ends the waiting; nothing when it is over.
  func end() {
    state.withLock { state in
      if state == .told { report(.over) }
      state = .over
    }
    isOver.signal()
  }
}
