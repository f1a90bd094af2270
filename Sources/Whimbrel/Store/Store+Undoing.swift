public import WhimbrelEngine

extension Store {
  /// The old file and the reason for the fresh start, if the migration failed and the configuration
  /// says to start fresh. It is nil if the store was opened normally.
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
    if session.isClosed || isInWrite || session.file.isReadOnly { return false }
    return (try? session.file.canUndoMigration()) ?? false
  }

  /// Restores the schema, the schema version and the objects that the file had before its last
  /// migration, and closes the store.
  ///
  /// It requires ``Configuration/keepsPreviousGeneration``, so a migration by the rules of an
  /// ``OnlineMigration`` cannot be undone. It fails if any store or process has written to the file
  /// since the migration, because those changes would be lost. A later migration that failed and a
  /// dry run also count as writes.
  ///
  /// ```swift
  /// try store.undoMigration()
  /// let old = try Store(configurationOfBefore)
  /// ```
  ///
  /// The undo is one transaction: after a crash the file is either unchanged or restored. The entry
  /// of the migration leaves the history. Other stores of the file throw `schemaChangedElsewhere`
  /// at their next refresh or write. If the file is opened with the new models, it is migrated
  /// again.
  ///
  /// - Throws: ``StoreError`` with `undoNotPossible`, which leaves the store open; with
  ///   `migrationInProgress`, `nestedWrite` or `readOnlyStore`.
  /// - Complexity: O(1) in the number of objects, plus the work to free their pages.
  public func undoMigration() throws {
    try requireNoWrite()
    defer { if session.isClosed { session.close() } }
    try session.file.undoMigration { session.endReading() }
  }

  /// Discards the data kept to undo the last migration, if there is any. The file can then reuse
  /// its space.
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
