/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The work that is being done.
  public enum Phase: String, Hashable, Sendable {
    /// The file is being copied, because a backup was asked for.
    case backingUp
    /// Objects are being read, passed to the block and written.
    case rewriting
    /// Indexes are being built.
    case indexing
    /// Links, keys and required values are being checked.
    case checking
    /// The new schema is taking effect. The migration can no longer be cancelled.
    case finishing
    /// Another process or thread is migrating the store, and this one waits for it.
    case waiting
  }

  /// The answer to a report: whether to go on.
  public enum Response: Hashable, Sendable {
    /// Continue the migration.
    case `continue`
    /// Cancel the migration. The store stays as it was.
    case cancel
  }

  /// The number of this migration among those that the file takes, counted from 1: there are
  /// several when the app declares `MigrationSteps` only.
  public internal(set) var step = 1
  /// The number of migrations that the file takes.
  public internal(set) var stepCount = 1
  /// The work that is being done.
  public let phase: Phase
  /// The class that the work is done for, or nil if it is done for the whole store.
  public let className: String?
  /// The number of objects of the class that are done. For work on the whole store, it is 0 of 1 at
  /// the beginning, and 1 of 1 at the end.
  public let completed: Int
  /// The number of all objects of the class.
  public let total: Int
  /// The number of bytes that the whole migration has written so far.
  public let bytes: Int
  /// The number of bytes that the whole migration will write, as the plan estimates. It is never
  /// less than ``bytes``.
  public let totalBytes: Int
}

extension MigrationProgress: CustomStringConvertible {
  /// The work that is being done and its progress: `rewriting 'Zone', 120 of 418 objects, 16 of
  /// about 52 KiB written`.
  public var description: String {
    var text = stepCount > 1 ? "step \(step) of \(stepCount): " : ""
    text += phase.words(for: className.map(Sentence.quoted) ?? "the store")
    if className != nil, total > 0 {
      text += ", \(completed) of \(Sentence.count(total, "object"))"
    }
    if bytes > 0 {
      text += ", \((bytes + 1023) / 1024) of about \((totalBytes + 1023) / 1024) KiB written"
    }
    return text
  }
}

extension MigrationProgress.Phase {
  /// Returns words for the phase, with the name of the class.
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
