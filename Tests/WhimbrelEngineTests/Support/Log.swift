import Logging
import Synchronization

/// Everything that is logged while the tests run.
final class Log: Sendable {
  static let shared: Log = {
    let log = Log()
    LoggingSystem.bootstrap { _ in Handler(log: log) }
    return log
  }()

  private let entries = Mutex<[(path: String, message: String)]>([])

  func messages(about path: String) -> [String] {
    entries.withLock { $0.filter { $0.path == path }.map(\.message) }
  }

  private struct Handler: LogHandler {
    let log: Log
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      guard case .string(let path)? = event.metadata?["path"] else { return }
      log.entries.withLock { $0.append((path, "\(event.message)")) }
    }
  }
}
