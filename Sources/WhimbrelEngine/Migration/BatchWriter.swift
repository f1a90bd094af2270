internal import WhimbrelLMDB

/// The transactions of a migration.
///
/// What the migration writes is committed in batches of about ``batchSize`` bytes, so that memory does
/// not grow with the store. After each batch the old objects are read from a new snapshot, so that the
/// pages which the batch has freed are used again. The old tables do not change meanwhile.
///
/// Safe, where exclusivity is unchecked: a migration runs on one thread, and no property is used in
/// the course of a change of its own.
final class BatchWriter {
  private let file: StoreFile
  private var snapshot: OldSnapshot
  /// The old objects.
  @safe @exclusivity(unchecked) private(set) var oldView: ReadView
  private var transaction: WriteTransaction?
  @safe @exclusivity(unchecked) private var writeView: WriteView?
  @safe @exclusivity(unchecked) private var unwritten: BatchFill
  /// Grows with each batch: cursors and bytes from before are void.
  @safe @exclusivity(unchecked) private(set) var batch = 0
  /// The tables that are written, whose cursors belong to the transaction.
  private var written: [RecordTables] = []
  /// The sessions through which typed objects of the migration's code read and write.
  let sessions = MigrationSessions()
  @safe @exclusivity(unchecked) var reporter: ProgressReporter
  /// Whether tables may be there that the catalog does not name.
  private(set) var hasStrayTables = false
  /// Whether the structure of the file is known to be sound.
  private var hasSoundPages: Bool

  /// How many bytes are usually written before a commit.
  static let batchSize = 8 << 20

  init(_ task: MigrationTask, _ reporter: ProgressReporter) throws {
    file = task.file
    self.reporter = reporter
    unwritten = BatchFill(limit: task.request.probe?.batchSize ?? Self.batchSize)
    // Those of a copy were checked before it was made.
    hasSoundPages = task.purpose.storeVersion != nil
    snapshot = try OldSnapshot(task.file)
    oldView = snapshot.view
  }
}

/// The amount of a batch that has been written.
private struct BatchFill {
  var bytes = 0
  /// How many bytes are written before a commit.
  let limit: Int

  var isFull: Bool { bytes >= limit }
}

/// The snapshot from which a migration reads the old objects.
private struct OldSnapshot: ~Copyable {
  private var transaction: ReadTransaction
  private let holder: HeldSnapshot

  init(_ file: StoreFile) throws {
    transaction = try ReadTransaction(file.environment)
    holder = file.hold(as: .migration)
    holder.note(view.transactionID)
  }

  var view: ReadView { transaction.view }

  mutating func release() { transaction.reset() }

  /// Takes what the file holds now.
  mutating func renew() throws {
    try transaction.renew()
    holder.note(view.transactionID)
  }
}

// MARK: - Reading

extension BatchWriter {
  /// Checks the structure of the file before objects are read one after the other:
  /// what is damaged is better found before than half way. Changes of the catalog
  /// alone do without, and cost the same whatever the size of the file.
  func requireSoundPages() throws {
    if hasSoundPages { return }
    try FilePreflight.checkPages(file.path, isThorough: true)
    hasSoundPages = true
    file.didCheckPages()
  }
}

// MARK: - Writing

extension BatchWriter {
  /// Returns what is written to; a transaction is begun if there is none.
  func view() throws -> WriteView {
    if let writeView { return writeView }
    let begun = try WriteTransaction(file.environment)
    let view = begun.view
    transaction = consume begun
    writeView = view
    return view
  }

  /// Counts bytes that have been written.
  func didWrite(_ bytes: Int) {
    unwritten.bytes += bytes + 16
    reporter.bytesWritten += bytes + 16
    sessions.voidReads()
  }

  /// Commits if enough has been written, reports progress, and throws when the answer is to stop.
  /// It is called between objects, when nothing is held.
  func checkpoint(
    _ phase: MigrationProgress.Phase, _ className: @autoclosure () -> String?, _ completed: Int,
    of total: Int
  ) throws {
    try commitIfFull()
    if reporter.isWanted { try reporter.report(phase, className(), completed, of: total) }
  }

  /// Commits if enough has been written. Bytes read before are then void.
  func commitIfFull() throws {
    if unwritten.isFull { try commitBatch() }
  }

  /// Commits what has been written.
  func commitBatch() throws {
    if transaction != nil {
      try endTransaction { transaction throws(LMDBError) in try transaction.commit() }
    }
    try renew()
  }

  /// Takes a new snapshot of the old objects after others may have written.
  private func renew() throws {
    snapshot.release()
    try file.environment.ensureRoom(16 * Self.batchSize)
    try snapshot.renew()
    oldView = snapshot.view
    batch += 1
    sessions.follow(oldView)
  }

  private func endTransaction(_ finish: (consuming WriteTransaction) throws(LMDBError) -> Void)
    rethrows
  {
    for tables in written { tables.endTransaction() }
    writeView = nil
    unwritten.bytes = 0
    if let transaction = transaction.take() { try finish(transaction) }
  }

  /// Creates tables, empty.
  func createTables(_ names: [TableName]) throws -> [String: Table] {
    hasStrayTables = true
    try commitBatch()
    let tables = try file.environment.createTables(names)
    // A name may be left of a migration that could not remove it.
    let view = try view()
    for table in tables.values { try view.empty(table) }
    try commitBatch()
    return tables
  }

  /// Creates the tables of a class's new objects.
  func createTables(of resolved: ResolvedClass) throws -> RecordTables? {
    let (id, generation) = (resolved.id, resolved.entry.generation)
    let (objects, overflow) = (
      TableNames.objects(id, generation), TableNames.overflow(id, generation)
    )
    let created = try createTables([objects, overflow])
    guard let table = created[objects.name] else { return nil }
    let tables = RecordTables(resolved, table, overflow: created[overflow.name])
    written.append(tables)
    return tables
  }
}

// MARK: - Begin and end

extension BatchWriter {
  /// Marks the file as one that is being migrated: from now on nobody else writes.
  func mark() throws {
    // Tables that could not be dropped before have left their mark.
    hasStrayTables = try file.environment.write { view throws(LMDBError) in
      let wasMarked = try view.reading.value(.main, MainKey.migration) != nil
      try MigrationMark.set(in: view, isCleaning: false)
      return wasMarked
    }
    try renew()
  }

  /// Lets go of the file, with what was not committed.
  func end() {
    endTransaction { $0.abort() }
    snapshot.release()
  }
}
