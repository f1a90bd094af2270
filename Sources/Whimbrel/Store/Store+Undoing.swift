public import WhimbrelEngine

extension Store {
  /// What became of the file that was there before, when its migration failed and the
  /// configuration says to start fresh; nil when the store was opened as it is.
  ///
  /// ```swift
  /// if let freshStart = store.freshStart {
  ///   report(freshStart.reason, attaching: freshStart.oldStore)
  /// }
  /// ```
  public var freshStart: FreshStart? { session.file.freshStart }

  /// Whether ``undoMigration()`` would succeed now.
  ///
  /// - Complexity: O(1).
  public var canUndoMigration: Bool {
    !session.isClosed && (try? session.file.canUndoMigration()) ?? false
  }

  /// Brings the file back to the schema, the version and the objects that it had before
  /// its last migration, and closes the store.
  ///
  /// It takes ``Configuration/keepsPreviousGeneration``, and that nothing was written since
  /// the migration, by whatever store or process: that would be lost, and it is refused.
  /// A later migration that failed, or a dry run, counts as a write too.
  ///
  /// ```swift
  /// try store.undoMigration()
  /// let old = try Store(configurationOfBefore)
  /// ```
  ///
  /// It is one transaction: a crash leaves the file as it is or as it was. The history no
  /// longer has the migration. Other stores of the file get `schemaChangedElsewhere` at
  /// their next refresh or write. Opened with the new models, the file is migrated again.
  ///
  /// - Throws: ``StoreError`` with `undoNotPossible`, and the store stays open; with
  ///   `migrationInProgress`, `nestedWrite` or `readOnlyStore`.
  /// - Complexity: O(1) in the number of objects, but for the pages that are freed.
  public func undoMigration() throws {
    try requireNoWrite()
    defer { if session.isClosed { session.close() } }
    try session.file.undoMigration { session.endReading() }
  }

  /// Drops what was kept to undo the last migration, if anything was: the file uses its
  /// space again.
  ///
  /// - Throws: ``StoreError`` with `migrationInProgress`, `nestedWrite` or `readOnlyStore`.
  public func discardPreviousGeneration() throws {
    try requireNoWrite()
    try session.file.discardPreviousGeneration()
  }

  private func requireNoWrite() throws {
    try session.requireOpen()
    if isInWrite { throw StoreError.nestedWrite() }
  }
}
