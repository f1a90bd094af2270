internal import Dispatch
internal import Foundation
internal import Synchronization

/// A watcher of the commits that other processes make. One thread watches all files of this
/// process.
///
/// The watcher needs no help from the writers. It therefore detects commits by any process that
/// uses LMDB, even one that dies right after its commit. It runs while there are subscribers to any
/// file.
///
/// The system reports each write to the file: up to three times per commit, and usually before
/// readers can see the commit. The thread therefore compares the numbers of commits. It announces a
/// commit when the number that readers get has advanced, and checks again while the meta page is
/// ahead of that number.
///
/// If the system has no watches left, the thread checks the file every 100 ms.
///
/// Writes from elsewhere to a network file system, or below an overlay, are not detected. LMDB
/// cannot be used there either.
package final class CommitWatcher: Sendable {
  /// The interval between checks of a file that the system does not watch.
  static let pollingInterval = Duration.milliseconds(100)

  private struct State {
    var watches: [Watch] = []
    var isOver = false
  }

  /// The running watcher, or nil.
  private static let current = Mutex<CommitWatcher?>(nil)

  private let notices = FileNotices()
  private let state = Mutex(State())
  private let processID = getpid()

  // MARK: Watching

  /// Begins to watch a file. A commit that ends after this call causes a signal.
  static func watch(_ signals: CommitSignals, _ identity: FileIdentity) -> Watch {
    let watch = current.withLock { current in
      // A forked child does not have the thread.
      if let known = current, known.processID == getpid() {
        return known.add(signals, identity)
      }
      let watcher = CommitWatcher()
      let watch = watcher.add(signals, identity)
      current = watcher
      do {
        try BackgroundThread.start("Whimbrel commits") { watcher.run() }
      } catch {
        // A queue waits until the system has a thread.
        DispatchQueue.global().async { watcher.run() }
      }
      return watch
    }
    // The watch of a file that was moved or deleted ends at once.
    if watch.notice == nil, FileIdentity(path: signals.path) == identity {
      FallbackReport.send(signals.path)
    }
    return watch
  }

  private func add(_ signals: CommitSignals, _ identity: FileIdentity) -> Watch {
    let notice = notices.add(signals.path)
    // The system watches the file already, and the thread checks it once, so no commit is missed.
    if let number = signals.reader.numbers()?.readable { signals.beginAnnouncing(after: number) }
    let watch = Watch(self, signals, identity, notice: notice)
    state.withLock { $0.watches.append(watch) }
    notices.wake()
    return watch
  }

  /// Ends watching a file.
  static func end(_ watch: Watch) {
    current.withLock { current in
      guard watch.watcher.remove(watch) else { return }
      if current === watch.watcher { current = nil }
    }
  }

  /// Removes a watch. Returns whether it was the last one; the thread then ends.
  private func remove(_ watch: Watch) -> Bool {
    let isOver = state.withLock { state in
      state.watches.removeAll { $0 === watch }
      // Two environments of one file share a watch while one of them is about to be closed.
      if let notice = watch.notice, !state.watches.contains(where: { $0.notice == notice }) {
        notices.remove(notice)
      }
      state.isOver = state.watches.isEmpty
      return state.isOver
    }
    if isOver { notices.wake() }
    return isOver
  }

  // MARK: The thread

  private func run() {
    var due: ContinuousClock.Instant? = .now
    while true {
      let noticed = notices.wait(until: due)
      guard let watches = state.withLock({ $0.isOver ? nil : $0.watches }) else { return }
      due = nil
      for watch in watches {
        guard let next = watch.look(isNoticed: noticed.contains(watch.notice)) else { continue }
        due = min(due ?? next, next)
      }
    }
  }
}

/// A report that the system has no watches left. It is made once.
package enum FallbackReport {
  private struct State {
    var body: (@Sendable (_ path: String) -> Void)?
    var isSent = false
  }

  private static let state = Mutex(State())

  /// Sets the closure that is called, at most once, when commits to a file are polled every 100 ms.
  package static func observe(_ body: @escaping @Sendable (_ path: String) -> Void) {
    state.withLock { $0.body = body }
  }

  fileprivate static func send(_ path: String) {
    let body = state.withLock { state in
      defer { state.isSent = true }
      return state.isSent ? nil : state.body
    }
    body?(path)
  }
}
