internal import Foundation
internal import Synchronization
package import WhimbrelLMDB

/// A store's file, open in this process until it is closed.
package final class StoreFile: Sendable {
  package let path: String
  package let isReadOnly: Bool
  /// Whether reads are verified: see ``OpenRequest/verifiesReads``.
  let verifiesReads: Bool
  /// The identity of the file, which stays the same when the file is moved.
  let identity: FileIdentity
  let snapshotLimits: SnapshotLimits
  private let lease: Mutex<EnvironmentLease?>
  private let shared: Shared
  /// The driver that converts the objects of the file while this object has it open, or nil.
  private let conversion = Mutex<TransitionDriver?>(nil)
  /// The fresh start that led to this file, if the migration of its predecessor failed.
  package let freshStart: FreshStart?
  /// The subscribers that hear when the file is closed.
  package let closing = Subscribers<Void>()
  /// An object to release when the file is closed, for example the folder of an in-memory store.
  private let belongings: Mutex<(any AnyObject & Sendable)?>

  /// The open LMDB environment.
  ///
  /// - Throws: ``LMDBError`` with `closed`.
  package var environment: Environment {
    get throws(LMDBError) {
      guard let environment = openEnvironment else {
        throw LMDBError(code: .closed, function: "mdb_env_open")
      }
      return environment
    }
  }

  private var openEnvironment: Environment? { lease.withLock { $0?.environment } }

  /// The identities that objects had before they were added.
  var keptIdentities: KeptIdentities { shared.keptIdentities }

  /// The asynchronous writes of the file.
  var writeQueue: WriteQueue { shared.writeQueue }

  /// The snapshots that the log has already named.
  var snapshotLog: SnapshotLog { shared.snapshotLog }
  /// The snapshots that this process holds.
  var heldSnapshots: HeldSnapshots { shared.heldSnapshots }
  /// The snapshots that threads of this process share.
  var sharedSnapshots: SharedSnapshots { shared.sharedSnapshots }

  init(
    path: String, isReadOnly: Bool, verifiesReads: Bool = true, lease: EnvironmentLease,
    freshStart: FreshStart? = nil,
    belongings: (any AnyObject & Sendable)? = nil,
    snapshotLimits: SnapshotLimits = SnapshotLimits()
  ) {
    self.snapshotLimits = snapshotLimits
    self.path = path
    self.isReadOnly = isReadOnly
    self.verifiesReads = verifiesReads
    identity = lease.identity
    self.lease = Mutex(lease)
    self.freshStart = freshStart
    self.belongings = Mutex(belongings)
    shared = lease.environment.companion { Shared() }
    _ = Self.logsPolling
  }

  /// Creates a copy of an open file, with a fresh start. It keeps the file open by itself.
  init(_ file: StoreFile, after freshStart: FreshStart?) throws(LMDBError) {
    guard let lease = file.lease.withLock({ $0 }) else {
      throw LMDBError(code: .closed, function: "mdb_env_open")
    }
    path = file.path
    isReadOnly = file.isReadOnly
    verifiesReads = file.verifiesReads
    snapshotLimits = file.snapshotLimits
    identity = file.identity
    self.lease = Mutex(lease)
    shared = file.shared
    self.freshStart = freshStart
    belongings = Mutex(file.belongings.withLock { $0 })
  }

  /// Releases the file. LMDB closes it when no other store of this process has it open and no
  /// snapshot of it is held.
  package func close() {
    endConversion(waiting: .seconds(5))
    let lease = lease.withLock { $0.take() }
    // Outside the lock, because the release may close the file.
    _ = consume lease
    let belongings = belongings.withLock { $0.take() }
    _ = consume belongings
    closing.send(())
  }

  deinit { endConversion(waiting: .milliseconds(100)) }

  /// Whether the path still leads to the file that was opened.
  package var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Returns whether another object represents the same file, opened while this one is or was open.
  package func isSame(as other: StoreFile?) -> Bool { shared === other?.shared }

  /// The state that all stores of one file in this process share.
  private final class Shared: Sendable {
    let catalog = Mutex<LoadedCatalog?>(nil)
    /// The next object IDs, by the numbers of the classes.
    let nextObjectIDs = Mutex<[Int: UInt64]>([:])
    let keptIdentities = KeptIdentities()
    let snapshotLog = SnapshotLog()
    let heldSnapshots = HeldSnapshots()
    let sharedSnapshots = SharedSnapshots()
    /// The driver that converts the objects of a file in transition, or nil.
    let driver = Mutex<TransitionDriver?>(nil)
    /// The thread that is migrating the file, or 0.
    let migrator = Atomic<UInt>(0)
    /// Whether this process has checked every page before a write.
    let hasSoundPages = Atomic<Bool>(false)
    /// The lock that the thread which checks the pages holds. Others wait for it, and do not check
    /// them again.
    let pageCheck = Mutex(())
    let writeQueue = WriteQueue()

    deinit { writeQueue.close() }
  }

  /// Whether this process has checked every page before a write, or each write checks its pages.
  var hasSoundPages: Bool { shared.hasSoundPages.load(ordering: .relaxed) }

  /// The size above which a file is not checked as a whole before the first write.
  static let greatestCheckedSize = 256 << 20

  /// Ensures that LMDB does not use a damaged page. LMDB trusts the pages that it changes, and ends
  /// the process if they are damaged. The caller holds a snapshot.
  ///
  /// Before the first write of this process, every page of a file of up to 256 MiB is checked. This
  /// takes about 60 ms once the pages are in memory. Of a larger file, the list of free pages is
  /// checked, and then each write checks the pages that LMDB is about to use.
  ///
  /// - Throws: ``StoreError`` with `damaged` or `truncated`.
  func requireSoundPagesBeforeWriting(upTo greatestSize: Int = greatestCheckedSize) throws {
    if hasSoundPages { return }
    try shared.pageCheck.withLock { _ in
      if hasSoundPages { return }
      let size = try environment.information()
      do {
        if size.lastPage * size.pageSize <= greatestSize {
          try FilePreflight.checkPages(path)
        } else {
          try FilePreflight.inspect(path) { try $0.checkFreeList() }
          try environment.verifiesWritePaths = true
        }
      } catch let error as StoreError where error.code != .damaged && error.code != .truncated {
        // The name may not exist any more, or belong to another file: the write reports that itself.
        return
      }
      didCheckPages()
    }
  }

  /// Notes that every page was checked, so that the first write need not check them.
  func didCheckPages() { shared.hasSoundPages.store(true, ordering: .relaxed) }

  /// Runs `body` while this thread holds the migration lock. Waits for another migration up to the
  /// request's timeout.
  ///
  /// - Throws: ``StoreError`` with `migrationInProgress` if this thread is already migrating the
  ///   file and would wait for itself, or if the timeout expires; `migrationCancelled` if the wait
  ///   is cancelled.
  func asMigrator(for request: OpenRequest, _ body: () throws -> Void) throws {
    let thread = Environment.currentThread
    if isMigrating(onThread: thread) { throw StoreError.migratingAlready(path: path) }
    // Nobody can take the lock of a file that is gone.
    try requireInPlace()
    try takeMigrationLock(for: request).whileHeld {
      try requireInPlace()
      // The process that had the lock may have been killed in its last commit.
      try environment.adoptLastCommit()
      shared.migrator.store(thread, ordering: .relaxed)
      defer { shared.migrator.store(0, ordering: .relaxed) }
      try body()
    }
  }

  /// Returns whether a thread of this process is migrating the file.
  func isMigrating(onThread thread: UInt) -> Bool {
    shared.migrator.load(ordering: .relaxed) == thread
  }

  /// Throws if the path now leads to another file, because ``FreshStart`` moves files.
  func requireInPlace() throws {
    guard FileIdentity(path: path) == identity else { throw StoreError.storeMoved(path: path) }
  }

  /// Returns the catalog that a transaction sees. A process parses each revision once.
  package func catalog(in view: ReadView) throws -> LoadedCatalog {
    let header = try header(in: view)
    let cached = shared.catalog.withLock { $0 }
    if let cached, cached.header == header { return cached }
    let loaded = try catalog(view.value(.main, MainKey.catalog), header)
    shared.catalog.withLock { cached in
      if header.catalogRevision >= cached?.header.catalogRevision ?? 0 { cached = loaded }
    }
    return loaded
  }

  /// Returns the catalog that bytes of the file describe.
  func catalog(_ json: PageBytes?, _ header: Header) throws -> LoadedCatalog {
    guard let json else { throw StoreError.damaged(path: path, detail: "it has no catalog") }
    guard Header.checksum(ofCatalog: json) == header.catalogChecksum else {
      throw StoreError.damaged(path: path, detail: "its catalog has a wrong checksum")
    }
    do {
      return try RecentCatalogs.shared.catalog(of: header) {
        LoadedCatalog(try Catalog(json: json.data), header)
      }
    } catch {
      throw StoreError.damaged(path: path, detail: "its catalog cannot be read (\(error))")
    }
  }

  /// Caches the catalog of a header that has just been written, so that it is not parsed again.
  func adopt(_ catalog: Catalog, _ header: Header) {
    let loaded = LoadedCatalog(catalog, header)
    shared.catalog.withLock { $0 = loaded }
  }

  /// Returns the header that a transaction sees.
  package func header(in view: ReadView) throws -> Header {
    guard let bytes = try view.value(.main, MainKey.header) else {
      throw Header.Problem.notAStore.explained(path)
    }
    return try Self.header(bytes, path)
  }

  static func header(_ bytes: PageBytes, _ path: String) throws -> Header {
    do throws(Header.Problem) {
      return try Header(bytes)
    } catch {
      throw error.explained(path)
    }
  }

  /// Returns the catalog of the last commit.
  func currentCatalog() throws -> LoadedCatalog {
    let transaction = try ReadTransaction(environment)
    return try catalog(in: transaction.view)
  }

  /// Returns the header of the last commit.
  func currentHeader() throws -> Header {
    let transaction = try ReadTransaction(environment)
    return try header(in: transaction.view)
  }

  /// Takes the next object ID of a class. IDs taken in a transaction that is rolled back are not
  /// reused, because a Swift object may still hold one.
  func takeObjectID(_ id: ClassID, atLeast stored: UInt64) -> UInt64 {
    shared.nextObjectIDs.withLock { next in
      let number = Int(id.rawValue)
      let taken = max(next[number] ?? 1, stored)
      next[number] = taken &+ 1
      return taken
    }
  }
}

// MARK: - Transitions

extension StoreFile {
  /// The driver that converts the objects of the file, or nil if there are none to convert.
  package var transitionDriver: TransitionDriver? { conversion.withLock { $0 } }

  /// Converts the objects that have a past shape, on a thread that all stores of the file in this
  /// process share if they declare the same classes and rules.
  func beginConversion(_ request: OpenRequest, _ declaration: Declaration) throws {
    let transaction = try ReadTransaction(environment)
    let loaded = try catalog(in: transaction.view)
    guard loaded.catalog.isInTransition(for: declaration.schema) else { return }
    try declaration.rules.requireRules(for: loaded.catalog, of: declaration.schema, path: path)
    let progress = TransitionProgress(
      try TransitionState(in: transaction.view),
      request.transition?.startsPaused == true ? .paused : .converting,
      in: loaded, for: declaration.schema)
    _ = consume transaction
    let driver = try shared.driver.withLock { known throws in
      if let known, known.join(declaration) { return known }
      let made = TransitionDriver(request, declaration, progress)
      _ = made.join(declaration)
      try made.start()
      known = made
      return made
    }
    conversion.withLock { $0 = driver }
  }

  /// Stops converting objects, unless other stores of the file continue.
  ///
  /// - Parameter patience: The time to wait for the thread to release the file. A thread that is in
  ///   a write does not wait: the conversion may wait for that write.
  private func endConversion(waiting patience: Duration) {
    guard let driver = conversion.withLock({ $0.take() }) else { return }
    let isInWrite = openEnvironment?.isWritingOnThisThread == true
    driver.leave(waiting: isInWrite ? .zero : patience)
  }
}

extension Header.Problem {
  /// Returns the error to show for a file with the problem.
  func explained(_ path: String) -> StoreError {
    switch self {
    case .tooNew(let found):
      StoreError.formatTooNew(path: path, found: found, supported: Int(Header.transitionFormat))
    case .damaged: StoreError.damaged(path: path, detail: "its header has a wrong checksum")
    case .notAStore:
      StoreError.notAStore(path: path, detail: "it is an LMDB file of another program")
    }
  }
}

extension StoreFile {
  /// Returns the error to show for an error of LMDB or of a record in this file.
  package func explain(_ error: any Error) -> any Error {
    switch error {
    case let error as LMDBError:
      StoreError.describing(error, path: path, environment: openEnvironment)
    case let error as DamagedRecord: StoreError.damaged(path: path, detail: error.detail)
    default: error
    }
  }

  /// Runs `body`, and turns errors of reading into errors that name the file.
  package func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw explain(error) }
  }
}
