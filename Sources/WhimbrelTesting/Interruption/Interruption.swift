/// A way in which a migration can end too early.
public enum Interruption: String, Hashable, Sendable, CaseIterable {
  /// The process is killed with `SIGKILL` right before and right after a commit. The commits
  /// are spread over the migration, from the first to the last. Each run is a child process.
  /// Batches are small, so that there are several commits.
  case killed
  /// The app cancels the migration from the progress handler, at points spread over the
  /// migration.
  case cancelled
  /// The migration's code throws an error at an object: the first, the last and some
  /// between.
  case failing
  /// The file cannot grow by more than a number of pages. Each run is a child process.
  case diskFull
}

/// An interruption at one point of a migration.
enum Fault: Hashable, Codable, Sendable {
  /// No interruption: the run only counts.
  case counting
  case killed(isAfter: Bool, commit: Int)
  case cancelled(report: Int)
  case failing(object: Int)
  case diskFull(pages: Int)

  /// The event, worded to follow "after".
  var description: String {
    switch self {
    case .counting: "a migration"
    case .killed(let isAfter, let commit):
      "being killed right \(isAfter ? "after" : "before") commit \(commit)"
    case .cancelled(let report): "being cancelled at report \(report) of its progress"
    case .failing(let object): "an error at object \(object)"
    case .diskFull(let pages): "a full disk after \(pages) more pages"
    }
  }
}
