package import WhimbrelLMDB

/// A view of a store's objects, for one thread at a time: what lies under a
/// `Store`, and under the inspector.
///
/// Outside of a write it shows the snapshot of the last refresh or write; inside,
/// the write transaction.
///
/// Invariants:
/// 1. `view` is that of `writing` if there is one, else that of `snapshot`.
/// 2. Bytes read are valid for one value of `epoch`.
/// 3. `tables` belong to `shown`, `shown` to `loaded`, and both to `tableEpoch`.
// Safe: transactions and their views are used by one call after the other, on one thread.
@safe
package final class Session {
  package let file: StoreFile
  /// The catalog of the file.
  package private(set) var loaded: LoadedCatalog
  /// The catalog as the app sees it: see ``LoadedCatalog/shown(to:)``.
  package private(set) var shown: LoadedCatalog
  /// What converts objects that still have a past shape, or nil if the file has none.
  private(set) var conversions: Conversions?
  /// What the write at hand has found of objects that it converted.
  // Safe: no other code runs while it is changed.
  @safe @exclusivity(unchecked) var transitionNotes = TransitionNotes()
  /// What the app declares, or nil when it takes the file as it is.
  private let declaration: Declaration?
  /// What the file lacked when the session began, and the app could do without.
  private var initialGaps: Set<SchemaChange> = []
  /// It changes whenever bytes read before are no longer valid.
  package var epoch: UInt64 {
    get {
      requireThread()
      return clock.value
    }
    set { clock.value = newValue }
  }
  let clock = Counter()
  /// Where ``epoch`` is read without counting references. The thread that writes or
  /// refreshes claims it: see Session+Threads.swift.
  package var epochView: Counter.View { clock.view }
  /// What says, without counting references, that bytes read before are no longer valid.
  var epochAdvancer: Counter.Advancer { clock.advancer }
  package private(set) var isClosed = false
  package private(set) var isWriting = false
  /// An error that was met where none could be thrown, of a damaged record or of a property that
  /// was set; the next call that can throw it does.
  private var deferredError: (any Error)?
  /// Whether the write is ended by ``commitWrite()`` or ``cancelWrite()``.
  private var isManualWrite = false

  /// Nil in the session of objects that something else shows: see ``MigrationSide``.
  private var snapshot: ReadTransaction?
  /// The snapshot of before what the observers have not yet followed, or nil if they have followed
  /// all.
  private var base: ReadTransaction?
  /// The same, if the session showed a snapshot that is shared with other threads.
  private var baseReader: SharedSnapshot.Reader?
  /// A snapshot that is not in use, for the next one.
  private var spare: ReadTransaction?
  /// What follows changes for the observers of the store, or nil if it never had any.
  private(set) var knownObservers: StoreObservers?
  private var writing: WriteTransaction?
  /// What of a snapshot that is shared with other threads is seen, or nil. ``snapshot`` is then that
  /// of the next refresh, or nil where there is none.
  private var sharedReader: SharedSnapshot.Reader?
  /// What was frozen last.
  package private(set) weak var latestFrozen: FrozenSnapshot?
  /// What says that this process holds the snapshot.
  package private(set) var holder: HeldSnapshot?
  /// The thread to which the write belongs.
  private var writingThread: UInt = 0
  /// The group that the next write is a part of, or nil for a write of its own.
  var group: WriteGroup?
  /// The writes that wait in the queue of the file.
  var queuedWrites: [QueuedWrite] = []
  /// What can be read now, with everything written so far.
  package var view: ReadView {
    if isUnsettled { settle() }
    return currentView
  }
  /// The view for reading objects, primary keys and unique values. Other indexes may lack the entries
  /// of new objects.
  var objectView: ReadView {
    if isUnsettled { finishChange() }
    return currentView
  }
  /// The same, without the changes of an object that are not yet written.
  private(set) var currentView: ReadView {
    didSet {
      viewNumber &+= 1
      sharedReader = nil
    }
  }
  /// It changes with the transaction that is seen: cursors of one are of no use in another.
  package private(set) var viewNumber = 0
  /// The table of an object that has changes which are not yet written, or nil.
  // Safe: the session keeps its tables for as long as it lives.
  @safe @exclusivity(unchecked) private var unsafeChanging: Unmanaged<ClassTable>?
  /// The tables with entries of new objects that are not yet in indexes: see ``PendingEntries``.
  private var tablesWithEntries: [ClassTable] = []
  /// Whether anything is not yet written: see ``settle()``.
  private var isUnsettled = false
  private var writeView: WriteView?
  private var tables: [ClassTable] = [] { didSet { catalogNumber &+= 1 } }
  /// It changes with the tables, when another catalog is shown.
  private(set) var catalogNumber = 0
  /// Tables of before a change of the catalog: objects read then name them.
  private var retired: [ClassTable] = []
  private var tablesByName: [String: ClassTable] = [:]
  private var tableEpoch: UInt64 = 0
  /// Whether a commit checks that the embedded objects it adds belong to others; who adds
  /// them in any order checks that at the end.
  package var checksOwners = true
  /// What knows the Swift types of classes, of which the engine knows nothing.
  package var modelTypes: AnyObject?
  /// Whether the session only reads, for another session that has opened its file.
  package var isForReading = false
  /// What tells `Observation` of what is read, or nil if the store does not track. It is set before
  /// anything is read.
  package var readTracker: ReadTracker?
  /// What finds the store that the session is of, of which the engine knows nothing.
  package var origin: AnyObject?
  /// The file as identities of objects name it.
  private(set) lazy var fileNumber = FileNumber(of: loaded.header.uuid, at: file.path)
  let keptIdentities: KeptIdentities
  /// What of a migration the session shows, or nil.
  let side: MigrationSide?
  /// Whether the session shows objects of a migration.
  package var isOfMigration: Bool { side != nil }

  /// - Parameter declaration: what the app declares, or nil to take the file as it is.
  /// - Throws: ``StoreError``; with `schemaChangedElsewhere` when the file has been changed since
  ///   it was opened, to a schema that the app cannot use.
  package init(_ file: StoreFile, for declaration: Declaration? = nil) throws {
    self.file = file
    self.declaration = declaration
    keptIdentities = file.keptIdentities
    side = nil
    do {
      let taken = try ReadTransaction(file.environment)
      currentView = taken.view
      snapshot = consume taken
      let found = try file.catalog(in: currentView)
      (loaded, shown) = (found, found)
      if let declaration, file.isReadOnly {
        initialGaps = Set(
          found.gaps(to: declaration).filter { $0.tolerance == .readingWithoutCode }.map(\.change))
      }
      holder = file.hold(as: .store)
      try show(found)
      try resolveTables()
    } catch {
      throw file.explain(error)
    }
  }

  /// Makes a session that shows a shared snapshot for good. It cannot be refreshed or written.
  init(_ frozen: FrozenSnapshot, _ content: FrozenSnapshot.Content, _ reader: SharedSnapshot.Reader)
    throws
  {
    file = content.file
    keptIdentities = file.keptIdentities
    declaration = content.declaration
    side = nil
    snapshot = nil
    (loaded, shown) = (content.loaded, content.shown)
    currentView = reader.view
    sharedReader = reader
    modelTypes = content.declaration?.modelTypes
    conversions = loaded.catalog.isInTransition ? content.makeConversions(clock) : nil
    fileNumber = content.fileNumber
    latestFrozen = frozen
    tables = try shown.classes.map { try ClassTable($0, in: self, handles: content.handles) }
    tablesByName = Dictionary(
      tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Makes the session of the old or new objects of a migration or a rule. It has no snapshot of its
  /// own: it shows what its host shows it, until it is ended.
  init(_ side: MigrationSide, of file: StoreFile, _ loaded: LoadedCatalog, _ view: ReadView) {
    self.file = file
    keptIdentities = file.keptIdentities
    (self.loaded, shown) = (loaded, loaded)
    declaration = nil
    self.side = side
    snapshot = nil
    currentView = view
    isWriting = side.isNew
  }
}

// MARK: - Migrations

extension Session {
  /// Shows another snapshot of a migration.
  func follow(_ view: ReadView) {
    epoch &+= 1
    currentView = view
  }

  /// Takes up a class as the migration shows it now.
  func adopt(_ table: ClassTable) {
    if let before = tablesByName[table.name] {
      retired.append(before)
      tables.removeAll { $0 === before }
    }
    tables.append(table)
    tablesByName[table.name] = table
    epoch &+= 1
  }

  /// Ends the session with its migration.
  func end() {
    epoch &+= 1
    isClosed = true
    isWriting = false
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
      throw StoreError.unknownClass(class: name, known: shown.classes.map(\.name))
    }
    return table
  }

  /// Takes a catalog of the file for that of the session.
  ///
  /// - Throws: ``StoreError`` with `schemaChangedElsewhere` when the app cannot use it.
  private func show(_ catalog: LoadedCatalog) throws {
    try requireUsable(catalog)
    let rules = declaration?.rules ?? RuleBook([])
    if let declaration {
      try rules.requireRules(for: catalog.catalog, of: declaration.schema, path: file.path)
    }
    conversions =
      catalog.catalog.isInTransition ? Conversions(file, catalog, rules, clock: clock) : nil
    loaded = catalog
    shown = declaration.map(catalog.shown) ?? catalog
  }

  /// Throws when a schema to which the file has been brought is one that the app cannot use.
  private func requireUsable(_ catalog: LoadedCatalog) throws {
    guard let declaration else { return }
    let isUsable = catalog.gaps(to: declaration).allSatisfy { gap in
      switch gap.tolerance {
      case .always: true
      case .reading: file.isReadOnly
      case .readingWithoutCode: initialGaps.contains(gap.change)
      case .never: false
      }
    }
    if isUsable { return }
    let known = catalog.catalog.classes.map(\.schema).filter {
      declaration.schema[$0.name] != nil
    }
    throw StoreError.schemaChangedElsewhere(
      path: file.path,
      changes: SchemaDifference(from: declaration.schema, to: StoreSchema(classes: known)).changes)
  }

  /// Opens the tables of the catalog and takes a snapshot that sees them.
  private func resolveTables() throws {
    let names = loaded.catalog.classes.flatMap(\.tableNames)
    tableEpoch = try file.environment.tableEpoch
    let found = try file.environment.openTables(names)
    // LMDB: a snapshot does not see tables opened after it was taken.
    try takeSnapshot()
    let header = try file.header(in: view)
    if header != loaded.header {
      try show(file.catalog(in: view))
      return try resolveTables()
    }
    retired += tables
    tables = try shown.classes.map { try ClassTable($0, in: self, handles: found) }
    tablesByName = Dictionary(
      tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    epoch &+= 1
  }

  /// Follows a change of the catalog, by this process or another.
  private func followCatalog() throws {
    let header = try file.header(in: view)
    let epoch = try file.environment.tableEpoch
    guard header != loaded.header || tableEpoch != epoch else { return }
    try show(file.catalog(in: view))
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
      claim()
      defer { release() }
      try requireKnownSchema()
      try renewSnapshot()
      try followCatalog()
    } catch {
      throw endingObservations(error)
    }
    followChanges()
    try throwDeferredError()
    return view.transactionID != before
  }

  /// Throws when the schema of the last commit is not one that can be followed:
  /// before the snapshot is given up, which then stays as it is.
  private func requireKnownSchema() throws {
    guard declaration != nil,
      try file.environment.information().lastTransaction != view.transactionID
    else { return }
    let latest = try ReadTransaction(file.environment)
    let header = try file.header(in: latest.view)
    if header != loaded.header { try requireUsable(file.catalog(in: latest.view)) }
    _ = consume latest
  }

  func renewSnapshot() throws {
    epoch &+= 1
    do {
      try takeSnapshot()
    } catch {
      // The view may be that of a write that is over. LMDB: after a commit that failed half way it
      // gives no snapshots.
      currentView = .closed
      throw error
    }
  }

  private func takeSnapshot() throws {
    keepBase()
    if snapshot == nil, base != nil || isForReading {
      snapshot = try spare.take() ?? ReadTransaction(file.environment)
    }
    try snapshot?.renew()
    if let view = snapshot?.view {
      currentView = view
      holder?.note(view.transactionID)
    }
  }

  /// Returns the objects that the session shows, for other threads. Its snapshot is shared with
  /// them, and it takes one of its own with the next refresh or write: LMDB gives out snapshots of
  /// the newest commit only. What was read stays valid.
  package func frozen() throws -> FrozenSnapshot {
    try requireOpen()
    if isWriting || isOfMigration { throw StoreError.inWrite(verb: "freeze objects") }
    if let latestFrozen, latestFrozen.shows(view.transactionID, loaded) { return latestFrozen }
    do {
      let shared = try file.sharedSnapshot(of: view.transactionID) { try snapshotToShare() }
      let frozen = try FrozenSnapshot(
        shared, FrozenSnapshot.Content(of: self, declaration, handles: handles()),
        holder?.copy(as: .frozen))
      latestFrozen = frozen
      return frozen
    } catch {
      throw file.explain(error)
    }
  }

  private func snapshotToShare() throws -> SharedSnapshot {
    var next = try ReadTransaction(file.environment)
    next.reset()
    guard snapshot?.isActive == true, let shown = snapshot.take() else {
      throw LMDBError(code: .closed, function: "mdb_txn_begin")
    }
    snapshot = consume next
    do {
      let shared = try SharedSnapshot(shown)
      let reader = try shared.makeReader()
      currentView = reader.view
      sharedReader = reader
      return shared
    } catch {
      // What was shown is gone. The next refresh shows the last commit.
      epoch &+= 1
      currentView = .closed
      throw error
    }
  }

  private func handles() throws -> [String: Table] {
    try file.environment.openTables(loaded.catalog.classes.flatMap(\.tableNames))
  }

  /// Lets go of the snapshot before a write: it would pin the pages that the write frees, and the map
  /// cannot grow while it is alive.
  private func letGoOfSnapshot() {
    keepBase()
    snapshot?.reset()
  }

  /// Sets the snapshot aside if observers have yet to see what changes after it.
  private func keepBase() {
    guard hasObservers, base == nil, baseReader == nil else { return }
    if let sharedReader {
      baseReader = sharedReader
    } else if snapshot?.isActive == true {
      base = snapshot.take()
    }
  }

  /// What observers have followed.
  private var baseView: ReadView? { base?.view ?? baseReader?.view }

  /// Lets go of the snapshot that observers have followed.
  private func dropBase() {
    base?.reset()
    if base != nil { spare = base.take() }
    baseReader = nil
  }

  /// Lets go of the snapshot until the next refresh. Nothing is pinned, and nothing can be read.
  package func pauseReading() {
    requireThread()
    guard !isClosed, !isWriting else { return }
    epoch &+= 1
    snapshot?.end()
    snapshot = nil
    currentView = .closed
  }

  /// Lets go of the snapshot: nothing can be read any more.
  package func endReading() {
    requireThread()
    guard !isClosed, !isWriting else { return }
    epoch &+= 1
    isClosed = true
    snapshot?.end()
    base?.end()
    baseReader = nil
    spare?.end()
    holder = nil
    currentView = .closed
    deferredError = nil
    knownObservers?.end(with: closedError)
  }

  /// Lets go of the file. Objects read before can no longer be used.
  ///
  /// Inside of a write nothing happens: who lets apps close says that to them.
  package func close() {
    guard !isWriting else { return }
    leaveQueue()
    endReading()
    if !isForReading { file.close() }
  }

  package func requireOpen() throws {
    requireThread()
    if isClosed { throw closedError }
  }

  /// Keeps an error in mind, for the next call that can throw.
  package func note(_ error: any Error) {
    if let side {
      side.host.note(error)
    } else if deferredError == nil {
      deferredError = file.explain(error)
    }
  }

  /// Runs `body`, and throws too what is noted meanwhile. It stays noted: a write that
  /// this belongs to is not whole, and fails.
  package func throwingDeferred<Result>(_ body: () throws -> Result) throws -> Result {
    let before: (any Error)? = side?.host.problem ?? deferredError
    let result = try body()
    if before == nil, let problem = side?.host.problem ?? deferredError { throw problem }
    return result
  }

  /// Returns the error that was noted, and forgets it.
  package func takeDeferredError() -> (any Error)? { deferredError.take() }

  private func throwDeferredError() throws {
    guard let error = deferredError else { return }
    deferredError = nil
    throw error
  }
}

// MARK: - Observers

extension Session {
  /// What follows changes for the observers of the store.
  package var observers: StoreObservers {
    if let knownObservers { return knownObservers }
    let observers = StoreObservers(self)
    knownObservers = observers
    return observers
  }

  private var hasObservers: Bool { knownObservers?.isEmpty == false }

  /// Returns why the store cannot move on. If the app cannot use the schema of the file any longer,
  /// no change can be followed: the observers are told of it, and of nothing else.
  private func endingObservations(_ error: any Error) -> any Error {
    let reason = file.explain(error)
    let code = (reason as? StoreError)?.code
    if hasObservers, code == .schemaChangedElsewhere || code == .storeMoved {
      observers.end(with: reason)
    }
    return reason
  }

  /// Tells observers what has changed since they were told last, unless nobody observes.
  func followChanges() {
    guard let observers = knownObservers, !observers.isEmpty else { return dropBase() }
    observers.follow(since: baseView)
    dropBase()
    observers.deliver()
  }
}

// MARK: - Writing

extension Session {
  /// Runs `body` in the write transaction of the file, and commits, or rolls back
  /// when it throws.
  package func write<Result>(_ body: () throws -> Result) throws -> Result {
    try begin()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      throw rollBack(error)
    }
  }

  /// Does the same, without telling some observers of what is written.
  package func write<Result>(
    skipping observers: [ObserverState], _ body: () throws -> Result
  ) throws -> Result {
    self.observers.skipped = observers
    defer { self.observers.skipped = [] }
    return try write(body)
  }

  /// Begins a write that lasts until ``commitWrite()`` or ``cancelWrite()``, on this thread.
  package func beginWrite() throws {
    try begin()
    isManualWrite = true
  }

  /// Commits what ``beginWrite()`` has begun. The write is over either way.
  package func commitWrite() throws {
    try requireManualWrite("commit the write")
    isManualWrite = false
    do { try commit() } catch { throw rollBack(error) }
  }

  /// Undoes what was written since ``beginWrite()``.
  package func cancelWrite() throws {
    try requireManualWrite("cancel the write")
    isManualWrite = false
    // What went wrong in the write is undone with it.
    deferredError = nil
    do { try end { $0.abort() } } catch { throw file.explain(error) }
  }

  /// Cancels the write that ``beginWrite()`` has begun, if there is one: its store goes away.
  package func cancelAbandonedWrite() {
    guard isManualWrite else { return }
    do {
      try cancelWrite()
    } catch {
      // LMDB: the writers' lock belongs to a thread; all other writers would wait for ever.
      stopProgram("\(error)")
    }
  }

  private func requireManualWrite(_ verb: String) throws {
    if isManualWrite, writingThread != Environment.currentThread {
      throw StoreError.writeOfOtherThread(verb: verb)
    }
    try requireOpen()
    guard isWriting else { throw StoreError.noWriteToEnd(verb: verb) }
    guard isManualWrite else { throw StoreError.endsWithItsClosure(verb: verb) }
  }

  private func commit() throws {
    settle()
    try throwDeferredError()
    for table in tables { try table.willCommit() }
    try putTransitionNotes()
    try end { writing throws(LMDBError) in try writing.commit() }
  }

  /// Undoes a write that has failed, if it is not over, and returns why it failed.
  private func rollBack(_ error: any Error) -> any Error {
    let reason = file.explain(error)
    if isWriting {
      do { try end { $0.abort() } } catch { note(error) }
    }
    // A group has to end first.
    if group == nil { growIfFull(reason, patience: .seconds(5)) }
    return reason
  }

  /// How often a write lets others write first, so that observers are told of their commits before
  /// its own.
  private static let attemptsToFollow = 8

  /// Whether others have committed since the state that the observers have followed.
  private func hasUnfollowedCommits(before transactionID: Int) -> Bool {
    guard hasObservers, let known = baseView?.transactionID else { return false }
    return transactionID != known + 1
  }

  /// The space to have before a write, in bytes.
  static let reserve = 64 << 20

  private func begin() throws {
    try requireOpen()
    if isWriting { throw StoreError.nestedWrite() }
    if file.isReadOnly { throw StoreError.readOnlyStore(verb: "write") }
    if isForReading { throw StoreError.writeInValues() }
    // Observers may write, and would wait for the group in which this write is.
    if group == nil { knownObservers?.deliver() }
    do { try requireKnownSchema() } catch { throw endingObservations(error) }
    claim()
    do {
      try file.requireSoundPagesBeforeWriting()
      letGoOfSnapshot()
      epoch &+= 1
      let environment = try file.environment
      if group == nil {
        if baseView != nil, try environment.isShort(of: Self.reserve) { dropBase() }
        try environment.ensureRoom(Self.reserve)
      }
      try file.checkSnapshots()
      var attempts = group == nil ? Self.attemptsToFollow : 0
      while true {
        let transaction = try group?.nested() ?? WriteTransaction(environment)
        currentView = transaction.view.reading
        let header = try file.header(in: view)
        if hasUnfollowedCommits(before: view.transactionID), attempts > 0 {
          attempts -= 1
        } else if header == loaded.header, tableEpoch == environment.tableEpoch {
          try MigrationMark.requireNone(in: transaction.view, of: file)
          writeView = transaction.view
          writingThread = transaction.thread
          writing = consume transaction
          break
        }
        // Tables are never opened inside of a write: see Environment.
        transaction.abort()
        try renewSnapshot()
        try followCatalog()
        if group != nil { throw WriteGroup.Outdated() }
        if hasObservers {
          // They may write.
          release()
          followChanges()
          claim()
        }
        letGoOfSnapshot()
      }
      isWriting = true
      transitionNotes = TransitionNotes()
      for table in tables { table.didBeginWriting() }
    } catch {
      let reason = file.explain(error)
      do { try renewSnapshot() } catch { note(error) }
      release()
      throw reason
    }
  }

  /// Adds to the file what the write has found of objects that it converted.
  private func putTransitionNotes() throws {
    guard transitionNotes.count > 0, let writeView,
      var state = try TransitionState(in: writeView.reading)
    else { return }
    state.add(transitionNotes)
    try state.put(in: writeView)
  }

  private func end(_ finish: (consuming WriteTransaction) throws -> Void) throws {
    requireThread()
    unsafeChanging = nil
    tablesWithEntries.removeAll()
    isUnsettled = false
    for table in tables { table.willEndWriting() }
    isWriting = false
    writeView = nil
    epoch &+= 1
    var failure: (any Error)?
    do {
      if let transaction = writing.take() { try finish(transaction) }
    } catch {
      failure = error
    }
    // The write is over either way; what is committed is committed.
    do { try renewSnapshot() } catch { note(error) }
    release()
    // What a group commits is told when it has ended.
    if group == nil { followChanges() }
    readTracker?.didEndWrite()
    if let failure { throw failure }
  }

  /// Enlarges the map after a write that did not fit, so that the next one does.
  func growIfFull(_ error: any Error, patience: Duration) {
    guard (error as? StoreError)?.code == .mapFull else { return }
    snapshot?.reset()
    dropBase()
    do {
      let environment = try file.environment
      try environment.grow(to: environment.information().mapSize * 2, patience: patience)
    } catch {
      // The next write says it again.
    }
    do { try renewSnapshot() } catch { note(error) }
  }

  /// Returns the view for writing. Changes and index entries that were kept back are written first.
  package func requireWriting(_ verb: String) throws -> WriteView {
    let view = try requireAdding(verb)
    settle()
    return view
  }

  /// Returns the view for adding an object. Indexes may lack the entries of objects added before.
  package func requireAdding(_ verb: String) throws -> WriteView {
    requireThread()
    guard let writeView else {
      try requireOpen()
      if let side, side.isNew { return try side.host.writeView() }
      throw StoreError.notInWrite(verb: verb)
    }
    finishChange()
    return writeView
  }

  /// Says that an object of a table has changes which are not yet written.
  func didChange(in table: ClassTable) {
    unsafe unsafeChanging = .passUnretained(table)
    isUnsettled = true
    didWrite()
  }

  /// Says that a table has entries of new objects that are not yet in indexes.
  func didKeepEntries(in table: ClassTable) {
    tablesWithEntries.append(table)
    isUnsettled = true
  }

  /// Writes what is not yet written: the changes of an object, and entries of indexes. If that fails,
  /// so does the write that they belong to.
  private func settle() {
    guard isUnsettled else { return }
    finishChange()
    isUnsettled = false
    guard !tablesWithEntries.isEmpty, let writeView else { return }
    let tables = tablesWithEntries
    tablesWithEntries.removeAll(keepingCapacity: true)
    do {
      for table in tables { try table.putEntries(in: writeView) }
    } catch {
      note(error)
    }
    didWrite()
  }

  /// Writes the changes of an object that are not yet written. If that fails, so does the write
  /// that they belong to.
  package func finishChange() {
    guard let table = unsafeChanging else { return }
    unsafeChanging = nil
    do {
      try unsafe table._withUnsafeGuaranteedRef { try $0.finishChange() }
    } catch {
      note(error)
    }
  }

  /// Invalidates the bytes that were read before.
  func didWrite() { epoch &+= 1 }
}
