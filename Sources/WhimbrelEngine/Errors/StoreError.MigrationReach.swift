extension StoreError {
  /// How far a migration came that failed.
  public struct MigrationReach: Hashable, Sendable {
    /// How many objects it had rewritten, of all classes.
    public var objectsRewritten: Int
    /// Which of the migrations that the file takes it was, counted from 1: there are several
    /// with steps only.
    public var step: Int
    /// How many migrations the file takes.
    public var stepCount: Int
    /// The schema version that the store has now.
    public var version: SchemaVersion
  }

  /// The same error, which says how far the migration came that it ended, and what has
  /// become of the store.
  func reaching(_ reach: MigrationReach) -> StoreError {
    StoreError(
      code, Sentence(sentence, reach), context.with(\.migrationReach, reach),
      underlying: underlying, file: location.file, line: location.line)
  }
}
