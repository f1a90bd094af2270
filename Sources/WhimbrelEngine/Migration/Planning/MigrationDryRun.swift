/// The result of a dry run: a migration that runs to its end and is then discarded.
public struct MigrationDryRun: Hashable, Sendable, Codable {
  /// The plan, with the renames by the migration's code.
  public let plan: MigrationPlan
  /// The outcomes for the objects, in the order of the classes in the file. Classes whose objects
  /// stay as they are are included.
  public let classes: [ClassOutcome]
  /// The changes that the history would show, with the renames by the migration's code.
  public let changes: [String]
  /// The messages that the migration's code has reported.
  public let marks: [MigrationHistoryEntry.Mark]
  /// The number of rewritten objects that the history would show.
  public let objectsRewritten: Int
  /// The duration of the dry run, in seconds.
  public let duration: Double

  /// The dry runs of the steps after this one, in turn.
  public internal(set) var nextSteps: [MigrationDryRun] = []

  /// The outcome for the objects of a class.
  public struct ClassOutcome: Hashable, Sendable, Codable {
    /// The name of the class in the app's schema.
    public let className: String
    /// The number of objects in the file.
    public let objectsBefore: Int
    /// The number of objects after the migration.
    public let objectsAfter: Int
    /// The number of objects that would be rewritten.
    public let rewritten: Int
    /// The number of objects that would be created.
    public let created: Int
    /// The number of objects that would be deleted.
    public let deleted: Int
    /// The number of created objects that would be copies of shared objects, because the class
    /// becomes embedded.
    public let copied: Int
    /// The number of deleted objects that would be embedded objects without an owner.
    public let orphaned: Int
  }
}

extension MigrationDryRun: CustomStringConvertible {
  /// The plan as text, with a line for each class whose objects change.
  public var description: String {
    let lines = classes.compactMap { outcome -> String? in
      let counts = [
        (outcome.rewritten, "rewritten"), (outcome.created, "created"),
        (outcome.copied, "of them as copies"), (outcome.deleted, "deleted"),
        (outcome.orphaned, "of them without an owner"),
      ]
      let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      guard !parts.isEmpty else { return nil }
      let total = "\(outcome.objectsBefore) → \(outcome.objectsAfter)"
      return "  '\(outcome.className)': \(parts.joined(separator: ", ")) (\(total))"
    }
    let milliseconds = Int((duration * 1_000).rounded())
    let title = "It takes \(milliseconds) ms and " + (lines.isEmpty ? "rewrites nothing." : "does:")
    let reports = marks.map { mark in
      "  reported: \(mark.text)" + (mark.count > 1 ? " (\(mark.count) times)" : "")
    }
    let next = nextSteps.map(\.description)
    return ([plan.description, title] + lines + reports + next).joined(separator: "\n")
  }
}

extension ClassRewrite {
  /// Returns what has become of the objects, or nil if there are and were none.
  func outcome() throws -> MigrationDryRun.ClassOutcome? {
    var (before, after, kept) = (0, 0, 0)
    if !isRewritten, !isDropped {
      (before, after, kept) = (oldCount, oldCount, oldCount)
    } else {
      var oldID = try old?.next(after: nil)?.id
      var newID = isDropped ? nil : try nextNew(after: nil)?.id
      while oldID != nil || newID != nil {
        let first = min(oldID ?? .last, newID ?? .last)
        let (isOld, isNew) = (oldID == first, newID == first)
        before += isOld ? 1 : 0
        after += isNew ? 1 : 0
        kept += isOld && isNew ? 1 : 0
        if isOld { oldID = try old?.next(after: first)?.id }
        if isNew { newID = try nextNew(after: first)?.id }
        try writer.reporter.report(.checking, name, before, of: oldCount)
      }
    }
    if before == 0, after == 0 { return nil }
    return MigrationDryRun.ClassOutcome(
      className: name, objectsBefore: before, objectsAfter: after,
      rewritten: isRewritten && !isDropped ? kept : 0, created: after - kept,
      deleted: before - kept, copied: migrator.ownership[name]?.copies ?? 0,
      orphaned: migrator.ownership[name]?.orphans ?? 0)
  }
}

extension ObjectID {
  fileprivate static var last: ObjectID { ObjectID(rawValue: .max) }
}

extension StoreFile {
  /// Runs the migration that opening the file would run, and discards the result.
  ///
  /// - Throws: ``StoreError``, as opening the file would.
  package static func dryRunMigration(_ request: OpenRequest) throws -> MigrationDryRun {
    guard let declaration = request.declaration else {
      throw StoreError.invalidConfiguration(path: request.path, reason: "it has no models")
    }
    guard !request.isReadOnly else {
      throw StoreError.invalidConfiguration(
        path: request.path, reason: "it is read-only, and a dry run writes tables of its own")
    }
    try request.validate()
    let file = try attachExisting(request)
    try file.upgradeFormat(request)
    var runs: [MigrationDryRun] = []
    try file.asMigrator(for: request) {
      try file.explaining { try file.removeLeftovers() }
      let stages = try file.stages(of: request, declaration)
      // Migrations that convert objects in place need a copy.
      if stages.count == 1, request.transition == nil, try !file.isInTransition() {
        let migrator = try Migrator(file, stages[0].request, stages[0].declaration, for: .dryRun)
        runs = [try MigrationDryRun(running: migrator)]
      } else {
        runs = try file.dryRunInCopy(stages)
      }
    }
    guard var result = runs.first else { throw StoreError.storeClosed(path: request.path) }
    result.nextSteps = Array(runs.dropFirst())
    return result
  }
}

extension MigrationDryRun {
  /// Runs an online migration to its end, and collects the outcomes.
  init(running start: TransitionStart, in file: StoreFile, by rules: RuleBook) throws {
    let begin = ContinuousClock.now
    try start.run()
    let ended = try file.finishTransition(by: rules)
    let catalog = try file.currentCatalog().catalog
    let classes = (ended?.walks ?? []).compactMap { walk -> ClassOutcome? in
      guard let entry = catalog[walk.classID], walk.total > 0 else { return nil }
      return ClassOutcome(
        className: entry.name, objectsBefore: walk.total, objectsAfter: walk.total,
        rewritten: walk.converted, created: 0, deleted: 0, copied: 0, orphaned: 0)
    }
    let unset = ended?.unsetCount ?? 0
    self.init(
      plan: start.plan, classes: classes, changes: start.plan.changes.map(\.change.description),
      marks: unset == 0
        ? [] : [MigrationHistoryEntry.Mark(text: "a rule left a property unset", count: unset)],
      objectsRewritten: classes.reduce(0) { $0 + $1.rewritten },
      duration: (ContinuousClock.now - begin) / .seconds(1))
  }

  /// Runs a migration, and collects the outcomes.
  init(running migrator: Migrator) throws {
    try migrator.run()
    self.init(
      plan: migrator.plan, classes: migrator.outcomes,
      changes: migrator.changeSentences,
      marks: migrator.block.reported.marks, objectsRewritten: migrator.objectsRewritten,
      duration: (ContinuousClock.now - migrator.task.start) / .seconds(1))
  }
}
