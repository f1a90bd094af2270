internal import Foundation
internal import WhimbrelEngine

/// Loads a dump into a store that exists.
///
/// ```swift
/// let merge = StoreMerge(path: "zones.jsonl", into: "zones.whimbrel", policy: .update)
/// print(try merge.run().text)
/// ```
///
/// Objects are found by their primary keys; ``MergePolicy`` says what becomes of those that the
/// store has already. Other objects get new object IDs, and links of the dump lead to them. Those
/// of a class without a primary key are added each time. Embedded objects go with those that they
/// belong to: of an object that is kept none are added, and of one whose link to them is replaced
/// the old ones go.
///
/// The dump's version, identity, history and next IDs count for nothing, nor do its counts but to
/// tell a dump that was cut short. The store has to have each class of which the dump has objects,
/// and their properties.
///
/// It is one write transaction: other writers wait, readers see all of it or nothing, and a load
/// that fails changes nothing.
public struct StoreMerge {
  private let input: RepeatableInput
  private let target: MergeTarget
  private let policy: MergePolicy
  private let unknown: UnknownNames

  /// What becomes of classes and properties that the store has not.
  public enum UnknownNames: Hashable, Sendable {
    /// They are an error that names all of them.
    case refused
    /// They are left out.
    case ignored
  }

  /// - Parameters:
  ///   - path: the dump: a file, a folder of ``FolderDump``, or `-` for standard input, which is
  ///     copied into a temporary file first.
  ///   - store: the path of the store.
  ///   - policy: what becomes of objects that the store has already.
  ///   - unknown: what becomes of classes and properties that it has not.
  ///   - mode: whether anything is changed.
  ///   - monitor: is told how far it is.
  public init(
    path: String, into store: String, policy: MergePolicy, unknown: UnknownNames = .refused,
    mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    input = RepeatableInput(path: path)
    target = MergeTarget(path: store, mode: mode, monitor: monitor)
    self.policy = policy
    self.unknown = unknown
  }

  /// Loads the dump.
  ///
  /// - Throws: ``InspectionError`` with `badDump`, `incompleteDump`, `schemaMismatch`,
  ///   `objectExists`, `cannotRead` or `cancelled`, and `StoreError`. Nothing is changed then.
  /// - Complexity: O(*n* log *n*), in memory for one line, and the IDs of the objects.
  @discardableResult
  public func run() throws -> MergeSummary {
    let input = try input.opened(target.monitor)
    return try target.merge(policy) { session in
      try DumpObjects(input, session, unknown)
    }
  }
}
