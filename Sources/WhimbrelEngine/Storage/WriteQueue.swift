internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The queue of the asynchronous writes of one file in this process.
///
/// A thread of the queue begins a transaction, gives each write a nested one in the order of
/// arrival, and commits them together, so that they share the flush. The thread waits for writers
/// of other threads and processes, so that no thread of the cooperative pool has to. It starts with
/// the first write and ends when there was none for a while.
///
/// A group never waits without limit for an actor. The actor's thread may be about to write
/// synchronously, and would then wait for the end of this group. So a turn that is not taken is
/// withdrawn, and the write keeps its position in the queue. An actor that has missed many turns
/// waits for the next one on its thread: otherwise one that is always busy might never take any.
final class WriteQueue: Sendable {
  /// The limits on the sizes and times of groups. Tests change them.
  struct Limits: Sendable {
    /// The maximum number of writes in a group.
    var count = 64
    /// The time after which a group takes no more writes, so that its first writes become durable
    /// soon.
    var time = Duration.milliseconds(10)
    /// The same time if a thread waits to write synchronously.
    var timeBesideOthers = Duration.milliseconds(2)
    /// The time that an actor has to take its turn. If no other thread waits to write, it doubles
    /// with each turn that the write has missed, up to ``maximumPatience``.
    var patience = Duration.milliseconds(1)
    var maximumPatience = Duration.milliseconds(32)
    /// The number of missed turns after which an actor waits for the next one on its thread.
    var missedTurns = 8
    /// The time of such a wait. It doubles with each further turn that the write has missed,
    /// up to a second.
    var waitOnThread = Duration.milliseconds(32)
    /// The maximum time that a group waits for the writers of the previous group, which may be
    /// about to write again.
    var linger = Duration.milliseconds(1)
    /// The time without a write after which the thread ends.
    var idleTime = Duration.seconds(1)

    /// Returns the time that an actor has to take its turn.
    func patience(missed: Int) -> Duration {
      min(patience * (1 << min(missed, 8)), maximumPatience)
    }

    /// Returns the time that an actor waits for its next turn on its thread.
    func waitOnThread(missed: Int) -> Duration {
      min(waitOnThread * (1 << min(missed - missedTurns, 8)), .seconds(1))
    }
  }

  private struct State {
    /// The writes in the order of their numbers.
    var waiting: [QueuedWrite] = []
    var lastNumber: UInt64 = 0
    var hasThread = false
    /// Whether the thread waits for ``wake``.
    var isSleeping = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let storedLimits = Mutex(Limits())

  var limits: Limits {
    get { storedLimits.withLock { $0 } }
    set { storedLimits.withLock { $0 = newValue } }
  }

  /// Adds a write. A write that was in the queue before gets its position back.
  func add(_ write: QueuedWrite) {
    let (startsThread, wakesThread) = state.withLock { state in
      if write.number == 0 {
        state.lastNumber += 1
        write.number = state.lastNumber
      }
      let number = write.number
      let place = state.waiting.lastIndex { $0.number < number }.map { $0 + 1 } ?? 0
      state.waiting.insert(write, at: place)
      defer { (state.hasThread, state.isSleeping) = (true, false) }
      return (!state.hasThread, state.isSleeping)
    }
    if wakesThread { wake.signal() }
    if startsThread { startThread() }
  }

  /// Removes a write that no longer waits.
  func remove(_ write: QueuedWrite) {
    state.withLock { state in state.waiting.removeAll { $0 === write } }
  }

  /// Ends the thread, because the file is closed.
  func close() {
    let wakesThread = state.withLock { state in
      state.isClosed = true
      defer { state.isSleeping = false }
      return state.isSleeping
    }
    if wakesThread { wake.signal() }
  }

  /// The number of writes that wait for a turn.
  var count: Int { state.withLock { $0.waiting.count } }
}

// MARK: - The thread

extension WriteQueue {
  private func startThread() {
    do {
      try BackgroundThread.start("Whimbrel writer") { [self] in
        var history = GroupHistory()
        while awaitWrite() { runGroup(&history) }
      }
    } catch {
      let waiting = state.withLock { state in
        (state.hasThread, state.isSleeping) = (false, false)
        return state.waiting
      }
      // A write whose file is gone is over.
      for write in waiting { write.leave(write.file?.explain(error) ?? error) }
    }
  }

  /// Waits for a write. Returns false if the thread must end.
  private func awaitWrite() -> Bool {
    while true {
      let isThere = state.withLock { state -> Bool? in
        if !state.waiting.isEmpty { return true }
        if state.isClosed {
          state.hasThread = false
          return false
        }
        state.isSleeping = true
        return nil
      }
      if let isThere { return isThere }
      let isTimedOut = wake.wait(timeout: .now() + limits.idleTime.interval) == .timedOut
      let ends = state.withLock { state in
        guard state.waiting.isEmpty, isTimedOut else { return false }
        (state.hasThread, state.isSleeping) = (false, false)
        return true
      }
      if ends { return false }
    }
  }

  /// Takes the first write out of the queue. Returns nil if there is none for some time.
  private func next(within time: Duration) -> QueuedWrite? {
    let first = state.withLock { state -> QueuedWrite? in
      if state.waiting.isEmpty {
        state.isSleeping = time > .zero
        return nil
      }
      return state.waiting.removeFirst()
    }
    if first != nil || time <= .zero { return first }
    _ = wake.wait(timeout: .now() + time.interval)
    return state.withLock { state in
      state.isSleeping = false
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}

// MARK: - Groups

/// The facts about the last group that the thread of a queue remembers.
private struct GroupHistory {
  /// The number of writers that the next group may have.
  var count = 0
  var commitTime = Duration.zero
  /// The patience for the migration that keeps groups from beginning. It is one for all writes that
  /// wait: otherwise each of them would wait after the one before it.
  var patience = MigrationPatience()
}

extension WriteQueue {
  private func runGroup(_ history: inout GroupHistory) {
    guard let first = next(within: .zero) else { return }
    let group: WriteGroup
    do {
      guard let opened = try beginGroup(for: first, &history.patience) else { return }
      group = opened
    } catch {
      first.leave(error)
      return
    }
    var writes: [QueuedWrite] = []
    let (start, limits, environment) = (ContinuousClock.now, limits, group.environment)
    var candidate: QueuedWrite? = first
    while let write = candidate {
      let outcome = write.perform(in: group) { missed, time in
        // A thread of this process may wait for the end of the group and block the actor.
        time >= limits.patience
          && (environment.hasWaitingWriters || time >= limits.patience(missed: missed))
      }
      switch outcome {
      case .done: writes.append(write)
      case .skipped: break
      case .outdated: add(write)
      }
      if outcome == .outdated { break }
      let isAlone = !environment.hasWaitingWriters
      guard writes.count < limits.count, group.takesWriters,
        ContinuousClock.now - start < (isAlone ? limits.time : limits.timeBesideOthers)
      else { break }
      let mayCome = isAlone && writes.count < history.count
      candidate = next(within: mayCome ? min(history.commitTime / 4, limits.linger) : .zero)
    }
    end(group, writes, &history)
  }

  /// Begins a group. Returns nil if its first write is over.
  private func beginGroup(
    for write: QueuedWrite, _ patience: inout MigrationPatience
  ) throws -> WriteGroup? {
    guard let file = write.file else { return nil }
    do {
      try file.requireSoundPagesBeforeAnyWrite()
      let environment = try file.environment
      // This does not wait: the waiting stores have snapshots, so there is no moment without any.
      try environment.ensureRoom(Session.reserve, patience: .zero)
      while true {
        let group = try WriteGroup(environment)
        guard let refusal = try MigrationMark.refusal(in: group.view, of: file) else {
          patience = MigrationPatience()
          return group
        }
        group.abort()
        // A caller that has left may be about to delete the file.
        if write.file == nil { return nil }
        try patience.wait(for: file, or: refusal)
      }
    } catch {
      throw file.explain(error)
    }
  }

  private func end(
    _ group: consuming WriteGroup, _ writes: [QueuedWrite], _ history: inout GroupHistory
  ) {
    guard !writes.isEmpty else { return group.abort() }
    var failure: LMDBError?
    let start = ContinuousClock.now
    do throws(LMDBError) { try group.commit() } catch { failure = error }
    // Waiting writes count too, because the resumed callers may be about to write again.
    (history.count, history.commitTime) = (writes.count + count, ContinuousClock.now - start)
    if failure?.code == .mapFull || writes.contains(where: \.hasFilledMap) {
      Self.grow(group.environment)
    }
    // The group may be the last reference that keeps the file open, and a caller may delete the
    // file.
    _ = consume group
    for write in writes { write.end(failure) }
  }

  /// Enlarges the map after a write that did not fit, so that the next one does.
  private static func grow(_ environment: Environment) {
    do {
      try environment.grow(
        to: environment.information().mapSize * 2, patience: .milliseconds(500))
    } catch {
      // The next write reports the error again.
    }
  }
}

extension Duration {
  /// The same time for Dispatch, or none for a negative one.
  var interval: DispatchTimeInterval {
    .nanoseconds(Int(max(0, min(self / .nanoseconds(1), 9e18))))
  }
}

extension StoreFile {
  /// Ensures that LMDB does not use a damaged page in a write, as
  /// ``requireSoundPagesBeforeWriting(upTo:)`` does. Takes a snapshot for that.
  package func requireSoundPagesBeforeAnyWrite() throws {
    if hasSoundPages { return }
    let snapshot = try ReadTransaction(environment)
    try requireSoundPagesBeforeWriting()
    _ = consume snapshot
  }
}
