import Foundation
import Whimbrel

/// A synchronous write of a thread that lasts until it is released.
final class HeldWrite: Sendable {
  private let isReleased = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)

  /// Returns when the write has begun.
  init(_ configuration: Store.Configuration) {
    let hasBegun = DispatchSemaphore(value: 0)
    let (isReleased, isOver) = (isReleased, isOver)
    let thread = Thread {
      do {
        let store = try Store(configuration)
        try store.write {
          hasBegun.signal()
          isReleased.wait()
        }
      } catch {
        fatalError("\(error)")
      }
      isOver.signal()
    }
    thread.start()
    hasBegun.wait()
  }

  /// Ends the write.
  func release() { isReleased.signal() }

  /// Waits for the end of the write.
  func wait() { isOver.wait() }
}
