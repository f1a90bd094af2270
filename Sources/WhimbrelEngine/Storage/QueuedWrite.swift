internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// A write that waits for its turn in a ``WriteQueue``.
///
/// Either the queue's thread runs it, or the caller does, on its own actor. The caller is resumed
/// for its turn, and takes the turn if it comes in time.
final class QueuedWrite: Sendable {
  /// The reason why the caller is resumed.
  enum Signal {
    /// It may be the caller's turn.
    case turn
    /// The group has ended, or the write has left the queue. Nil means that the group was
    /// committed.
    case over((any Error)?)
  }

  private typealias Continuation = CheckedContinuation<Signal, Never>

  private enum Phase {
    /// The write is in the queue.
    case waiting
    /// The caller may take its turn.
    case offered(WriteGroup)
    /// The turn was withdrawn before the caller took it. The caller does not know that yet.
    case late
    case running
    /// The write must be done again in another group.
    case outdated
    /// The closure has run. The group is not yet committed.
    case waitingForCommit
    case over
  }

  private struct State {
    /// The file, or nil if the write is over: the queue's thread may keep the write for longer than
    /// its caller keeps the file open.
    var file: StoreFile?
    var phase = Phase.waiting
    var number: UInt64 = 0
    /// The number of turns that were withdrawn before the caller took them.
    var missedTurns = 0
    /// Whether the caller waits for its turn on its thread, so that it takes the turn at once.
    var isWaitingOnThread = false
    /// The error of a write that has run on the queue's thread.
    var failure: (any Error)?
    var continuation: Continuation?
    /// The signal that came before the caller waited for it.
    var signal: Signal?

    /// Returns the continuation to resume. If the caller does not wait yet, keeps the signal.
    mutating func send(_ signal: Signal) -> Continuation? {
      if continuation == nil { self.signal = signal }
      return continuation.take()
    }

    /// Takes the turn that is offered, or returns nil.
    mutating func take() -> WriteGroup? {
      guard case .offered(let group) = phase else { return nil }
      phase = .running
      signal = nil
      return group
    }
  }

  private let queue: WriteQueue
  /// A closure that runs the write on the queue's thread. Nil if the caller runs it.
  let work: (@Sendable (WriteGroup) throws -> Void)?
  private let state: Mutex<State>
  /// A signal for the queue's thread that the phase has changed.
  private let progress = DispatchSemaphore(value: 0)
  /// A signal for a caller that waits on its thread.
  private let arrival = DispatchSemaphore(value: 0)

  init(_ file: StoreFile, _ work: (@Sendable (WriteGroup) throws -> Void)? = nil) {
    queue = file.writeQueue
    self.work = work
    state = Mutex(State(file: file))
  }

  /// The file, until the write is over.
  var file: StoreFile? { state.withLock { $0.file } }

  /// Adds the write to the queue.
  func enqueue() { queue.add(self) }

  /// The position in the queue. The queue sets it once.
  var number: UInt64 {
    get { state.withLock { $0.number } }
    set { state.withLock { $0.number = newValue } }
  }
}

// MARK: - The caller

extension QueuedWrite {
  /// Waits for the next signal. Leaves the queue when the task is cancelled.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Signal {
    await withTaskCancellationHandler {
      // This makes the closure belong to the caller's actor. Otherwise it would be resumed on
      // another thread first.
      _ = isolation
      return await withCheckedContinuation { continuation in
        let signal: Signal? = state.withLock { state in
          guard let signal = state.signal.take() else {
            state.continuation = continuation
            return nil
          }
          return signal
        }
        if let signal { continuation.resume(returning: signal) }
      }
    } onCancel: {
      leave(CancellationError())
    }
  }

  /// Takes the turn. Returns nil if it was withdrawn: the write is then back in the queue, or over.
  ///
  /// A caller that has missed many turns waits for the next one here.
  func take() -> WriteGroup? {
    let limits = queue.limits
    let (group, missed) = state.withLock { state -> (WriteGroup?, missed: Int?) in
      guard case .late = state.phase else { return (state.take(), nil) }
      state.phase = .waiting
      state.isWaitingOnThread = state.missedTurns >= limits.missedTurns
      return (nil, state.missedTurns)
    }
    if group != nil { progress.signal() }
    guard let missed else { return group }
    enqueue()
    if missed < limits.missedTurns { return nil }
    return awaitTurn(for: limits.waitOnThread(missed: missed))
  }

  /// Waits for the turn on this thread, and takes it. Returns nil if it does not come in time, or if
  /// the write is over.
  private func awaitTurn(for time: Duration) -> WriteGroup? {
    let deadline = DispatchTime.now() + time.interval
    var isOver = false
    while !isOver {
      // A signal may be left from a previous turn.
      isOver = arrival.wait(timeout: deadline) == .timedOut
      let group = state.withLock { state in
        let group = state.take()
        if case .waiting = state.phase {} else { isOver = true }
        state.isWaitingOnThread = !isOver
        return group
      }
      if let group {
        progress.signal()
        return group
      }
    }
    return nil
  }

  /// Notes that the closure has run, or that it must run in another group.
  func finish(isOutdated: Bool) {
    state.withLock { $0.phase = isOutdated ? .outdated : .waitingForCommit }
    progress.signal()
  }

  /// Ends a write whose closure has not begun. Its caller gets the error.
  ///
  /// - Returns: Whether the closure had not begun.
  @discardableResult
  func leave(_ error: any Error) -> Bool {
    let (leaves, continuation) = state.withLock { state -> (Bool, Continuation?) in
      switch state.phase {
      case .waiting, .offered, .late, .outdated:
        state.phase = .over
        state.file = nil
        return (true, state.send(.over(error)))
      default: return (false, nil)
      }
    }
    guard leaves else { return false }
    queue.remove(self)
    progress.signal()
    arrival.signal()
    continuation?.resume(returning: .over(error))
    return true
  }
}

// MARK: - Limits

extension QueuedWrite {
  /// Makes the write leave the queue after a time.
  ///
  /// - Returns: The timer to cancel, or nil without a limit.
  func limit(to limit: Duration?) -> (any DispatchSourceTimer)? {
    guard let limit else { return nil }
    // A work item would stay in its queue until its time, even after it was cancelled.
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [weak self] in self?.expire(after: limit) }
    timer.schedule(deadline: .now() + limit.interval)
    timer.activate()
    return timer
  }

  private func expire(after limit: Duration) {
    guard let file else { return }
    let writer = (try? file.environment)?.currentWriter()
    leave(
      StoreError.writeTimedOut(
        path: file.path, processID: writer?.processID, threadID: writer?.threadID, limit: limit))
  }
}

// MARK: - The queue's thread

extension QueuedWrite {
  /// The outcome of a turn.
  enum Outcome {
    /// The closure has run. The write waits for the end of the group.
    case done
    /// The write must be done in another group.
    case outdated
    /// The closure has not run: the caller was late, or the write is over.
    case skipped
  }

  /// Gives the write its turn, and waits until the turn is over.
  ///
  /// - Parameter shouldWithdraw: Returns whether to withdraw a turn that is not yet taken, given
  ///   the number of turns that the caller has missed and the time since this one was offered.
  func perform(
    in group: WriteGroup, unless shouldWithdraw: (_ missed: Int, _ time: Duration) -> Bool
  ) -> Outcome {
    if let work { return perform(work, in: group) }
    guard let missed = offer(group) else { return .skipped }
    let start = ContinuousClock.now
    while true {
      let (outcome, isRunning) = state.withLock { state -> (Outcome?, Bool) in
        switch state.phase {
        case .offered
        where !state.isWaitingOnThread && shouldWithdraw(missed, ContinuousClock.now - start):
          state.phase = .late
          state.missedTurns += 1
          return (.skipped, false)
        case .offered: return (nil, false)
        case .running: return (nil, true)
        case .outdated:
          state.phase = .waiting
          return (.outdated, false)
        case .waitingForCommit: return (.done, false)
        case .waiting, .late, .over: return (.skipped, false)
        }
      }
      if let outcome { return outcome }
      // A signal may be left from a previous turn.
      if isRunning {
        progress.wait()
      } else {
        _ = progress.wait(timeout: .now() + .microseconds(250))
      }
    }
  }

  private func perform(
    _ work: @Sendable (WriteGroup) throws -> Void, in group: WriteGroup
  ) -> Outcome {
    let begins = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.phase = .running
      return true
    }
    guard begins else { return .skipped }
    var failure: (any Error)?
    do {
      try work(group)
    } catch is WriteGroup.Outdated {
      state.withLock { $0.phase = .waiting }
      return .outdated
    } catch {
      failure = error
    }
    do throws(LMDBError) {
      try group.environment.requireSameProcess()
    } catch {
      // The closure has forked. The child has nobody to return to.
      stopProgram("\(file?.explain(error) ?? error)")
    }
    state.withLock { state in
      state.failure = failure
      state.phase = .waitingForCommit
    }
    return .done
  }

  /// Whether the queue's thread has run the write and the map was full.
  var hasFilledMap: Bool {
    guard let failure = state.withLock({ $0.failure }) else { return false }
    return (failure as? StoreError)?.code == .mapFull
  }

  /// Offers the turn to the caller, and returns the number of turns that the caller has missed.
  /// Returns nil if the write has left the queue.
  private func offer(_ group: WriteGroup) -> Int? {
    let (missed, continuation) = state.withLock { state -> (Int?, Continuation?) in
      guard case .waiting = state.phase else { return (nil, nil) }
      state.phase = .offered(group)
      return (state.missedTurns, state.send(.turn))
    }
    continuation?.resume(returning: .turn)
    arrival.signal()
    return missed
  }

  /// Resumes the caller at the end of the group.
  ///
  /// - Parameter error: The error that kept the group from being committed, or nil.
  func end(_ error: LMDBError?) {
    let (signal, continuation) = state.withLock { state -> (Signal, Continuation?) in
      state.phase = .over
      let reason = error.map { state.file?.explain($0) ?? $0 }
      state.file = nil
      let signal = Signal.over(state.failure ?? reason)
      return (signal, state.send(signal))
    }
    continuation?.resume(returning: signal)
  }
}
