internal import Logging
internal import WhimbrelLMDB

extension StoreFile {
  /// Logs once that the system can watch no more files for commits of other processes.
  static let logsPolling: Void = FallbackReport.observe { path in
    Logger(label: "whimbrel.commits").warning(
      """
      The system cannot watch more files for this user, so the store looks for commits of other \
      processes every 100 ms. Raise the limits of inotify watches and instances.
      """,
      metadata: ["path": "\(path)"])
  }
}
