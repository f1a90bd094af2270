package import WhimbrelLMDB

/// A view of a store's objects, for one thread at a time: what lies under a
/// `Store`, and under the inspector.
///
/// Outside of a write it shows the snapshot of the last refresh or write; inside,
/// the write transaction.
///
/// Invariants:
/// 1. `view` is that of `writing` if there is one, else that of `snapshot`.
/// 2. Bytes read are valid for one value of `generation`.
/// 3. `tables` belong to `loaded` and to `tableEpoch`.
package final class Session {
  package let file: StoreFile
  package private(set) var loaded: LoadedCatalog
  /// It changes whenever bytes read before are no longer valid.
  package var generation: UInt64 {
    get { clock.value }
    set { clock.value = newValue }
  }
  private let clock = Counter()
  /// Where ``generation`` is read without counting references.
  package var generationView: Counter.View { clock.view }
  /// What says, without counting references, that bytes read before are no longer valid.
  var generationAdvancer: Counter.Advancer { clock.advancer }
  package private(set) var isClosed = false
  package private(set) var isWriting = false
  /// A damaged record that was met where no error could be thrown; the next
  /// call that can throw it does.
  private var damage: StoreError?

  private var snapshot: ReadTransaction
  private var writing: WriteTransaction?
  package private(set) var view: ReadView
  private var writeView: WriteView?
  private var tables: [ClassTable] = []
  /// Tables of before a change of the catalog: objects read then name them.
  private var retired: [ClassTable] = []
  private var tablesByName: [String: ClassTable] = [:]
  private var tableEpoch: UInt64 = 0
  /// Called when another process has changed the schema, with what it is now.
  package var onSchemaChange: ((LoadedCatalog) throws -> Void)?
  /// Whether a commit checks that the embedded objects it adds belong to others; who adds
  /// them in any order checks that at the end.
  package var checksOwners = true
  /// What knows the Swift types of classes, of which the engine knows nothing.
  package var modelTypes: AnyObject?
  /// What of a migration the session shows, or nil.
  let side: MigrationSide?
  /// Whether the session shows objects of a migration.
  private var isOfMigration: Bool { side != nil }

  package init(_ file: StoreFile) throws {
    self.file = file
    side = nil
    do {
      snapshot = try ReadTransaction(file.environment)
      view = snapshot.view
      loaded = try file.catalog(in: view)
      try resolveTables()
    } catch {
      throw file.explain(error)
    }
  }

  /// Makes the session of a migration's old or new objects. It has no snapshot of its
  /// own: it shows what the migrator shows it, until it is ended.
  init(_ side: MigrationSide, of migrator: Migrator) throws {
    file = migrator.file
    loaded = migrator.loaded
    self.side = side
    snapshot = try ReadTransaction(file.environment)
    snapshot.reset()
    view = migrator.oldView
    isWriting = side.isNew
  }
}

// MARK: - Migrations

extension Session {
  /// Shows another snapshot of a migration.
  func follow(_ view: ReadView) {
    generation &+= 1
    self.view = view
  }

  /// Takes up a class as the migration shows it now.
  func adopt(_ table: ClassTable) {
    if let before = tablesByName[table.name] {
      retired.append(before)
      tables.removeAll { $0 === before }
    }
    tables.append(table)
    tablesByName[table.name] = table
    generation &+= 1
  }

  /// Ends the session with its migration.
  func end() {
    generation &+= 1
    isClosed = true
    isWriting = false
  }

  /// Whether the session shows the new objects of the migration whose old objects the
  /// other shows.
  package func isNewSide(of other: Session?) -> Bool {
    guard let side, let other = other?.side else { return false }
    return side.isNew && !other.isNew && side.migrator === other.migrator
  }

  /// What is said when the session is used after it was closed.
  package var closedError: StoreError {
    isOfMigration
      ? StoreError.notInWrite(verb: "use an object of a migration")
      : StoreError.storeClosed(path: file.path)
  }

  /// What is said when an object is changed outside of a write.
  package func refusal(toChange className: String, _ id: ObjectID) -> StoreError {
    isOfMigration
      ? StoreError.oldObjectIsReadOnly(class: className, objectID: id)
      : StoreError.notInWrite(verb: "change '\(className)'")
  }
}

// MARK: - Tables

extension Session {
  /// The classes, in the order of the catalog.
  package var classes: [ClassTable] { tables }

  /// The class with a name, or nil.
  package func find(_ name: String) -> ClassTable? { tablesByName[name] }

  /// The class with a name.
  package func table(_ name: String) throws -> ClassTable {
    guard let table = tablesByName[name] else {
      throw StoreError.unknownClass(class: name, known: loaded.classes.map(\.name))
    }
    return table
  }

  /// Opens the tables of the catalog and takes a snapshot that sees them.
  private func resolveTables() throws {
    let names = loaded.catalog.classes.flatMap(\.tableNames)
    tableEpoch = file.environment.tableEpoch
    let found = try file.environment.openTables(names)
    // LMDB: a snapshot does not see tables opened after it was taken.
    try snapshot.renew()
    view = snapshot.view
    let header = try file.header(in: view)
    if header != loaded.header {
      loaded = try file.catalog(in: view)
      return try resolveTables()
    }
    retired += tables
    tables = try loaded.classes.map { try ClassTable($0, in: self, handles: found) }
    tablesByName = Dictionary(
      tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    generation &+= 1
  }

  /// Follows a change of the catalog, by this process or another.
  private func followCatalog() throws {
    let header = try file.header(in: view)
    guard header != loaded.header || tableEpoch != file.environment.tableEpoch else { return }
    let changed = try file.catalog(in: view)
    try onSchemaChange?(changed)
    loaded = changed
    try resolveTables()
  }
}

// MARK: - Snapshots

extension Session {
  /// Moves to the last commit, and returns whether anything was committed since.
  package func refresh() throws -> Bool {
    try requireOpen()
    guard !isWriting else { return false }
    let before = view.transactionID
    do {
      try requireKnownSchema()
      try renewSnapshot()
      try followCatalog()
    } catch {
      throw file.explain(error)
    }
    try throwDamage()
    return view.transactionID != before
  }

  /// Throws when the schema of the last commit is not one that can be followed:
  /// before the snapshot is given up, which then stays as it is.
  private func requireKnownSchema() throws {
    guard let onSchemaChange,
      try file.environment.information().lastTransaction != view.transactionID
    else { return }
    let latest = try ReadTransaction(file.environment)
    let header = try file.header(in: latest.view)
    if header != loaded.header { try onSchemaChange(file.catalog(in: latest.view)) }
    _ = consume latest
  }

  private func renewSnapshot() throws {
    generation &+= 1
    try snapshot.renew()
    view = snapshot.view
  }

  /// Lets go of the file. Objects read before can no longer be used.
  package func close() {
    guard !isClosed, !isWriting else { return }
    generation &+= 1
    isClosed = true
    snapshot.reset()
  }

  package func requireOpen() throws {
    if isClosed { throw closedError }
  }

  /// Keeps in mind that a record is damaged, for the next call that can throw.
  package func note(_ error: any Error) {
    if let side {
      if side.migrator.problem == nil { side.migrator.problem = error }
    } else if damage == nil {
      damage = file.explain(error) as? StoreError
    }
  }

  /// Runs `body`, and throws too what is noted meanwhile. It stays noted: a write that
  /// this belongs to is not whole, and fails.
  package func throwingNoted<Result>(_ body: () throws -> Result) throws -> Result {
    let before: (any Error)? = side?.migrator.problem ?? damage
    let result = try body()
    if before == nil, let problem = side?.migrator.problem ?? damage { throw problem }
    return result
  }

  private func throwDamage() throws {
    guard let damage else { return }
    self.damage = nil
    throw damage
  }
}

// MARK: - Writing

extension Session {
  /// Runs `body` in the write transaction of the file, and commits, or rolls back
  /// when it throws.
  package func write<Result>(_ body: () throws -> Result) throws -> Result {
    try requireOpen()
    if isWriting { throw StoreError.nestedWrite() }
    if file.isReadOnly { throw StoreError.readOnlyStore(verb: "write") }
    do { try requireKnownSchema() } catch { throw file.explain(error) }
    try begin()
    do {
      let result = try body()
      try throwDamage()
      for table in tables { try table.willCommit() }
      try end { writing throws(LMDBError) in try writing.commit() }
      return result
    } catch {
      let reason = file.explain(error)
      if isWriting { try? end { $0.abort() } }
      growIfFull(reason)
      throw reason
    }
  }

  private func begin() throws {
    do {
      // Done first: the snapshot would pin the pages that this write frees, and
      // the map cannot grow while it is alive.
      snapshot.reset()
      generation &+= 1
      try file.environment.ensureRoom(64 << 20)
      while true {
        let transaction = try WriteTransaction(file.environment)
        view = transaction.view.reading
        let header = try file.header(in: view)
        if header == loaded.header, tableEpoch == file.environment.tableEpoch {
          try MigrationMark.requireNone(in: transaction.view, of: file)
          writeView = transaction.view
          writing = consume transaction
          break
        }
        // Tables are never opened inside of a write: see Environment.
        transaction.abort()
        try renewSnapshot()
        try followCatalog()
        snapshot.reset()
      }
      isWriting = true
      for table in tables { table.didBeginWriting() }
    } catch {
      try? renewSnapshot()
      throw file.explain(error)
    }
  }

  private func end(_ finish: (consuming WriteTransaction) throws -> Void) throws {
    for table in tables { table.willEndWriting() }
    isWriting = false
    writeView = nil
    generation &+= 1
    defer {
      // The write is over either way; what is committed is committed.
      do { try renewSnapshot() } catch { note(error) }
    }
    if let transaction = writing.take() { try finish(transaction) }
  }

  /// Enlarges the map after a write that did not fit, so that the next one does.
  private func growIfFull(_ error: any Error) {
    guard (error as? StoreError)?.code == .mapFull else { return }
    snapshot.reset()
    if let size = try? file.environment.information().mapSize {
      try? file.environment.grow(to: size * 2, patience: .seconds(5))
    }
    do { try renewSnapshot() } catch { note(error) }
  }

  /// What can be written now.
  package func requireWriting(_ verb: String) throws -> WriteView {
    guard let writeView else {
      try requireOpen()
      if let side, side.isNew { return try side.migrator.writing() }
      throw StoreError.notInWrite(verb: verb)
    }
    return writeView
  }

  /// Says that bytes read before are no longer valid.
  func didWrite() { generation &+= 1 }
}

// MARK: - Links

extension Session {
  /// Throws unless what a link leads to exists.
  package func requireTarget(_ target: LinkTarget, of type: PropertyType) throws {
    switch target {
    case .object(let id):
      guard let name = type.linkedClass else { return }
      guard try table(name).record(id) != nil else {
        throw StoreError.objectDeleted(class: name, objectID: id)
      }
    case .reference(let reference):
      guard let table = classes.first(where: { $0.resolved.id == reference.classID }) else {
        throw StoreError.unknownClass(
          class: "\(reference.classID.rawValue)", known: classes.map(\.name))
      }
      guard try table.record(reference.id) != nil else {
        throw StoreError.objectDeleted(class: table.name, objectID: reference.id)
      }
    }
  }
}
