internal import WhimbrelLMDB

/// The changes between two snapshots of a session.
///
/// The changes of a class are looked for on first use: see ``PageComparison``. A class that did not
/// change costs a comparison of two page numbers.
final class StoreChanges {
  /// The session, which shows the state after the changes.
  let session: Session
  /// The source of values before the changes.
  let before: QuerySource
  /// The source of values after the changes.
  let after: QuerySource
  private var classes: [ClassID: ClassChanges] = [:]
  /// The reader that keeps the snapshot before, if nothing else does.
  private let reader: SharedSnapshot.Reader?
  /// Makes another session that shows the state after the changes, for another thread. Nil if there
  /// can be none.
  let makeSession: (@Sendable () throws -> Session)?

  /// - Parameters:
  ///   - view: The snapshot before, which was held since its commit.
  ///   - reader: The reader of that snapshot, if nothing else keeps it.
  ///   - makeSession: Makes another session as `session`, for another thread.
  init(
    of session: Session, since view: ReadView, keeping reader: SharedSnapshot.Reader? = nil,
    makeSession: (@Sendable () throws -> Session)? = nil
  ) {
    self.session = session
    self.reader = reader
    self.makeSession = makeSession
    before = QuerySource(view, session.conversions?.ofOtherCore.make())
    after = QuerySource(session)
  }

  /// Returns what has changed in a class.
  ///
  /// - Parameters:
  ///   - limit: The number of changes beyond which there are many.
  ///   - whenMany: A closure that is called as soon as it is known that there are many. It gets the
  ///     first ones.
  /// - Throws: ``StoreError`` with `damaged`.
  func of(
    _ table: ClassTable, beyond limit: Int = .max, whenMany: (ClassChanges) -> Void = { _ in }
  ) throws -> ClassChanges {
    if let known = classes[table.resolved.id] {
      if known.changes.count > limit { whenMany(known) }
      return known
    }
    let found = try ClassChanges(of: table, self, beyond: limit, whenMany: whenMany)
    classes[table.resolved.id] = found
    return found
  }

  /// Takes out what was found, to be freed elsewhere. Nothing may be asked afterwards.
  func takeContents() -> [ClassChanges.Content] { classes.values.map { $0.takeContent() } }
}

extension ClassTable {
  /// The root pages of the tables with the objects of a class.
  struct Roots: Hashable {
    var objects: UInt64 = 0
    var overflow: UInt64 = 0
  }

  /// Returns the root pages in a snapshot. When they are the same, so are the objects: see
  /// ``ReadView/root(of:)``.
  func roots(in view: ReadView) throws -> Roots {
    if objects == .none { return Roots() }
    return Roots(
      objects: try view.root(of: objects),
      overflow: try overflowTable.map { try view.root(of: $0) } ?? 0)
  }
}
