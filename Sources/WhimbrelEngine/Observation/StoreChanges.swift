internal import WhimbrelLMDB

/// The changes between two snapshots of a session.
///
/// The changes of a class are found on first use: see ``PageComparison``. For an unchanged class
/// that is a comparison of two page numbers.
final class StoreChanges {
  /// The session, which shows the state after the changes.
  let session: Session
  /// The source of the old values.
  let before: QuerySource
  /// The source of the new values.
  let after: QuerySource
  private var classes: [ClassID: ClassChanges] = [:]
  /// The reader that keeps the old snapshot alive, if nothing else does.
  private let reader: SharedSnapshot.Reader?
  /// Creates another session, for another thread, that shows the state after the changes. Nil if
  /// that is not possible.
  let makeSession: (@Sendable () throws -> Session)?

  /// - Parameters:
  ///   - view: The old snapshot, which has been held since its commit.
  ///   - reader: The reader of that snapshot, if nothing else keeps it alive.
  ///   - makeSession: A closure that creates another session like `session`, for another thread.
  init(
    of session: Session, since view: ReadView, keeping reader: SharedSnapshot.Reader? = nil,
    makeSession: (@Sendable () throws -> Session)? = nil
  ) {
    self.session = session
    self.reader = reader
    self.makeSession = makeSession
    before = QuerySource(view, session.conversions?.source.make())
    after = QuerySource(session)
  }

  /// Returns the changes of a class.
  ///
  /// - Parameters:
  ///   - limit: The number of changes above which there are many.
  ///   - whenMany: A closure that is called with the first changes as soon as there are more than
  ///     the limit.
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

  /// Removes and returns the changes, so that the caller can free them elsewhere. Do not use the
  /// object afterwards.
  func takeContents() -> [ClassChanges.Content] { classes.values.map { $0.takeContent() } }
}

extension ClassTable {
  /// The root pages of a class's tables of objects and overflow.
  struct Roots: Hashable {
    var objects: UInt64 = 0
    var overflow: UInt64 = 0
  }

  /// Returns the root pages in a snapshot. If the root pages are the same, so are the objects: see
  /// ``ReadView/root(of:)``.
  func roots(in view: ReadView) throws -> Roots {
    if objects == .none { return Roots() }
    return Roots(
      objects: try view.root(of: objects),
      overflow: try overflowTable.map { try view.root(of: $0) } ?? 0)
  }
}
