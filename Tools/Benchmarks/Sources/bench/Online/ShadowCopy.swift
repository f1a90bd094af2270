import Foundation
import Synchronization

/// The thread that fills a shadow table.
final class ShadowCopy: Sendable {
  private struct State {
    var isPaused = true
    var isWorking = false
    var isStopping = false
    var isOver = false
    var last = -1
    var error: (any Error)?
  }

  private let state: Mutex<State>
  /// The ID of the last reading.
  private let end: Int
  /// The rest between two batches while the app writes.
  private static let rest: UInt32 = 10_000
  private let isBusy = Atomic<Bool>(false)

  /// - Parameter end: The ID of the last reading, or nil if all are converted.
  init(end: Int?) {
    self.end = end ?? 0
    state = Mutex(State(isOver: end == nil))
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - batch: Copies the readings after an ID, and returns the last ID.
  ///   - swap: Replaces the table by its shadow.
  func start(
    batch: @escaping @Sendable (Int) throws -> Int, swap: @escaping @Sendable () throws -> Void
  ) {
    Thread { [self] in
      do {
        while let after = next() {
          let last = try batch(after)
          state.withLock { ($0.last, $0.isWorking) = (last, false) }
          if last >= end {
            try swap()
            break
          }
          if isBusy.exchange(false, ordering: .relaxed) { usleep(Self.rest) }
        }
      } catch {
        state.withLock { $0.error = error }
      }
      state.withLock { ($0.isOver, $0.isWorking) = (true, false) }
    }.start()
  }

  /// Waits until there is something to do, and returns the last ID; nil when it is to stop.
  private func next() -> Int? {
    while true {
      let (isStopping, last) = state.withLock { state -> (Bool, Int?) in
        state.isWorking = !state.isPaused && !state.isStopping
        return (state.isStopping, state.isWorking ? state.last : nil)
      }
      if isStopping { return nil }
      if let last { return last }
      usleep(500)
    }
  }

  /// Says that the app has written.
  func noteWrite() { isBusy.store(true, ordering: .relaxed) }

  func pause() {
    state.withLock { $0.isPaused = true }
    while state.withLock({ $0.isWorking }) { usleep(500) }
  }

  func resume() { state.withLock { $0.isPaused = false } }

  var fraction: Double { state.withLock { Double($0.last) / Double(max(end, 1)) } }

  var isOver: Bool { state.withLock { $0.isOver } }

  func stop() throws {
    state.withLock { $0.isStopping = true }
    while !isOver { usleep(500) }
    if let error = state.withLock({ $0.error }) { throw error }
  }
}
