internal import WhimbrelLMDB

/// What a migration would have done: one that was carried out to the end, and thrown away
/// before it took effect.
public struct MigrationDryRun: Hashable, Sendable, Codable {
  /// The changes of the schema, in which what the code renames is renamed.
  public let plan: MigrationPlan
  /// The outcomes for the objects, in the order of the classes in the file. Those of
  /// classes whose objects stay as they are, are counted too.
  public let classes: [ClassOutcome]
  /// The changes as the history would have them, with what the code renames.
  public let changes: [String]
  /// The messages that the migration's code has reported.
  public let marks: [MigrationHistoryEntry.Mark]
  /// How many objects the history would say were rewritten.
  public let objectsRewritten: Int
  /// How long it took, in seconds.
  public let duration: Double

  /// The dry runs of the steps after this one, in turn.
  public internal(set) var nextSteps: [MigrationDryRun] = []

  /// The outcome for the objects of a class.
  public struct ClassOutcome: Hashable, Sendable, Codable {
    /// The name of the class: the one that the app declares.
    public let className: String
    /// How many objects there are in the file.
    public let objectsBefore: Int
    /// How many there would be.
    public let objectsAfter: Int
    /// How many would have been written anew.
    public let rewritten: Int
    /// How many would have come.
    public let created: Int
    /// How many would have gone.
    public let deleted: Int
    /// How many of those that would have come are copies of objects which several others
    /// share, as the class becomes embedded.
    public let copied: Int
    /// How many of those that would have gone are embedded and belong to no object.
    public let orphaned: Int
  }
}

extension MigrationDryRun: CustomStringConvertible {
  /// The plan, and a line for each class whose objects change, as text.
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
  /// Carries out what opening the file would do to it, and throws it away.
  ///
  /// - Throws: ``StoreError``, as opening would.
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
      do { try file.removeLeftovers() } catch { throw file.explain(error) }
      let stages = try file.stages(of: request, declaration)
      // What converts objects in place needs a copy.
      if stages.count == 1, !request.isOnline, try !file.isInTransition() {
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
  /// Runs an online migration to its end, and takes down what has come of it.
  init(running start: TransitionStart, in file: StoreFile, by rules: RuleBook) throws {
    let begin = ContinuousClock.now
    try start.run()
    let ended = try file.finishTransition(by: rules)
    let transaction = try ReadTransaction(file.environment)
    let catalog = try file.catalog(in: transaction.view).catalog
    _ = consume transaction
    let classes = (ended?.walks ?? []).compactMap { walk -> ClassOutcome? in
      guard let entry = catalog.classes.first(where: { $0.id == walk.classID }), walk.total > 0
      else { return nil }
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

  /// Runs a migration, and takes down what has come of it.
  init(running migrator: Migrator) throws {
    try migrator.run()
    self.init(
      plan: migrator.plan, classes: migrator.outcomes,
      changes: migrator.changeSentences,
      marks: migrator.block.reported.marks, objectsRewritten: migrator.objectsRewritten,
      duration: (ContinuousClock.now - migrator.task.start) / .seconds(1))
  }
}
