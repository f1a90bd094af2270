internal import Dispatch
internal import Foundation
internal import Synchronization

/// Signals of commits to one file, by this process and by others.
///
/// A signal says that something was committed, but not what or how often. Several commits may cause
/// one signal, and one commit may cause several. A subscriber renews its snapshot to see the
/// changes. Commits from before the subscription cause no signal, so a subscriber also renews its
/// snapshot once at the beginning.
///
/// Commits of this process are announced before the write returns. Those of other processes are
/// detected by the ``CommitWatcher``, which runs while there are subscribers.
///
/// No lock is held while subscribers are called.
package final class CommitSignals: Sendable {
  package enum Event: Sendable {
    /// Something may have been committed.
    case commit
    /// The path no longer leads to this file: it was moved, deleted or replaced. Sent once.
    case moved
  }

  package typealias Subscription = Subscribers<Event>.Subscription

  /// The path and the identity of the file.
  let path: String
  let identity: FileIdentity?
  let reader: CommitReader
  private let processID = getpid()
  private let subscribers = Subscribers<Event>()
  private let isClosed = Atomic<Bool>(false)
  /// The watch for commits of other processes, while there are subscribers.
  private let watch = Mutex<CommitWatcher.Watch?>(nil)
  /// The last commit that was announced to subscribers.
  private let announced = Atomic<Int>(0)
  /// The commit that this process is making or has made last, or 0 if there is none.
  private let ownCommit = Atomic<Int>(0)

  /// - Parameter identity: The identity of the file, or nil if it is not known.
  init(path: String, identity: FileIdentity?, _ reader: CommitReader) {
    self.path = path
    self.identity = identity
    self.reader = reader
  }

  /// Subscribes to signals.
  ///
  /// - Parameter body: A closure that any thread may call, also concurrently, and once more after
  ///   the subscription has ended. It must return quickly.
  package func subscribe(_ body: @escaping @Sendable (Event) -> Void) -> Subscription {
    let subscription = subscribers.subscribe(body) { self.updateWatch() }
    updateWatch()
    return subscription
  }

  /// Stops watching. Called before the file is closed.
  func close() {
    isClosed.store(true, ordering: .releasing)
    updateWatch()
    reader.close()
  }

  /// Begins or ends watching, so that the file is watched while there are subscribers.
  private func updateWatch() {
    // A forked child shares its parent's watches, and would end them for both.
    guard let identity, processID == getpid() else { return }
    watch.withLock { watch in
      let isWanted = !subscribers.isEmpty && !isClosed.load(ordering: .acquiring)
      if isWanted, watch == nil {
        watch = CommitWatcher.watch(self, identity)
      } else if !isWanted, let ended = watch.take() {
        CommitWatcher.end(ended)
      }
    }
  }

  /// Sends an event to the subscribers. Without subscribers, this is one load.
  package func send(_ event: Event) { subscribers.send(event) }
}

// MARK: - Commits by their numbers

extension CommitSignals {
  /// Notes the commit that this process is about to make, or 0 if it has failed. This process
  /// announces the commit to the subscribers; the watcher does not.
  func willCommit(_ number: Int) { ownCommit.store(number, ordering: .releasing) }

  /// Announces a commit of this process to the subscribers.
  ///
  /// - Parameter number: The number of the commit, or 0 if it has written nothing.
  func didCommit(_ number: Int) {
    announced.max(number, ordering: .acquiringAndReleasing)
    send(.commit)
  }

  /// Marks a commit as announced. A watcher begins with this.
  func beginAnnouncing(after number: Int) {
    announced.max(number, ordering: .acquiringAndReleasing)
  }

  /// Announces a commit that readers see, unless it was announced or this process is about to
  /// announce it.
  func announce(_ number: Int) {
    guard number != ownCommit.load(ordering: .acquiring) else { return }
    let before = announced.max(number, ordering: .acquiringAndReleasing).oldValue
    if number > before { send(.commit) }
  }

  /// Returns whether this process is making a commit, which it then announces itself.
  func isOwn(_ number: Int) -> Bool { ownCommit.load(ordering: .acquiring) == number }
}

// MARK: - Waiting

extension CommitSignals {
  /// A subscription for a thread that waits.
  ///
  /// ```swift
  /// let waiter = environment.commitSignals.makeWaiter()
  /// while waiter.wait(until: deadline) == .commit { … }
  /// ```
  package final class Waiter: Sendable {
    private struct Pending {
      var hasCommit = false
      var isMoved = false
    }

    private final class Mailbox: Sendable {
      private let pending = Mutex(Pending())
      private let arrival = DispatchSemaphore(value: 0)

      func put(_ event: Event) {
        let wasEmpty = pending.withLock { pending in
          defer { if event == .moved { pending.isMoved = true } else { pending.hasCommit = true } }
          return !pending.hasCommit && !pending.isMoved
        }
        if wasEmpty { arrival.signal() }
      }

      /// Takes an event that has arrived. A move is returned after the commits before it.
      func take() -> Event? {
        pending.withLock { pending in
          if pending.hasCommit {
            pending.hasCommit = false
            return .commit
          }
          guard pending.isMoved else { return nil }
          pending.isMoved = false
          return .moved
        }
      }

      /// Waits until an event may have arrived. Returns false on a timeout.
      func wait(for time: Duration) -> Bool {
        let nanoseconds = Int(min(time / .nanoseconds(1), 1e18))
        return arrival.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
      }
    }

    private let mailbox: Mailbox
    private let subscription: Subscription

    fileprivate init(_ signals: CommitSignals) {
      let mailbox = Mailbox()
      self.mailbox = mailbox
      subscription = signals.subscribe { mailbox.put($0) }
    }

    /// Waits for a signal. Returns nil if none arrives before the deadline. A signal that arrived
    /// after the last call is returned at once, even after the deadline. Use this from one thread
    /// at a time.
    package func wait(until deadline: ContinuousClock.Instant) -> Event? {
      while true {
        if let event = mailbox.take() { return event }
        let left = deadline - .now
        guard left > .zero else { return nil }
        _ = mailbox.wait(for: left)
      }
    }
  }

  /// Creates a subscription for a thread that waits. Signals are kept for it from now on.
  package func makeWaiter() -> Waiter { Waiter(self) }
}
