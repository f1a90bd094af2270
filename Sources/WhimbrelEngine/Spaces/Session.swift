package import WhimbrelLMDB

/// A view of a store's objects, for one thread at a time. A `Store` and the inspector are built on
/// it.
///
/// Outside a write, it shows the snapshot of the last refresh or write. Inside a write, it shows
/// the write transaction.
///
/// Invariants:
/// 1. `view` belongs to `openWrite` if there is one, and otherwise to what the session shows.
/// 2. Bytes read are valid for one value of `epoch`.
/// 3. If `catalog` has a `tableEpoch`, its tables are those of its `shown`, and `shown` is made from
///    its `loaded`.
// Safe: transactions and their views are used by one call after the other, on one thread.
@safe
package final class Session {
  package let file: StoreFile
  // Safe: no other code runs while it is changed.
  @safe @exclusivity(unchecked) private var catalog: SessionCatalog
  /// The app's declaration, or nil if it takes the file as it is.
  let declaration: Declaration?
  /// The changes that the file lacked when the session began and that the app tolerates.
  private var initialGaps: Set<SchemaChange> = []
  /// A number that changes whenever bytes that were read become invalid.
  package var epoch: UInt64 {
    get {
      requireThread()
      return clock.value
    }
    set { clock.value = newValue }
  }
  let clock = Counter()
  /// The view that reads ``epoch`` without counting references. The thread that writes or refreshes
  /// claims it: see Session+Threads.swift.
  package var epochView: Counter.View { clock.view }
  /// The advancer of the epoch, which counts no references.
  var epochAdvancer: Counter.Advancer { clock.advancer }
  package internal(set) var isClosed = false
  package internal(set) var isWriting: Bool {
    get { unchecked.isWriting }
    set { unchecked.isWriting = newValue }
  }
  /// A deferred error, of a damaged record or of a property that was set. The next call that can
  /// throw rethrows it.
  var deferredError: (any Error)?
  /// A closure that returns whether the running query should stop, or nil if nothing interrupts it:
  /// see ``interrupting(when:_:)``.
  var interruption: (@Sendable () -> Bool)?
  /// The origin of the objects that a session shows.
  private enum Source {
    /// The commits of the file, in snapshots of the session's own.
    case commits(SessionSnapshots)
    /// Always the same snapshot: see ``FrozenSnapshot``.
    case snapshot(SharedSnapshot.Reader)
    /// The objects of a migration or of a rule.
    case side(MigrationSide)
  }
  private let source: Source
  /// The snapshots of a session that shows the commits of the file, otherwise nil.
  var snapshots: SessionSnapshots? {
    if case .commits(let snapshots) = source { snapshots } else { nil }
  }
  /// The side of a migration or rule that the session shows, or nil.
  var side: MigrationSide? {
    if case .side(let side) = source { side } else { nil }
  }
  /// Whether the session shows objects of a migration.
  package var isOfMigration: Bool { side != nil }
  /// The classes with cached results: see Session+Watching.swift.
  var watchedClasses = WatchedClasses()
  /// The observers of the store, or nil if it never had any: see ``observers``.
  var knownObservers: StoreObservers?
  /// The step to a newer commit that the observers began last, or nil if nothing uses it any more.
  weak var latestStep: CommitStep?
  /// The write that is not over, or nil.
  // Safe: no other code runs while it is changed.
  @safe @exclusivity(unchecked) var openWrite: SessionWrite?
  /// The objects that were frozen last.
  weak var latestFrozen: FrozenSnapshot?
  /// The group that the next write is a part of, or nil for a write of its own.
  var group: WriteGroup?
  /// The writes that wait in the queue of the file.
  var queuedWrites: [QueuedWrite] = []
  /// The view for reading everything, with all changes so far.
  package var view: ReadView {
    if !unwritten.isEmpty { settle() }
    return currentView
  }
  /// The view for reading objects, primary keys and unique values. Other indexes may lack the
  /// entries of new objects.
  var objectView: ReadView {
    finishChange()
    return currentView
  }
  /// The view for reading, without the changes of an object that are not yet written.
  var currentView: ReadView {
    didSet { viewNumber &+= 1 }
  }
  /// A number that changes with the transaction of the view. Cursors of one transaction are not
  /// valid in another.
  package private(set) var viewNumber: Int {
    get { unchecked.viewNumber }
    set { unchecked.viewNumber = newValue }
  }
  /// The properties that are read for each object. They are published as computed properties,
  /// because other modules would inline a stored one with a check of each access.
  // Safe, here and below: a session is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) private var unchecked = (isWriting: false, viewNumber: 0)
  /// The changes that are not yet written: see ``settle()``.
  // Safe: the session keeps its tables for as long as it lives, and no other code runs while the
  // changes are changed.
  @safe @exclusivity(unchecked) var unwritten = UnwrittenChanges()
  /// Whether a commit checks that the embedded objects it adds have owners. Code that adds them in
  /// any order checks this at the end.
  package var checksOwners = true
  /// Whether unique values of added objects, too, are checked when the write ends. Code that adds and
  /// changes objects in any order sets it.
  package var checksUniqueAtEnd = false
  /// An object that knows the Swift types of classes, of which the engine knows nothing.
  package var modelTypes: AnyObject?
  /// The model that was last found among `modelTypes`.
  package var listedModel: ObjectIdentifier?
  /// Whether the session only reads, for another session that has opened its file.
  package var isForReading = false
  /// The tracker of reads for `Observation`, or nil if the store does not track. It is set before
  /// anything is read.
  package var readTracker: ReadTracker? {
    didSet { unsafe unsafeTracker = readTracker.map { unsafe .passUnretained($0) } }
  }
  /// The same tracker, used without counting references.
  @safe @exclusivity(unchecked) private var unsafeTracker: Unmanaged<ReadTracker>?
  /// An object that finds the session's store, of which the engine knows nothing.
  package var origin: AnyObject?
  /// The number of the file, for identities of objects.
  private(set) lazy var fileNumber = FileNumber(of: loaded.header.uuid, at: file.path)
  let keptIdentities: KeptIdentities

  /// - Parameter declaration: The declaration of the app, or nil to take the file as it is.
  /// - Throws: ``StoreError``, with `schemaChangedElsewhere` if the file has changed since it was
  ///   opened, to a schema that the app cannot use.
  package init(_ file: StoreFile, for declaration: Declaration? = nil) throws {
    self.file = file
    self.declaration = declaration
    keptIdentities = file.keptIdentities
    do {
      let snapshots = try SessionSnapshots(file)
      source = .commits(snapshots)
      currentView = snapshots.view
      let found = try file.catalog(in: currentView)
      catalog = SessionCatalog(found, as: found)
      if let declaration, file.isReadOnly {
        initialGaps = Set(
          found.gaps(to: declaration).filter { $0.tolerance == .readingWithoutCode }.map(\.change))
      }
      try show(found)
      try resolveTables()
    } catch {
      throw file.explain(error)
    }
  }

  /// Creates a session that always shows a shared snapshot. It cannot be refreshed or written.
  ///
  /// - Parameter frozen: The snapshot that the session belongs to, or nil if nothing can be frozen
  ///   in it.
  init(
    _ frozen: FrozenSnapshot?, _ content: FrozenSnapshot.Content, _ reader: SharedSnapshot.Reader
  ) throws {
    file = content.file
    keptIdentities = file.keptIdentities
    declaration = content.declaration
    source = .snapshot(reader)
    catalog = SessionCatalog(content.loaded, as: content.shown)
    currentView = reader.view
    modelTypes = content.declaration?.modelTypes
    if loaded.catalog.isInTransition {
      catalog.show(loaded, as: shown, content.makeConversions(clock))
    }
    fileNumber = content.fileNumber
    latestFrozen = frozen
    try showTables(content.handles, openedIn: nil)
  }

  /// Creates the session of the old or new objects of a migration or a rule. It has no snapshot of
  /// its own: it shows what its host shows it, until it is ended.
  init(_ side: MigrationSide, of file: StoreFile, _ loaded: LoadedCatalog, _ view: ReadView) {
    self.file = file
    keptIdentities = file.keptIdentities
    catalog = SessionCatalog(loaded, as: loaded)
    declaration = nil
    source = .side(side)
    currentView = view
    isWriting = side.isNew
  }
}

// MARK: - Tracking of reads

extension Session {
  /// The epoch as rows keep it. It is marked in a session that tracks reads, so that no read takes the
  /// record of a row without a look at the tracker.
  package var rowEpoch: UInt64 { tracksReads ? epoch | Self.trackingMark : epoch }

  /// The bit that no epoch has.
  package static var trackingMark: UInt64 { 1 << 63 }

  /// Whether the session tracks what is read.
  package var tracksReads: Bool { unsafe unsafeTracker != nil }

  /// Records that a property of an object is read, if the session tracks that.
  @inline(__always)
  func noteRead(of id: ObjectID, _ position: Int, in table: ClassTable) {
    unsafe unsafeTracker?._withUnsafeGuaranteedRef { $0.noteRead(of: id, position, in: table) }
  }
}

// MARK: - Migrations

extension Session {
  /// Shows another snapshot of a migration.
  func follow(_ view: ReadView) {
    epoch &+= 1
    currentView = view
  }

  /// Adds the table of a class as the migration shows it now, or replaces the table of that class.
  func adopt(_ table: ClassTable) {
    catalog.adopt(table)
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
  /// The catalog of the file.
  package var loaded: LoadedCatalog { catalog.loaded }

  /// The catalog as the app sees it.
  package var shown: LoadedCatalog { catalog.shown }

  /// The converters of objects that still have a past shape, or nil if the file has none.
  var conversions: Conversions? { catalog.conversions }

  /// The epoch of the environment's tables that the session shows, or nil if it shows none.
  var tableEpoch: UInt64? { catalog.tableEpoch }

  /// A number that changes when another catalog is shown.
  var catalogNumber: Int { catalog.number }

  /// The classes, in the order of the catalog.
  package var classes: [ClassTable] { catalog.tables }

  /// Returns the table of the class with a name, or nil.
  package func find(_ name: String) -> ClassTable? { catalog.table(name) }

  /// Returns the table that now shows the objects of a table, or nil if the class has gone. Another
  /// class may have its name now, with objects that have the same IDs.
  package func current(_ table: ClassTable) -> ClassTable? {
    if table.isShown { return table }
    guard let found = find(table.name), found.resolved.id == table.resolved.id else { return nil }
    return found
  }

  /// Returns the table of the class with an ID, or nil.
  package func find(_ id: ClassID) -> ClassTable? { classes.first { $0.resolved.id == id } }

  /// Returns the table of the class with an ID.
  func table(_ id: ClassID) throws -> ClassTable {
    guard let table = find(id) else {
      throw StoreError.unknownClass(class: "\(id.rawValue)", known: classes.map(\.name))
    }
    return table
  }

  /// Returns the table of the class with a name.
  package func table(_ name: String) throws -> ClassTable {
    guard let table = catalog.table(name) else {
      throw StoreError.unknownClass(class: name, known: shown.classes.map(\.name))
    }
    return table
  }

  /// Returns the last table of a class that the session has shown and that has gone from the file,
  /// or nil. Another store may remove a class that this one does not declare.
  package func goneTable(_ name: String) -> ClassTable? { catalog.gone(name) }

  /// Makes a catalog of the file the catalog of the session.
  ///
  /// - Throws: ``StoreError`` with `schemaChangedElsewhere` if the app cannot use it.
  private func show(_ found: LoadedCatalog) throws {
    try requireUsable(found)
    let rules = declaration?.rules ?? RuleBook([])
    if let declaration {
      try rules.requireRules(for: found.catalog, of: declaration.schema, path: file.path)
    }
    // The app can use the file again.
    if (deferredError as? StoreError)?.code == .schemaChangedElsewhere { deferredError = nil }
    let conversions =
      found.catalog.isInTransition
      ? ConversionsSource(file: file, loaded: found, rules: rules).make(clock) : nil
    catalog.show(found, as: declaration.map(found.shown) ?? found, conversions)
  }

  /// Throws if the file has a new schema that the app cannot use.
  func requireUsable(_ catalog: LoadedCatalog) throws {
    guard let declaration else { return }
    let isUsable = catalog.gaps(to: declaration).allSatisfy { gap in
      switch gap.tolerance {
      case .always: true
      case .reading: file.isReadOnly
      case .readingWithoutCode: initialGaps.contains(gap.change)
      case .never: false
      }
    }
    let newNames = newNames(in: catalog, declaration)
    if isUsable, newNames.isEmpty, !isConvertedByNewerApp(catalog, declaration) { return }
    let known = catalog.catalog.classes.map(\.schema).filter {
      declaration.schema[$0.name] != nil
    }
    let difference = SchemaDifference(from: declaration.schema, to: StoreSchema(classes: known))
    throw StoreError.schemaChangedElsewhere(
      path: file.path,
      changes: newNames.sorted { $0 < $1 }.map { .classRenamed(from: $0, to: $1) }
        + difference.changes.filter { newNames[$0.className] == nil })
  }

  /// Returns the new names of the classes that the session shows and whose objects have another
  /// name in a new catalog of the file. Without them, their classes would read as empty.
  private func newNames(
    in found: LoadedCatalog, _ declaration: Declaration
  ) -> [String: String] {
    let declared = found.catalog.classRenames(to: declaration.schema)
    let names = classes.compactMap { table -> (String, String)? in
      guard declaration.schema[table.name] != nil, !table.resolved.entry.isMissing,
        let stored = found[table.resolved.id]?.name
      else { return nil }
      let name = declared[stored] ?? stored
      return name == table.name ? nil : (table.name, name)
    }
    return Dictionary(keepingFirst: names)
  }

  /// Returns whether the objects of a file are being converted by the rules of a newer version of
  /// the app. The rules of this version would not set what the newer rules set.
  private func isConvertedByNewerApp(
    _ catalog: LoadedCatalog, _ declaration: Declaration
  ) -> Bool {
    guard let version = declaration.schemaVersion, version < catalog.header.schemaVersion else {
      return false
    }
    return catalog.catalog.needsRules(for: declaration.schema)
  }

  /// Opens the tables of the catalog and takes a snapshot that sees them.
  private func resolveTables() throws {
    let names = loaded.catalog.tableNames
    let tableEpoch = try file.environment.tableEpoch
    let handles = try file.environment.openTables(names)
    // LMDB: a snapshot does not see tables opened after it was taken.
    try takeSnapshot()
    let header = try file.header(in: view)
    if header != loaded.header {
      try show(file.catalog(in: view))
      return try resolveTables()
    }
    forgetWatchedClasses()
    try showTables(handles, openedIn: tableEpoch)
    epoch &+= 1
  }

  private func showTables(_ handles: [String: Table], openedIn epoch: UInt64?) throws {
    let tables = try shown.classes.map {
      ClassTable($0, try ClassHandles($0, in: self, handles), in: self)
    }
    catalog.show(tables, openedIn: epoch)
  }

  /// Follows a change of the catalog, by this process or another.
  func followCatalog() throws {
    let header = try file.header(in: view)
    let epoch = try file.environment.tableEpoch
    guard header != loaded.header || tableEpoch != epoch else { return }
    try show(file.catalog(in: view))
    try resolveTables()
  }
}
