internal import Synchronization

/// A probe that notifies a test of each commit of this process.
package enum CommitProbe {
  /// The moment of a notification.
  package enum Moment: Sendable {
    case before
    case after
  }

  private struct Observer {
    let folder: String?
    let body: @Sendable (Moment) -> Void
  }

  private static let observer = Mutex<Observer?>(nil)

  /// Calls `body` before and after each commit from now on, on the thread that commits.
  ///
  /// - Parameter folder: The name of the folder with the files whose commits count. The default,
  ///   nil, is any folder.
  package static func observe(
    inFolder folder: String? = nil, _ body: @escaping @Sendable (Moment) -> Void
  ) {
    observer.withLock { $0 = Observer(folder: folder, body: body) }
  }

  static func notify(_ moment: Moment, of path: String) {
    guard let observer = observer.withLock({ $0 }) else { return }
    if let folder = observer.folder, path.split(separator: "/").dropLast().last != folder[...] {
      return
    }
    observer.body(moment)
  }
}
