/// A way in which a migration ends before its time.
public enum Interruption: String, Hashable, Sendable, CaseIterable {
  /// The process is killed with `SIGKILL`, right before and right after a commit: each commit in
  /// turn, in a child process. Batches are made small, so that there are several.
  case killed
  /// The app cancels it from the progress handler: at each tenth of the way.
  case cancelled
  /// The migration's code throws an error: at the first, the last and some objects between.
  case failing
  /// There is no space for more than so many pages, in a child process.
  case diskFull
}

/// An interruption at a certain place.
enum Fault: Hashable, Codable, Sendable {
  /// None: the commits are counted.
  case counting
  case killed(isAfter: Bool, commit: Int)
  case cancelled(report: Int)
  case failing(object: Int)
  case diskFull(pages: Int)

  /// What has happened, to stand behind "after".
  var description: String {
    switch self {
    case .counting: "a migration"
    case .killed(let isAfter, let commit):
      "being killed right \(isAfter ? "after" : "before") commit \(commit)"
    case .cancelled(let report): "being cancelled at report \(report) of its progress"
    case .failing(let object): "an error at object \(object)"
    case .diskFull(let pages): "the disk was full after \(pages) more pages"
    }
  }
}
