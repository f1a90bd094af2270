internal import Dispatch
internal import Foundation
internal import Synchronization

/// The signals that tell subscribers of commits to one file, by this process and others.
///
/// A signal says that something was committed, not what or how often: several commits may give one
/// signal, and a commit may give several. A subscriber renews its snapshot to see what there is.
/// Commits from before the subscription give no signal, so a subscriber renews it once at the
/// beginning, too.
///
/// Commits of this process are told before the write returns. Those of others are heard by the
/// ``CommitWatcher``, which runs while there are subscribers.
///
/// No lock is held while subscribers are called.
package final class CommitSignals: Sendable {
  package enum Event: Sendable {
    /// Something may have been committed.
    case commit
    /// The file at the path is not this one any more: it was moved, deleted or replaced. It comes
    /// once.
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
  /// The last commit that subscribers were told of.
  private let announced = Atomic<Int>(0)
  /// The commit that this process is making, or has made last; 0 for none.
  private let ownCommit = Atomic<Int>(0)

  /// - Parameter identity: The identity of the file, or nil if nobody can write it.
  init(path: String, identity: FileIdentity?, _ reader: CommitReader) {
    self.path = path
    self.identity = identity
    self.reader = reader
  }

  /// Subscribes to signals.
  ///
  /// - Parameter body: A closure that any thread may call, also at the same time as others and once
  ///   more after the subscription has ended. It must return soon.
  package func subscribe(_ body: @escaping @Sendable (Event) -> Void) -> Subscription {
    let subscription = subscribers.subscribe(body) { self.updateWatch() }
    updateWatch()
    return subscription
  }

  /// Ends watching, before the file is closed.
  func close() {
    isClosed.store(true, ordering: .releasing)
    updateWatch()
    reader.close()
  }

  /// Watches the file while there are subscribers.
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

  /// Tells the subscribers. Without any, this is one load.
  package func send(_ event: Event) { subscribers.send(event) }
}

// MARK: - Commits by their numbers

extension CommitSignals {
  /// Notes which commit this process is about to make, or that it has failed: 0. The subscribers
  /// hear of it from this process and not from the watcher.
  func willCommit(_ number: Int) { ownCommit.store(number, ordering: .releasing) }

  /// Tells the subscribers of a commit of this process.
  ///
  /// - Parameter number: Its number, or 0 if it has written nothing.
  func didCommit(_ number: Int) {
    announced.max(number, ordering: .acquiringAndReleasing)
    send(.commit)
  }

  /// Takes a commit for known. A watcher begins with it.
  func beginAnnouncing(after number: Int) {
    announced.max(number, ordering: .acquiringAndReleasing)
  }

  /// Tells the subscribers of a commit that readers see, unless they were or are about to be told.
  func announce(_ number: Int) {
    guard number != ownCommit.load(ordering: .acquiring) else { return }
    let before = announced.max(number, ordering: .acquiringAndReleasing).oldValue
    if number > before { send(.commit) }
  }

  /// Returns whether this process is making a commit, and will tell of it.
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

      /// Takes what has arrived: a move comes after the commits before it.
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

      /// Waits until something may have arrived. Returns false when time is up.
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

    /// Waits for a signal, and returns it, or nil at the deadline. A signal since the last call is
    /// returned at once, also after the deadline. Use it from one thread at a time.
    package func wait(until deadline: ContinuousClock.Instant) -> Event? {
      while true {
        if let event = mailbox.take() { return event }
        let left = deadline - .now
        guard left > .zero else { return nil }
        _ = mailbox.wait(for: left)
      }
    }
  }

  /// Subscribes for a thread that waits. Signals are kept for it from now on.
  package func makeWaiter() -> Waiter { Waiter(self) }
}
