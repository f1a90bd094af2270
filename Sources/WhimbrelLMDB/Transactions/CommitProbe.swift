internal import Synchronization

/// A probe that notifies a test of each commit of this process.
package enum CommitProbe {
  /// The moment of a notification.
  package enum Moment: Sendable {
    case before
    case after
  }

  private static let observer = Mutex<(@Sendable (Moment) -> Void)?>(nil)

  /// Calls `body` before and after each commit from now on, on the thread that commits.
  package static func observe(_ body: @escaping @Sendable (Moment) -> Void) {
    observer.withLock { $0 = body }
  }

  static func notify(_ moment: Moment) {
    guard let observer = observer.withLock({ $0 }) else { return }
    observer(moment)
  }
}
