internal import Foundation
internal import Synchronization

extension CommitWatcher {
  /// The watch over one file.
  final class Watch: Sendable {
    /// The shortest and the longest pause between two checks while a commit is not yet readable.
    private static let pauses = Duration.microseconds(50)...Duration.milliseconds(10)
    /// The time after which the writer of an unreadable commit is considered dead.
    private static let patience = Duration.seconds(30)
    /// The pause after that time. The next writer may make the commit readable, and the system does
    /// not report this.
    private static let longPause = Duration.seconds(1)

    private struct State {
      /// The time of the next check, or nil if none is needed.
      var due: ContinuousClock.Instant?
      /// The time since which a commit is not readable, or nil if there is no such commit.
      var waitingSince: ContinuousClock.Instant?
      /// The commit that was announced although no snapshot could be taken.
      var unseenCommit = 0
      var isMoved = false
    }

    let watcher: CommitWatcher
    /// The name in the system's notices of the file, or nil if it gives none.
    let notice: FileNotices.Name?
    private let signals: CommitSignals
    private let identity: FileIdentity
    private let state: Mutex<State>

    init(
      _ watcher: CommitWatcher, _ signals: CommitSignals, _ identity: FileIdentity,
      notice: FileNotices.Name?
    ) {
      self.watcher = watcher
      self.signals = signals
      self.identity = identity
      self.notice = notice
      // The first check detects a file that was moved before it was watched.
      state = Mutex(State(due: .now))
    }

    /// Checks the file if there may be something new. Returns the time of the next check, or nil if
    /// the next notice is soon enough. Only the watcher's thread calls it.
    func look(isNoticed: Bool) -> ContinuousClock.Instant? {
      let now = ContinuousClock.now
      var state = state.withLock { $0 }
      guard isNoticed || state.due.map({ $0 <= now }) == true else { return state.due }
      if !state.isMoved, isElsewhere {
        state.isMoved = true
        signals.send(.moved)
      }
      let isWaiting = readCommits(&state)
      if !isWaiting {
        state.waitingSince = nil
      } else if state.waitingSince == nil || isNoticed {
        state.waitingSince = now
      }
      state.due = state.waitingSince.map { now + Self.pause(after: now - $0) }
      if notice == nil { state.due = min(state.due ?? .distantFuture, now + pollingInterval) }
      self.state.withLock { $0 = state }
      return state.due
    }

    /// Announces a commit that readers see. Returns whether there is a commit that they do not see
    /// yet.
    private func readCommits(_ state: inout State) -> Bool {
      guard let numbers = signals.reader.numbers() else { return false }
      if let readable = numbers.readable {
        signals.announce(readable)
        return numbers.written > readable && !signals.isOwn(numbers.written)
      }
      // Subscribers that take a snapshot adopt the map, or report that they cannot. The commit is
      // announced again once its number can be read.
      if numbers.written != state.unseenCommit {
        state.unseenCommit = numbers.written
        signals.send(.commit)
      }
      return true
    }

    /// Returns the next pause: a quarter of the time waited so far. A slow disk then does not keep
    /// a core busy, and a commit is announced soon after it has become readable.
    private static func pause(after waited: Duration) -> Duration {
      if waited > patience { return longPause }
      return min(max(waited / 4, pauses.lowerBound), pauses.upperBound)
    }

    /// Whether the path does not exist or leads to another file.
    private var isElsewhere: Bool {
      guard let found = FileIdentity(path: signals.path) else {
        return errno == ENOENT || errno == ENOTDIR
      }
      return found != identity
    }
  }
}

extension ContinuousClock.Instant {
  fileprivate static var distantFuture: Self { .now + .seconds(1 << 30) }
}
