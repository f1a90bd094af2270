internal import Logging
internal import WhimbrelLMDB

extension StoreFile {
  /// Logs once that the system can watch no more files for commits of other processes.
  static let logsPolling: Void = FallbackReport.observe { path in
    Logger(label: "whimbrel.commits").warning(
      """
      The system watches no more files for this user, so commits of other processes are looked for \
      every 100 ms. Raise its limits of inotify watches and instances.
      """,
      metadata: ["path": "\(path)"])
  }
}
