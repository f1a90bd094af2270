internal import Foundation
internal import Synchronization

/// The queue in which the threads of this process wait to write a file.
///
/// The first thread in the queue is the next one to write. LMDB's own lock, which comes after the
/// queue, does not guarantee this: the thread that has just committed would usually get it again,
/// before a waiting thread has woken up.
///
/// A thread enters the gate before the queue, because a thread that holds the gate exclusively may
/// begin a write.
final class WriterLine: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())
  private let length = Atomic(0)

  /// The number of threads that wait in the queue.
  var count: Int { length.load(ordering: .relaxed) }

  /// Whether a thread writes, or waits for a writer of another process.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// Waits for the turn of this thread.
  func enter() {
    let turn: DispatchSemaphore? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(turn)
      length.store(state.waiting.count, ordering: .relaxed)
      return turn
    }
    turn?.wait()
  }

  /// Gives the turn to the next thread.
  func leave() {
    let next: DispatchSemaphore? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      length.store(state.waiting.count - 1, ordering: .relaxed)
      return state.waiting.removeFirst()
    }
    next?.signal()
  }
}

extension Environment {
  /// Whether another thread of this process waits to write the file.
  package var hasWaitingWriters: Bool { writer.line.count > 0 }
}
