internal import Dispatch
internal import Synchronization

/// The state that a loop that asks for values shares with the thread that reads them.
///
/// Invariants:
/// 1. A request that is taken or answered is gone: each is resumed once.
/// 2. Nothing is requested after the end.
final class ValueExchange<Value: Sendable>: Sendable {
  typealias Request = CheckedContinuation<Value?, any Error>

  private struct State {
    var request: Request?
    /// Whether there may be something new to read. There is at the beginning.
    var hasNews = true
    var hasMoved = false
    var isEnded = false
    /// The error of the end, if it came before the first request. The next request gets it.
    var failure: (any Error)?
    var isThreadWaiting = false
  }

  /// The next task of the thread.
  enum Work {
    case read
    case tellOfMove
    case end
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Changes the state, and wakes the thread if it waits. Ends the request that `body` returns.
  private func change(_ body: (inout sending State) -> Request?) {
    let (ended, failure, isWaiting) = state.withLock { state in
      let ended = body(&state)
      defer { state.isThreadWaiting = false }
      return (ended, ended == nil ? nil : state.failure.take(), state.isThreadWaiting)
    }
    if isWaiting { wake.signal() }
    if let failure {
      ended?.resume(throwing: failure)
    } else {
      ended?.resume(returning: nil)
    }
  }

  // MARK: For the loop

  /// Asks for a value. After the end, and beside another request, the answer is nil. An error that
  /// nobody has heard comes first.
  func request(_ request: Request) {
    change { state in
      if state.isEnded || state.request != nil { return request }
      state.request = request
      return nil
    }
  }

  /// Ends the loop, or its thread.
  func end() {
    change { state in
      state.isEnded = true
      return state.request.take()
    }
  }

  // MARK: For what tells of changes

  func noteNews() {
    change { state in
      state.hasNews = true
      return nil
    }
  }

  func noteMove() {
    change { state in
      state.hasMoved = true
      return nil
    }
  }

  // MARK: For the thread

  /// Waits until there is a request and something new to read, or the end.
  func work() -> Work {
    while true {
      let work = state.withLock { state -> Work? in
        if state.isEnded { return .end }
        if state.request != nil, state.hasMoved { return .tellOfMove }
        if state.request != nil, state.hasNews {
          state.hasNews = false
          return .read
        }
        state.isThreadWaiting = true
        return nil
      }
      if let work { return work }
      wake.wait()
    }
  }

  func answer(_ value: Value) { takeRequest()?.resume(returning: value) }

  /// Answers with an error, and ends.
  func fail(_ error: any Error) {
    let request = state.withLock { state in
      // The thread may fail before the loop asks for the first value.
      if !state.isEnded, state.request == nil { state.failure = error }
      state.isEnded = true
      return state.request.take()
    }
    request?.resume(throwing: error)
  }

  private func takeRequest() -> Request? { state.withLock { $0.request.take() } }
}
