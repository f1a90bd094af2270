extension StoreError {
  /// The progress of a failed migration.
  public struct MigrationReach: Hashable, Sendable {
    /// The number of objects that it had rewritten, in all classes.
    public var objectsRewritten: Int
    /// The number of the failed migration among those the file needs, counted from 1. Only
    /// migration steps lead to more than one.
    public var step: Int
    /// The number of migrations that the file needs.
    public var stepCount: Int
    /// The schema version that the store has now.
    public var version: SchemaVersion
  }

  /// Returns the error of a failed migration with its progress and the present state of the store.
  func reaching(_ reach: MigrationReach) -> StoreError {
    StoreError(
      code, Sentence(sentence, reach), context.with(\.migrationReach, reach),
      underlying: underlying, file: location.file, line: location.line)
  }
}

extension Sentence {
  /// Creates the wording of an error with the progress of its migration.
  ///
  /// It replaces the sentence about the store in the advice.
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
    let said = Self.unchanged.first(where: recovery.hasSuffix)
    self.recovery = (said.map { String(recovery.dropLast($0.count)) } ?? recovery + " ") + outcome
  }

  private static let unchanged = ["The store is unchanged.", "Nothing was changed."]
  private static let unchangedAlso = "the store is unchanged."
}
