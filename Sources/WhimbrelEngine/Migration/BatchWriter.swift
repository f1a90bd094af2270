internal import WhimbrelLMDB

/// The transactions of a migration.
///
/// A migration commits in batches of about ``batchSize`` bytes, so that memory does not grow with
/// the store. After each batch the old objects are read from a new snapshot, so that LMDB can use
/// the pages that the batch has freed. The old tables do not change meanwhile.
///
/// Safe, where exclusivity is unchecked: a migration runs on one thread, and no property is used in
/// the course of a change of its own.
final class BatchWriter {
  private let file: StoreFile
  private var snapshot: OldSnapshot
  /// The view for reading the old objects.
  @safe @exclusivity(unchecked) private(set) var oldView: ReadView
  private var transaction: WriteTransaction?
  @safe @exclusivity(unchecked) private var writeView: WriteView?
  @safe @exclusivity(unchecked) private var unwritten: BatchFill
  /// The number of the batch. Cursors and bytes of an earlier batch are not valid.
  @safe @exclusivity(unchecked) private(set) var batch = 0
  /// The tables that are written, whose cursors belong to the transaction.
  private var written: [RecordTables] = []
  /// The sessions through which typed objects of the migration's code read and write.
  let sessions = MigrationSessions()
  @safe @exclusivity(unchecked) var reporter: ProgressReporter
  /// Whether there may be tables that the catalog does not name.
  private(set) var hasStrayTables = false
  /// Whether the structure of the file is known to be sound.
  private var hasSoundPages: Bool

  /// The usual size of a batch, in bytes.
  static let batchSize = 8 << 20

  /// The space to reserve before a batch, in bytes.
  private static let reserve = 16 * batchSize

  init(_ task: MigrationTask, _ reporter: ProgressReporter) throws {
    file = task.file
    self.reporter = reporter
    unwritten = BatchFill(limit: task.request.migration.probe?.batchSize ?? Self.batchSize)
    // The pages of a copy were checked before it was made.
    hasSoundPages = task.purpose.storeVersion != nil
    // The snapshot keeps the map from growing, and a file that has outgrown its map fills it.
    try task.file.environment.ensureRoom(Self.reserve)
    snapshot = try OldSnapshot(task.file)
    oldView = snapshot.view
  }
}

/// The amount of a batch that has been written.
private struct BatchFill {
  var bytes = 0
  /// The size of a full batch, in bytes.
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

  /// Takes a snapshot of the current content.
  mutating func renew() throws {
    try transaction.renew()
    holder.note(view.transactionID)
  }
}

// MARK: - Reading

extension BatchWriter {
  /// Checks the structure of the file before its objects are read, so that damage is found before
  /// anything is written. Changes of the catalog alone skip the check: their cost does not depend
  /// on the size of the file.
  func requireSoundPages() throws {
    if hasSoundPages { return }
    try FilePreflight.checkPages(file.path)
    hasSoundPages = true
    file.didCheckPages()
  }
}

// MARK: - Writing

extension BatchWriter {
  /// Returns the view for writing. Begins a transaction if there is none.
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

  /// Commits a full batch, reports progress, and throws if the answer is to cancel. Call it between
  /// objects: bytes that were read before are not valid after it.
  func checkpoint(
    _ phase: MigrationProgress.Phase, _ className: @autoclosure () -> String?, _ completed: Int,
    of total: Int
  ) throws {
    try commitIfFull()
    if reporter.isWanted { try reporter.report(phase, className(), completed, of: total) }
  }

  /// Commits a full batch. Bytes that were read before are then not valid.
  func commitIfFull() throws {
    if unwritten.isFull { try commitBatch() }
  }

  /// Commits the batch.
  func commitBatch() throws {
    if transaction != nil {
      try endTransaction { transaction throws(LMDBError) in try transaction.commit() }
    }
    try renew()
  }

  /// Takes a new snapshot of the old objects after others may have written.
  private func renew() throws {
    snapshot.release()
    try file.environment.ensureRoom(Self.reserve)
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

  /// Creates empty tables.
  func createTables(_ names: [TableName]) throws -> [String: Table] {
    hasStrayTables = true
    try commitBatch()
    let tables = try file.environment.createTables(names)
    // A migration that could not remove a table may have left its name.
    let view = try view()
    for table in tables.values { try view.empty(table) }
    try commitBatch()
    return tables
  }

  /// Creates the tables of a class's new objects.
  func createTables(of resolved: ResolvedClass) throws -> RecordTables? {
    let entry = resolved.entry
    let (objects, overflow) = (TableNames.objects(entry), TableNames.overflow(entry))
    let created = try createTables([objects, overflow])
    guard let table = created[objects.name] else { return nil }
    let tables = RecordTables(resolved, table, overflow: created[overflow.name])
    written.append(tables)
    return tables
  }
}

// MARK: - Begin and end

extension BatchWriter {
  /// Marks the file as one that is being migrated, so that others do not write.
  func mark() throws {
    // An earlier migration that could not drop its tables has left the mark.
    hasStrayTables = try file.environment.write { view throws(LMDBError) in
      let wasMarked = try view.reading.value(.main, MainKey.migration) != nil
      try MigrationMark.set(in: view, isCleaning: false)
      return wasMarked
    }
    try renew()
  }

  /// Ends the transactions without a commit.
  func end() {
    endTransaction { $0.abort() }
    snapshot.release()
  }
}
