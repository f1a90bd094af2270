internal import Foundation
internal import WhimbrelEngine

/// A merge of a dump into an existing store.
///
/// ```swift
/// let merge = StoreMerge(path: "zones.jsonl", into: "zones.whimbrel", policy: .update)
/// print(try merge.run().text)
/// ```
///
/// Objects are matched by primary key, and ``MergePolicy`` decides about objects that the store has
/// already. Other objects get new object IDs, and the dump's links are translated to them. Objects
/// of a class without a primary key are added on every merge. Embedded objects follow their owners:
/// a kept object gets no embedded objects from the dump, and an object whose link to embedded
/// objects is replaced loses the old ones.
///
/// The merge ignores the dump's version of the schema, identity, history and next object IDs. It
/// uses the counts only to detect an incomplete dump. The store must have all classes of which the
/// dump has objects, with their properties.
///
/// The merge is one write transaction: other writers wait, readers see all of it or nothing, and a
/// failed merge changes nothing.
public struct StoreMerge {
  private let path: String
  private let target: MergeTarget
  private let policy: MergePolicy
  private let unknown: UnknownNames

  /// The treatment of classes and properties that the store lacks.
  public enum UnknownNames: Hashable, Sendable {
    /// The merge fails with an error that names all of them.
    case refused
    /// Their objects and values are left out.
    case ignored
  }

  /// Creates a merge.
  ///
  /// - Parameters:
  ///   - path: The dump: a file, a folder of ``FolderDump``, or `-` for standard input, which is
  ///     copied into a temporary file first.
  ///   - store: The path of the store.
  ///   - policy: The treatment of objects that the store has already.
  ///   - unknown: The treatment of classes and properties that the store lacks. The default is to
  ///     refuse.
  ///   - mode: Whether the changes are committed. The default is to commit.
  ///   - monitor: Receives the progress.
  public init(
    path: String, into store: String, policy: MergePolicy, unknown: UnknownNames = .refused,
    mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    self.path = path
    target = MergeTarget(path: store, mode: mode, monitor: monitor)
    self.policy = policy
    self.unknown = unknown
  }

  /// Merges the dump.
  ///
  /// - Throws: ``InspectionError`` with `badDump`, `incompleteDump`, `schemaMismatch`,
  ///   `objectExists`, `cannotRead` or `cancelled`, and `StoreError`. Nothing has changed then.
  /// - Complexity: O(*n* log *n*). Memory: one line, and the IDs of the objects.
  @discardableResult
  public func run() throws -> MergeSummary {
    let input = try RepeatableInput(path: path, target.monitor)
    return try target.merge(policy) { session in
      try DumpObjects(input, session, unknown)
    }
  }
}
