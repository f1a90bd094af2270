internal import Logging
internal import WhimbrelLMDB

extension StoreFile {
  #if canImport(Darwin)
    private static let remedy = "Raise the limit of open files."
  #else
    private static let remedy = "Raise the limits of inotify watches and instances."
  #endif

  /// Logs once that the system can watch no more files for commits of other processes.
  static let logsPolling: Void = FallbackReport.observe { path in
    Logger(label: "whimbrel.commits").warning(
      """
      The system cannot watch more files for this user, so the store looks for commits of other \
      processes every 100 ms. \(remedy)
      """,
      metadata: ["path": "\(path)"])
  }
}
