internal import Foundation
internal import Logging
internal import WhimbrelLMDB

/// Carries out one migration of one file.
///
/// Invariants:
/// 1. No table of the catalog is written before the flip, which is one
///    transaction and writes everything that readers go by.
/// 2. Whatever was written before lies in tables that no catalog names, and the
///    mark says that such tables may be there.
/// 3. At most about ``batchSize`` bytes are written before a commit, so memory
///    does not grow with the store.
final class Migrator {
  let file: StoreFile
  let request: OpenRequest
  let declaration: Declaration
  let loaded: LoadedCatalog
  let oldVersion: SchemaVersion
  var newVersion: SchemaVersion { request.schemaVersion }
  /// Whether there is code that says what becomes of objects.
  var runsBlock: Bool { request.migration != nil && oldVersion != newVersion }
  var classes: [MigrationClass] = []
  /// The classes that are declared with another name, or that the block has renamed.
  var renames = ClassRenames()
  /// What the block has deleted.
  var deletions = DeletionLog()
  /// Whether the block runs, and embedded objects come and go with their owners; at the end
  /// they are looked through as a whole.
  private(set) var tracksOwners = false
  /// What the block has reported.
  var reported = MigrationReport()
  /// What has become of embedded objects at the end, by the names of their classes.
  var ownership: [String: Ownership] = [:]
  /// What typed objects of the block read and write through: the old ones by the types
  /// that they are read as.
  var oldSessions: [ObjectIdentifier: Session] = [:]
  var newSession: Session? { didSet { newClock = newSession?.generationAdvancer } }
  @safe @exclusivity(unchecked) private var newClock: Counter.Advancer?
  /// The tables of the file, by their names.
  let tables: [String: Table]
  var plan: MigrationPlan

  var snapshot: ReadTransaction
  /// The old objects. It is taken anew after each batch; the old tables do not
  /// change meanwhile.
  // Safe, here and below: a migration runs on one thread, and no property is used in the
  // course of a change of its own.
  @safe @exclusivity(unchecked) private(set) var oldView: ReadView
  private var transaction: WriteTransaction?
  @safe @exclusivity(unchecked) private var writeView: WriteView?
  @safe @exclusivity(unchecked) private var unwritten = 0
  @safe @exclusivity(unchecked) private var bytesWritten = 0
  /// Grows with each batch: cursors from before are void.
  @safe @exclusivity(unchecked) private(set) var batch = 0
  /// How many objects have been rewritten.
  @safe @exclusivity(unchecked) var objectsRewritten = 0
  /// What went wrong where no error could be thrown.
  @safe @exclusivity(unchecked) var problem: (any Error)?
  private var reportTimer = ReportTimer()
  private let reports: Bool
  private(set) var isMarked = false
  /// Whether tables may be there that the catalog does not name.
  private(set) var hasStrayTables = false
  /// Whether the block has returned: its objects can then no longer be used.
  @safe @exclusivity(unchecked) private var isBlockOver = false
  private var hasSoundPages = false
  /// What the steps before this one have replaced, as long as nobody else has written.
  private(set) var inherited: PreviousGeneration?
  let purpose: Purpose
  /// The schema declared, with all renames: also those that the block has asked for.
  private(set) lazy var schemaWithRenames = declaration.schema
  /// What a dry run has come to.
  var outcomes: [MigrationDryRun.ClassOutcome] = []
  let start = ContinuousClock.now

  /// How many bytes are usually written before a commit.
  static let batchSize = 8 << 20
  private let batchSize: Int
  /// Called before each object that the migration's code is shown.
  let willVisitObject: (@Sendable () throws -> Void)?

  init(
    _ file: StoreFile, _ request: OpenRequest, _ declaration: Declaration,
    for purpose: Purpose = .migration
  ) throws {
    self.file = file
    self.purpose = purpose
    reports = request.progress != nil
    batchSize = request.probe?.batchSize ?? Self.batchSize
    willVisitObject = request.probe?.willVisitObject
    self.request = request
    self.declaration = declaration
    do {
      snapshot = try ReadTransaction(file.environment)
      oldView = snapshot.view
      loaded = try file.catalog(in: oldView)
      oldVersion = loaded.header.schemaVersion
      plan = try MigrationPlan(file, declaration, version: request.schemaVersion)
      plan.remainingSteps = request.remainingSteps
      renames.newNames = loaded.catalog.classRenames(to: declaration.schema)
      tables = try file.environment.openTables(loaded.catalog.classes.flatMap(\.tableNames))
      try snapshot.renew()
      oldView = snapshot.view
      try loadClasses()
    } catch {
      throw file.explain(error)
    }
  }

  private func loadClasses() throws {
    classes = try loaded.catalog.drafts(for: declaration.schema).map { draft in
      try MigrationClass(draft, loaded, tables, self)
    }
  }

  /// Brings the file to the schema declared, or leaves it as it was and throws.
  func run() throws {
    // The classes keep the migrator, too, and so do the sessions.
    defer {
      classes = []
      endSessions()
    }
    let isCurrent =
      loaded.header.fingerprint == declaration.fingerprint && oldVersion == newVersion
    if isCurrent { return }
    if oldVersion > newVersion {
      // Somebody else was faster, with a newer version of the app.
      throw StoreError.schemaVersionTooNew(
        path: file.path, found: oldVersion, declared: newVersion)
    }
    try plan.requireAllowed(path: file.path)
    do {
      try execute()
    } catch {
      let reason = file.explain(error)
      rollBack()
      throw (reason as? StoreError)?.reaching(reach) ?? reason
    }
    if isDryRun { rollBack() }
  }

  private func execute() throws {
    let backupPath = try requiredBackup()
    inherited = try inheritedGeneration(in: oldView)
    if isDryRun || runsBlock || backupPath != nil || changesOwnership
      || classes.contains(where: \.needsMark)
    {
      try mark()
      // Until now others could write: look again at what there is.
      try loadClasses()
    }
    if let backupPath {
      try report(.backingUp, nil, 0, of: 1, isForced: true)
      try file.backUp(to: backupPath)
    }
    if runsBlock, let block = request.migration {
      let migration = Migration(self)
      tracksOwners = true
      defer {
        tracksOwners = false
        migration.end()
        isBlockOver = true
        endSessions()
      }
      do { try block(migration, oldVersion) } catch { throw wrap(error) }
      if let problem { throw wrap(problem) }
    }
    schemaWithRenames = declaredSchemaWithRenames
    try complete()
    if isDryRun {
      try finishDryRun()
    } else {
      if purpose.storeVersion != nil { try collectOutcomes() }
      try flip()
      // Once, and only of what has taken effect.
      if purpose.storeVersion == nil {
        plan.logPossibleRenames(path: file.path, unless: isAnswered)
      }
    }
  }

  private func endSessions() {
    newSession?.end()
    newSession = nil
    for session in oldSessions.values { session.end() }
    oldSessions = [:]
  }

  /// Throws when an object of the block is used after it.
  func requireRunning() throws {
    if isBlockOver { throw StoreError.notInWrite(verb: "use an object of a migration") }
  }

  /// Checks the structure of the file before objects are read one after the other:
  /// what is damaged is better found before than half way. Changes of the catalog
  /// alone do without, and cost the same whatever the size of the file.
  func requireSoundPages() throws {
    // That of a copy has been checked before it was made.
    guard !hasSoundPages, purpose.storeVersion == nil else { return }
    try FilePreflight.checkPages(file.path, isThorough: true)
    hasSoundPages = true
  }

  /// An error of the block, with the versions; errors that say more stay as they
  /// are.
  private func wrap(_ error: any Error) -> any Error {
    if error is StoreError || error is LMDBError { return error }
    return StoreError.migrationBlockFailed(
      underlying: error, class: nil, objectID: nil, from: oldVersion, to: newVersion)
  }

  private func rollBack() {
    endTransaction { $0.abort() }
    snapshot.reset()
    guard isMarked else { return }
    // If this fails too, the mark remains, and the next open cleans up.
    try? file.removeLeftovers()
  }

  private func endTransaction(_ finish: (consuming WriteTransaction) throws(LMDBError) -> Void)
    rethrows
  {
    for entry in classes { entry.forgetCursors() }
    writeView = nil
    unwritten = 0
    if let transaction = transaction.take() { try finish(transaction) }
  }

  private func mark() throws {
    // Tables that could not be dropped before have left their mark.
    hasStrayTables = try file.environment.write { view throws(LMDBError) in
      let wasMarked = try view.reading.value(.main, MainKey.migration) != nil
      try MigrationMark.set(in: view, isCleaning: false)
      return wasMarked
    }
    isMarked = true
    try renew()
  }
}

// MARK: - Batches

extension Migrator {
  /// What is written to; a transaction is begun if there is none.
  func writing() throws -> WriteView {
    if let writeView { return writeView }
    let begun = try WriteTransaction(file.environment)
    let view = begun.view
    transaction = consume begun
    writeView = view
    return view
  }

  /// Says that what typed objects have read of new objects is void.
  func voidReads() { newClock?.advance() }

  /// Counts bytes that have been written.
  func didWrite(_ bytes: Int) {
    unwritten += bytes + 16
    voidReads()
    bytesWritten += bytes + 16
  }

  /// Commits when enough has been written, reports, and looks whether to stop.
  /// It is called between objects, when nothing is held.
  func checkpoint(
    _ phase: MigrationProgress.Phase, _ className: @autoclosure () -> String?, _ completed: Int,
    of total: Int
  ) throws {
    try commitIfFull()
    if reports { try report(phase, className(), completed, of: total) }
  }

  /// Commits when enough has been written. Bytes read before are then void.
  func commitIfFull() throws {
    if unwritten >= batchSize { try commitBatch() }
  }

  /// Commits what has been written.
  func commitBatch() throws {
    endTransactionForCommit: do {
      guard transaction != nil else { break endTransactionForCommit }
      try endTransaction { transaction throws(LMDBError) in try transaction.commit() }
    }
    try renew()
  }

  /// Takes a new snapshot of the old objects, so that the pages which batches
  /// free are used again.
  private func renew() throws {
    for entry in classes { entry.forgetCursors() }
    snapshot.reset()
    try file.environment.ensureRoom(16 * Self.batchSize)
    try snapshot.renew()
    oldView = snapshot.view
    batch += 1
    newSession?.follow(oldView)
    for session in oldSessions.values { session.follow(oldView) }
  }

  /// Reports at most every 50 ms, and throws when the answer is to stop.
  func report(
    _ phase: MigrationProgress.Phase, _ className: String?, _ completed: Int, of total: Int,
    isForced: Bool = false
  ) throws {
    guard let progress = request.progress else { return }
    let isForced = isForced || request.probe?.reportsEachObject == true
    guard reportTimer.isDue(isForced: isForced) else { return }
    let response = progress(
      MigrationProgress(
        phase: phase, className: className, completed: completed, total: total,
        bytes: bytesWritten, totalBytes: max(bytesWritten, plan.bytes)))
    guard response == .continue || phase == .finishing else {
      throw StoreError.migrationCancelled(path: file.path, from: oldVersion, to: newVersion)
    }
  }

  /// The class with a name, under which it may have been in the file.
  func requireClass(
    _ name: String, where isRight: (MigrationClass) -> Bool
  ) throws -> MigrationClass {
    let found = classes.filter(isRight).first { $0.name == name || $0.old?.name == name }
    guard let found else {
      throw StoreError.unknownClass(class: name, known: classes.filter(isRight).map(\.name))
    }
    return found
  }

  func requireClass(_ id: ClassID) throws -> MigrationClass {
    guard let found = classes.first(where: { $0.draft.id == id }) else {
      throw StoreError.unknownClass(class: "\(id.rawValue)", known: classes.map(\.name))
    }
    return found
  }

  /// Whether what a link leads to is there at the end.
  func exists(_ target: LinkTarget, of type: PropertyType) throws -> Bool {
    switch target {
    case .object(let id):
      guard let entry = classes.first(where: { $0.name == type.linkedClass }) else { return true }
      return try entry.record(id) != nil
    case .reference(let reference):
      let entry = classes.first { $0.draft.id == reference.classID }
      return try entry?.record(reference.id) != nil
    }
  }

  /// Whether an object of a class is gone, as far as the block can see.
  func isGone(_ id: ObjectID, of classID: ClassID) throws -> Bool {
    guard let entry = classes.first(where: { $0.draft.id == classID }),
      entry.hasDeletions || entry.released != nil
    else { return false }
    return try entry.record(id) == nil
  }

  /// Creates tables, empty.
  func createTables(_ names: [TableName]) throws -> [String: Table] {
    hasStrayTables = true
    try commitBatch()
    let tables = try file.environment.createTables(names)
    // A name may be left of a migration that could not remove it.
    let view = try writing()
    for table in tables.values { try view.empty(table) }
    try commitBatch()
    return tables
  }
}
