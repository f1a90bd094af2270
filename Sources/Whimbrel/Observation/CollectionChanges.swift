internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The changes of objects, for one `for await` loop: see ``QueryableObjects/changes``.
public struct CollectionChanges<Element: Model>: AsyncSequence {
  private let results: Results<Element>

  init(_ results: Results<Element>) { self.results = results }

  /// Returns an iterator that begins with the objects at hand.
  public func makeAsyncIterator() -> Iterator {
    let base = results.base
    return Iterator(ChangePump(base.session) { base.observer(nil, $0) })
  }

  /// An iterator over changes, which waits for each of them.
  public struct Iterator: AsyncIteratorProtocol {
    private let pump: ChangePump<CollectionChange<Element>>

    init(_ pump: ChangePump<CollectionChange<Element>>) { self.pump = pump }

    /// Returns the next change, or nil after an error or if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> CollectionChange<Element>? {
      await pump.next(isolation: actor)
    }

    /// Returns the next change, or nil after an error or if the task was cancelled.
    public nonisolated(nonsending) mutating func next() async -> CollectionChange<Element>? {
      await pump.next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension CollectionChanges: Sendable {}
@available(*, unavailable)
extension CollectionChanges.Iterator: Sendable {}

/// The source of an iterator's changes: an observer that is told of them when it asks.
final class ChangePump<Change> {
  private let session: Session
  private let makeObserver: (@escaping (Change) -> Void) -> StoreObserver
  private var observer: StoreObserver?
  private var subscription: CommitSignals.Subscription?
  private let waiter = ChangeWaiter()
  private let hasMoved = FileMove()
  private var found: Change?
  private var hasBegun = false
  /// Whether the observer may have something to tell.
  private var hasNews = true

  init(_ session: Session, _ makeObserver: @escaping (@escaping (Change) -> Void) -> StoreObserver)
  {
    self.session = session
    self.makeObserver = makeObserver
  }

  deinit { observer?.state.end() }

  func next(isolation: isolated (any Actor)?) async -> Change? {
    if !hasBegun { begin() }
    while true {
      if Task.isCancelled {
        observer?.state.end()
        return nil
      }
      if let change = take() { return change }
      guard let observer, !observer.state.isEnded else { return nil }
      guard await waiter.wait(isolation: isolation) else { continue }
      let session = session
      await Session.followCommits(of: { session }, hasMoved: hasMoved.isNoted)
    }
  }

  private func begin() {
    hasBegun = true
    let observer = makeObserver { [weak self] in self?.found = $0 }
    let (waiter, hasMoved) = (waiter, hasMoved)
    observer.onPending = { [weak self] in
      self?.hasNews = true
      waiter.signal()
    }
    self.observer = observer
    do {
      subscription = try session.file.environment.commitSignals.subscribe { event in
        if event == .moved { hasMoved.note() }
        waiter.signal()
      }
      try session.addObserver(observer)
    } catch {
      observer.state.end()
      observer.fail(session.file.explain(error))
    }
  }

  /// Returns what there is to tell, or nil.
  private func take() -> Change? {
    if hasNews, found == nil, let observer, !observer.state.isEnded {
      hasNews = false
      session.observers.deliver(to: observer)
    }
    defer { found = nil }
    return found
  }
}

/// A signal that one task waits for. Any thread may give it.
private final class ChangeWaiter: Sendable {
  private enum State {
    case idle
    case signalled
    case waiting(CheckedContinuation<Bool, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)

  func signal() { resume(.signalled, returning: true) }

  private func resume(_ next: State, returning result: Bool) {
    let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .waiting(let continuation):
        state = result ? .idle : .cancelled
        return continuation
      case .cancelled: return nil
      case .idle, .signalled:
        state = next
        return nil
      }
    }
    continuation?.resume(returning: result)
  }

  /// Waits for a signal that was not yet waited for, and returns false if the task was cancelled.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Bool? in
          switch state {
          case .signalled:
            state = .idle
            return true
          case .cancelled: return false
          case .idle, .waiting:
            state = .waiting(continuation)
            return nil
          }
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      resume(.cancelled, returning: false)
    }
  }
}
