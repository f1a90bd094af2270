internal import Foundation
internal import Logging
internal import WhimbrelLMDB

/// A run of one migration of one file.
///
/// ``MigrationPlan`` says what changes. Each class becomes a ``ClassRewrite``, which writes its new
/// objects through the ``BatchWriter``, and the ``CatalogFlip`` makes them those of the file.
///
/// Invariants:
/// 1. No table of the catalog is written before the flip, which is one
///    transaction and writes everything that readers go by.
/// 2. Whatever was written before lies in tables that no catalog names, and the
///    mark says that such tables may be there.
final class Migrator {
  let task: MigrationTask
  let writer: BatchWriter
  private(set) var plan: MigrationPlan
  var classes: [ClassRewrite] = []
  /// What the block has asked for and done.
  // Safe, here and below: a migration runs on one thread, and no property is used in the
  // course of a change of its own.
  @safe @exclusivity(unchecked) var block = BlockRun()
  /// The outcome for embedded objects, by the names of their classes.
  var ownership: [String: Ownership] = [:]
  /// How many objects have been rewritten.
  @safe @exclusivity(unchecked) var objectsRewritten = 0
  private var isMarked = false
  /// The tables that the steps before this one have replaced, as long as nobody else has written.
  private var inherited: PreviousGeneration?
  /// The schema declared, with all renames: also those that the block has asked for.
  private(set) var schemaWithRenames: StoreSchema
  /// The outcomes of a dry run.
  private(set) var outcomes: [MigrationDryRun.ClassOutcome] = []

  init(
    _ file: StoreFile, _ request: OpenRequest, _ declaration: Declaration,
    for purpose: MigrationTask.Purpose = .migration
  ) throws {
    do {
      task = try MigrationTask(file, request, declaration, for: purpose)
      var plan = try MigrationPlan(file, declaration, version: request.schemaVersion)
      plan.remainingSteps = request.remainingSteps
      try plan.findOnlineObstacles(in: file, request, declaration)
      self.plan = plan
      schemaWithRenames = declaration.schema
      writer = try BatchWriter(task, ProgressReporter(task, expecting: plan.bytes))
      block.renames.newNames = task.loaded.catalog.classRenames(to: declaration.schema)
      try loadClasses()
    } catch {
      throw file.explain(error)
    }
  }

  private func loadClasses() throws {
    classes = try task.loaded.drafts(for: task.declaration.schema).map { draft in
      try ClassRewrite(draft, of: self)
    }
  }
}

// MARK: - Running

extension Migrator {
  /// Brings the file to the schema declared, or leaves it as it was and throws.
  func run() throws {
    defer {
      // The classes keep the migrator, and so do the sessions.
      classes = []
      writer.sessions.end()
    }
    if task.isDone { return }
    if task.oldVersion > task.newVersion {
      // Somebody else was faster, with a newer version of the app.
      throw StoreError.schemaVersionTooNew(
        path: task.file.path, found: task.oldVersion, declared: task.newVersion)
    }
    try plan.requireAllowed(path: task.file.path)
    do {
      try execute()
    } catch {
      let reason = task.file.explain(error)
      rollBack()
      throw (reason as? StoreError)?.reaching(reach) ?? reason
    }
    if task.isDryRun { rollBack() }
  }

  private func execute() throws {
    let backupPath = try task.requiredBackup()
    inherited = try PreviousGeneration.inherited(by: task, in: writer.oldView)
    if task.isDryRun || task.runsBlock || backupPath != nil || changesOwnership
      || classes.contains(where: \.needsMark)
    {
      try writer.mark()
      isMarked = true
      // Until now others could write: look again at what there is.
      try loadClasses()
    }
    if let backupPath {
      try writer.reporter.report(.backingUp, nil, 0, of: 1, isForced: true)
      try task.file.backUp(to: backupPath)
    }
    if task.runsBlock, let code = task.request.migration { try run(code) }
    schemaWithRenames = declaredSchemaWithRenames
    try complete()
    if task.isDryRun || task.purpose.storeVersion != nil { try collectOutcomes() }
    if task.isDryRun {
      try writer.reporter.report(.finishing, nil, 0, of: 1, isForced: true)
    } else {
      try flip()
    }
  }

  private func run(_ code: MigrationBlock) throws {
    let migration = Migration(self)
    block.state = .running
    defer {
      block.state = .over
      migration.end()
      writer.sessions.end()
    }
    do { try code(migration, task.oldVersion) } catch { throw wrap(error) }
    if let problem = block.problem { throw wrap(problem) }
  }

  /// Brings every class to its new shape, as far as the block has not, and checks
  /// what must hold.
  private func complete() throws {
    try requireFinishedRenames()
    for entry in classes { entry.endLookups() }
    for entry in classes { try entry.requireFinishedRename() }
    for entry in classes { try entry.requireOwners() }
    // What is deleted needs no values: where that may be, they are looked for after it.
    let deletesFirst = mayDeleteObjectsWithoutValues
    if !deletesFirst { try requireValues { try $0.valuesWithoutCode() } }
    for entry in classes { try entry.complete() }
    for entry in classes { try entry.removeDanglingLinks() }
    try requireNoReferencesToEmbedded()
    if try embedOwnedObjects() {
      for entry in classes { try entry.removeDanglingOpenLinks() }
    }
    try requireValues { entry in
      try (deletesFirst ? entry.valuesWithoutCode() : []) + entry.unassignedValues()
    }
    for entry in classes { try entry.buildIndexes() }
    try writer.commitBatch()
  }

  /// Makes the new schema that of the file.
  private func flip() throws {
    try writer.reporter.report(.finishing, nil, 0, of: 1, isForced: true)
    let flip = CatalogFlip(
      task, classes.map(\.result), changes: changeSentences, marks: block.reported.marks,
      objects: objectsRewritten)
    let (header, leavesTables) = try flip.commit(
      inherited, isMarked: isMarked, hasStrayTables: writer.hasStrayTables)
    writer.end()
    task.file.adopt(flip.catalog, header)
    // The migration is done; what remains is space, which the next open can free.
    if leavesTables { try? task.file.removeLeftovers() }
    try? writer.reporter.report(.finishing, nil, 1, of: 1, isForced: true)
    // Once, and only of what has taken effect.
    if task.purpose.storeVersion == nil {
      plan.logPossibleRenames(path: task.file.path, unless: isAnswered)
    }
  }

  /// Takes down what has become of the objects.
  private func collectOutcomes() throws {
    outcomes = try classes.compactMap { try $0.outcome() }
    // No batch is open then, as in a migration.
    try writer.commitBatch()
    // The block may have renamed; the file has the old schema until the flip.
    plan = try planWithRenames()
  }

  private func rollBack() {
    writer.end()
    guard isMarked else { return }
    // If this fails too, the mark remains, and the next open cleans up.
    try? task.file.removeLeftovers()
  }
}

// MARK: - The block

/// The requests and effects of a migration's code.
struct BlockRun {
  enum State { case notBegun, running, over }
  var state = State.notBegun
  /// The classes that are declared with another name, or that the block has renamed.
  var renames = ClassRenames()
  /// The objects that the block has deleted.
  var deletions = DeletionLog()
  /// The messages that the block has reported.
  var reported = MigrationReport()
  /// The first error that occurred where none could be thrown.
  var problem: (any Error)?
}

extension Migrator {
  /// Throws when an object of the block is used after it.
  func requireRunning() throws {
    if block.state == .over { throw StoreError.notInWrite(verb: "use an object of a migration") }
  }

  /// Keeps in mind an error that was met where none can be thrown.
  func note(_ error: any Error) {
    if block.problem == nil { block.problem = error }
  }

  /// Returns an error of the block, with the versions; errors that say more stay as they
  /// are.
  private func wrap(_ error: any Error) -> any Error {
    if error is StoreError || error is LMDBError { return error }
    return StoreError.migrationBlockFailed(
      underlying: error, class: nil, objectID: nil, from: task.oldVersion, to: task.newVersion)
  }
}

// MARK: - Classes and objects

extension Migrator {
  /// Returns the class that has a name in the end, or nil.
  func entry(_ name: String?) -> ClassRewrite? {
    guard let name else { return nil }
    return classes.first { $0.name == name }
  }

  /// Returns the class with an ID, or nil.
  func entry(_ id: ClassID) -> ClassRewrite? { classes.first { $0.draft.id == id } }

  /// Returns the class with a name, under which it may have been in the file.
  func requireClass(
    _ name: String, where isRight: (ClassRewrite) -> Bool
  ) throws -> ClassRewrite {
    let found = classes.filter(isRight).first { $0.name == name || $0.old?.name == name }
    guard let found else {
      throw StoreError.unknownClass(class: name, known: classes.filter(isRight).map(\.name))
    }
    return found
  }

  func requireClass(_ id: ClassID) throws -> ClassRewrite {
    guard let found = entry(id) else {
      throw StoreError.unknownClass(class: "\(id.rawValue)", known: classes.map(\.name))
    }
    return found
  }

  /// Returns whether what a link leads to is there at the end.
  func exists(_ target: LinkTarget, of type: PropertyType) throws -> Bool {
    switch target {
    case .object(let id):
      guard let entry = entry(type.linkedClass) else { return true }
      return try entry.record(id) != nil
    case .reference(let reference):
      return try entry(reference.classID)?.record(reference.id) != nil
    }
  }

  /// Returns whether an object of a class is gone, as far as the block can see.
  func isGone(_ id: ObjectID, of classID: ClassID) throws -> Bool {
    guard let entry = entry(classID), entry.hasDeletions || entry.owners.released != nil else {
      return false
    }
    return try entry.record(id) == nil
  }
}

// MARK: - Errors

extension Migrator {
  /// How far it has come, for the error that ends it.
  private var reach: StoreError.MigrationReach {
    StoreError.MigrationReach(
      objectsRewritten: objectsRewritten, step: task.request.step,
      stepCount: task.request.stepCount, version: task.purpose.storeVersion ?? task.oldVersion)
  }

  /// Throws when objects of any class lack values.
  private func requireValues(
    _ find: (ClassRewrite) throws -> [StoreError.MissingValues]
  ) throws {
    let missing = try classes.flatMap(find)
    guard !missing.isEmpty else { return }
    throw StoreError.migrationValuesMissing(
      path: task.file.path, missing, from: task.oldVersion, to: task.newVersion,
      objectsRead: objectsRewritten, hasBlock: task.runsBlock)
  }
}
