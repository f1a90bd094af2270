// The words of errors that have to do with several migrations, or with several classes.

extension Sentence {
  /// The words of an error, which say besides how far a migration came.
  ///
  /// What they say already of the store gives way to it.
  init(_ message: String, _ recovery: String, _ reach: StoreError.MigrationReach) {
    var outcome = "the store is unchanged."
    if reach.stepCount > 1 {
      outcome =
        "step \(reach.step) of \(reach.stepCount) failed, and the store stays at version "
        + "\(reach.version)."
    }
    self.message = message
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

  static func migrationValuesMissing(
    path: String, _ missing: [StoreError.MissingValues], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool
  ) -> Sentence {
    let code =
      hasBlock
      ? "Set them in the migration block"
      : "Give the configuration a migration block that sets them"
    return Sentence(
      migrateStore(path, oldVersion, newVersion), "objects have no value for what is required",
      items: missing.map(\.description),
      code + ", or declare default values. The store is unchanged.")
  }

  static func migrationTimedOut(path: String, processID: Int32?, timeout: Duration) -> Sentence {
    let who = processID.map { "process \($0)" } ?? "another process"
    let seconds = timeout / .seconds(1)
    let limit = Int(exactly: seconds).map { count($0, "second") } ?? "\(seconds) seconds"
    return store(
      "open", path, "\(who) is migrating it, and has not finished within \(limit)",
      "Try again when that has finished, or configure a longer 'migrationTimeout'.")
  }

  static func waitingCancelled(path: String) -> Sentence {
    store(
      "open", path, "it was cancelled while another process migrates it",
      "Open the store again when that has finished.")
  }
}
