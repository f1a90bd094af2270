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

extension Sentence {
  /// The words of an error, which say besides how far a migration came.
  ///
  /// It replaces what the recovery says of the store.
  fileprivate init(_ sentence: Sentence, _ reach: StoreError.MigrationReach) {
    let recovery = sentence.recovery
    var outcome = "the store is unchanged."
    if reach.stepCount > 1 {
      outcome =
        "step \(reach.step) of \(reach.stepCount) failed, and the store stays at version "
        + "\(reach.version)."
    }
    action = sentence.action
    reason = sentence.reason
    if recovery.hasSuffix(Self.unchangedAlso) {
      self.recovery = recovery.dropLast(Self.unchangedAlso.count) + outcome
      return
    }
    if reach.objectsRewritten > 0 {
      let were = reach.objectsRewritten == 1 ? "was" : "were"
      outcome = "\(Self.count(reach.objectsRewritten, "object")) \(were) rewritten; \(outcome)"
    }
    outcome = outcome.prefix(1).uppercased() + outcome.dropFirst()
    let isSaid = recovery.hasSuffix(Self.unchanged)
    self.recovery =
      (isSaid ? String(recovery.dropLast(Self.unchanged.count)) : recovery + " ") + outcome
  }

  private static let unchanged = "The store is unchanged."
  private static let unchangedAlso = "the store is unchanged."
}
