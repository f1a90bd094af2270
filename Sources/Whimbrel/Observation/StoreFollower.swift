internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A task that lets an observed store follow the commits of others, on the actor of its observers.
final class StoreFollower {
  private weak let actor: (any Actor)?
  private let signals: AsyncStream<Void>.Continuation
  private let subscription: CommitSignals.Subscription

  /// Returns whether the store is followed on an actor.
  func follows(on actor: any Actor) -> Bool { self.actor === actor }

  init(_ session: Session, isolation: isolated (any Actor)?) throws {
    actor = isolation
    let (stream, signals) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    let hasMoved = FileMove()
    subscription = try session.file.environment.commitSignals.subscribe { event in
      if event == .moved { hasMoved.note() }
      signals.yield()
    }
    session.observers.endings.onEnd { signals.yield() }
    // The actor may own the store, so neither the task nor the follower keeps it.
    weak let actor = isolation
    // Safe: only `follow` uses it, on the actor of the store.
    nonisolated(unsafe) weak let session = session
    let follow: @Sendable (isolated any Actor) async -> Bool = { _ in
      await Session.followCommits(of: { unsafe session }, hasMoved: hasMoved.isNoted)
      return unsafe session?.isClosed == false
    }
    Task { @concurrent in
      for await _ in stream {
        guard let actor, await follow(actor) else { break }
      }
    }
  }

  deinit { signals.finish() }
}

/// A detector of files that were moved, deleted or replaced.
final class FileMove: Sendable {
  private let flag = Atomic(false)

  var isNoted: Bool { flag.load(ordering: .acquiring) }

  func note() { flag.store(true, ordering: .releasing) }
}

extension Session {
  /// Follows the commits of others, for observers.
  ///
  /// A thread of the library works out the changes. Meanwhile the session shows the commit before,
  /// and may be used, closed and released.
  ///
  /// - Parameter session: A closure that returns the session, or nil if it is gone.
  nonisolated(nonsending) static func followCommits(
    of session: () -> Session?, hasMoved: Bool
  ) async {
    guard let step = session()?.beginToFollow(hasMoved: hasMoved) else { return }
    var findings = ObserverFindings()
    var done: [ObserverWork] = []
    // Observers that were added meanwhile follow the step, too.
    while let work = session()?.work(of: step, after: findings) {
      findings.add(await step.find(work))
      done.append(work)
    }
    session()?.following { try $0.finish(step, findings) }
    step.release(consume done, consume findings)
  }

  private func beginToFollow(hasMoved: Bool) -> CommitStep? {
    observers.removeEnded()
    if hasMoved {
      observers.end(with: StoreError.storeMoved(path: file.path))
      return nil
    }
    // In a write, the commits of others are followed when it ends.
    return following { try $0.beginStep() } ?? nil
  }

  private func following<Result>(_ body: (Session) throws -> Result) -> Result? {
    do {
      return try body(self)
    } catch {
      // Observers that have ended were told of it. Others go on, and a call must say what is wrong.
      if !observers.isEmpty { note(error) }
      return nil
    }
  }

  /// Adds an observer.
  ///
  /// - Throws: ``StoreError`` with `inWrite` in a write, which may yet be rolled back.
  func addObserver(_ observer: StoreObserver) throws {
    if isWriting { throw StoreError.inWrite(verb: "observe changes") }
    try observers.add(observer)
  }

  /// Adds an observer, tells it of the state at hand, and lets the store follow the commits of others
  /// if there is an actor to do it on. If the store cannot be observed, the observer is told of the
  /// error.
  func observe(_ observer: StoreObserver, isolation: isolated (any Actor)?) -> ObservationToken {
    do {
      try addObserver(observer)
      try follow(isolation: isolation)
      observers.deliver(to: observer)
      // The observer may have written.
      if !isWriting { observers.deliver() }
    } catch {
      observer.state.end()
      observer.fail(file.explain(error))
    }
    return ObservationToken(observer.state)
  }

  /// Lets the store follow the commits of others on an actor.
  func follow(isolation: isolated (any Actor)?) throws {
    // Without an actor, a task would use the store on another thread, and the compiler does not say so.
    guard let actor = isolation else { return }
    let known = observers.belongings as? StoreFollower
    if known?.follows(on: actor) == true { return }
    observers.belongings = try StoreFollower(self, isolation: isolation)
  }
}
