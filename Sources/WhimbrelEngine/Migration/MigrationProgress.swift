/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The work that is being done.
  public enum Phase: String, Hashable, Sendable {
    /// The file is copied, because a backup was asked for.
    case backingUp
    /// Objects are read, given to the block, and written anew.
    case rewriting
    /// Indexes are built.
    case indexing
    /// Links, keys and required values are checked.
    case checking
    /// The new schema takes effect. It can no longer be cancelled.
    case finishing
    /// Somebody else migrates the store, and this process waits for that.
    case waiting
  }

  /// The answer to a report: whether to go on.
  public enum Response: Hashable, Sendable {
    /// The migration goes on.
    case `continue`
    /// The migration stops; the store stays as it was.
    case cancel
  }

  /// The number of this migration among those that the file takes, counted from 1: there are
  /// several when the app declares `MigrationSteps` only.
  public internal(set) var step = 1
  /// How many migrations the file takes.
  public internal(set) var stepCount = 1
  /// The work that is being done.
  public let phase: Phase
  /// The class that it is done to, or nil when it is the whole store.
  public let className: String?
  /// How many objects of the class are done.
  public let completed: Int
  /// How many objects of the class there are.
  public let total: Int
  /// How many bytes the whole migration has written so far.
  public let bytes: Int
  /// How many bytes the whole migration will write, as the plan estimates; never fewer
  /// than ``bytes``.
  public let totalBytes: Int
}

extension MigrationProgress: CustomStringConvertible {
  /// The work that is being done and its progress: `rewriting 'Zone', 120 of 418 objects, 16 of
  /// about 52 KiB written`.
  public var description: String {
    var text = stepCount > 1 ? "step \(step) of \(stepCount): " : ""
    text += phase.words(for: className.map(Sentence.quoted) ?? "the store")
    if total > 0 { text += ", \(completed) of \(Sentence.count(total, "object"))" }
    if bytes > 0 {
      text += ", \((bytes + 1023) / 1024) of about \((totalBytes + 1023) / 1024) KiB written"
    }
    return text
  }
}

extension MigrationProgress.Phase {
  /// Returns the phase as people read it, with what it is done to.
  fileprivate func words(for name: String) -> String {
    switch self {
    case .backingUp: "copying the store"
    case .rewriting: "rewriting \(name)"
    case .indexing: "building the indexes of \(name)"
    case .checking: "checking \(name)"
    case .finishing: "finishing"
    case .waiting: "waiting for another migration"
    }
  }
}
