internal import Foundation
internal import Logging
internal import WhimbrelLMDB

/// A run of one migration of one file.
///
/// ``MigrationPlan`` says what changes. Each class becomes a ``ClassRewrite``, which writes its new
/// objects through the ``BatchWriter``. The ``CatalogFlip`` then writes the catalog that names
/// them.
///
/// Invariants: 1. No table of the catalog is written before the flip. The flip is one transaction,
/// and writes everything that readers depend on. 2. Everything written before the flip is in tables
/// that no catalog names. The mark says that there may be such tables.
final class Migrator {
  let task: MigrationTask
  let writer: BatchWriter
  private(set) var plan: MigrationPlan
  var classes: [ClassRewrite] = []
  /// The requests and effects of the block.
  // Safe, here and below: a migration runs on one thread, and no property is used in the
  // course of a change of its own.
  @safe @exclusivity(unchecked) var block = BlockRun()
  /// The outcome for embedded objects, by the names of their classes.
  var ownership: [String: Ownership] = [:]
  /// The number of objects that have been rewritten.
  @safe @exclusivity(unchecked) var objectsRewritten = 0
  private var isMarked = false
  /// The path of the copy that this run has made, or nil.
  private var madeBackup: String?
  /// The generation that earlier steps have kept, or nil if another process has written since.
  private var inherited: PreviousGeneration?
  /// The declared schema, with all renames, including those by the block.
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
      plan.remainingSteps = request.migration.remainingSteps
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
  /// Migrates the file to the declared schema. After an error the file is as it was.
  func run() throws {
    defer {
      // The classes keep the migrator, and so do the sessions.
      classes = []
      writer.sessions.end()
    }
    if task.isDone { return }
    if task.oldVersion > task.newVersion {
      // A newer version of the app has migrated the file in the meantime.
      throw StoreError.schemaVersionTooNew(
        path: task.file.path, found: task.oldVersion, declared: task.newVersion)
    }
    try plan.requireAllowed(path: task.file.path)
    try task.request.migration.approval?(plan)
    do {
      try execute()
    } catch {
      let reason = task.file.explain(error)
      rollBack()
      if task.request.migration.removesBackupOnFailure, let madeBackup {
        StoreFile.removeFiles(at: madeBackup)
      }
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
      // Others could write until now: the classes are loaded again.
      try loadClasses()
    }
    if let backupPath {
      try writer.reporter.report(.backingUp, nil, 0, of: 1, isForced: true)
      try task.file.backUp(to: backupPath)
      madeBackup = backupPath
    }
    if task.runsBlock, let code = task.request.migration.block { try run(code) }
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

  /// Brings every class to its new shape, where the block has not done so, and checks the result.
  private func complete() throws {
    try requireFinishedRenames()
    // Objects of a class that was not declared may wait for a rule. They go on waiting, unless the
    // class is declared again.
    for entry in classes where entry.draft.declared != nil { try entry.requireConverted() }
    for entry in classes { entry.endLookups() }
    for entry in classes { try entry.requireFinishedRename() }
    for entry in classes { try entry.requireOwners() }
    // Deleted objects need no values. If there may be any, missing values are looked for afterwards.
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

  /// Writes the new schema to the file.
  private func flip() throws {
    try writer.reporter.report(.finishing, nil, 0, of: 1, isForced: true)
    let flip = CatalogFlip(
      task, classes.map(\.result), changes: changeSentences, marks: block.reported.marks,
      objects: objectsRewritten)
    let (header, leavesTables) = try flip.commit(
      inherited, isMarked: isMarked, hasStrayTables: writer.hasStrayTables)
    writer.end()
    task.file.adopt(flip.catalog, header)
    // The migration is complete. The next open can free the space if this fails.
    if leavesTables { try? task.file.removeLeftovers() }
    try? writer.reporter.report(.finishing, nil, 1, of: 1, isForced: true)
    // Possible renames are logged once, and only for changes that have taken effect.
    if task.purpose.storeVersion == nil {
      plan.logPossibleRenames(path: task.file.path, unless: isAnswered)
    }
  }

  /// Collects the outcomes for the objects.
  private func collectOutcomes() throws {
    outcomes = try classes.compactMap { try $0.outcome() }
    // As in a migration, no batch is open then.
    try writer.commitBatch()
    // The block may have renamed classes. The file has the old schema until the flip.
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
  /// Throws if the block has ended and one of its objects is used.
  func requireRunning() throws {
    if block.state == .over { throw StoreError.notInWrite(verb: "use an object of a migration") }
  }

  /// Records an error that occurred where none can be thrown.
  func note(_ error: any Error) {
    if block.problem == nil { block.problem = error }
  }

  /// Returns an error of the block with the versions added. Errors that already have them stay the
  /// same.
  private func wrap(_ error: any Error) -> any Error {
    if error is StoreError || error is LMDBError { return error }
    return StoreError.migrationBlockFailed(
      underlying: error, class: nil, objectID: nil, from: task.oldVersion, to: task.newVersion)
  }
}

// MARK: - Classes and objects

extension Migrator {
  /// Returns the class with a name in the new schema, or nil.
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
  /// The progress of the migration, for the error that ends it.
  private var reach: StoreError.MigrationReach {
    StoreError.MigrationReach(
      objectsRewritten: objectsRewritten, step: task.request.migration.step,
      stepCount: task.request.migration.stepCount,
      version: task.purpose.storeVersion ?? task.oldVersion)
  }

  /// Throws if objects of any class lack values.
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
