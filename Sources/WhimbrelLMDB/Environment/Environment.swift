internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// An open LMDB file.
///
/// A process has one environment for each file, regardless of the paths that lead to it. Closing a
/// second one would drop the locks of the first, and other processes would then overwrite pages
/// that are being read. ``open(path:options:)`` returns leases of the one environment. Releasing
/// the last lease closes it.
///
/// Invariants:
/// 1. Every live transaction holds the gate shared.
/// 2. Table handles are opened and closed under `tables`, in separate transactions.
/// 3. After `fork` only the parent may use the environment.
// Safe: LMDB locks what threads share, and the handle is closed with the last reference to it.
@safe
package final class Environment: Sendable {
  package struct Options: Hashable, Sendable {
    package var isReadOnly = false
    /// Whether a commit waits for the meta page too. If not, a power loss may undo the last
    /// transaction, but does no other harm. The commits of all leases wait as soon as one of them
    /// asks for it.
    package var syncsMetaPage = true
    /// Whether a commit waits for the disk at all. If not, nothing is durable until
    /// ``Environment/sync()``. Use this only for a file that is not relied on before that.
    package var syncsCommits = true
    /// The size limit of the file, in bytes. It reserves address space, not memory. It is halved
    /// until the system grants it. The default is also halved if many files are open.
    package var mapSize = Environment.defaultMapSize
    /// Whether to ignore locks. Use this only if no process can write the file.
    package var ignoresLocks = false

    package init() {}
  }

  #if os(Linux) || os(macOS)
    /// 1 TiB of address space.
    package static let defaultMapSize = 1 << 40
  #else
    /// 16 GiB of address space: mobile systems grant little more.
    package static let defaultMapSize = 1 << 34
  #endif

  /// The limit of open tables: two or three for a class, one for each index and each property that
  /// holds links, and as many again during a migration.
  package static let maximumTables = 4_096
  /// The limit of open snapshots, in all processes.
  package static let maximumReaders = 512
  /// The length limit of a key, in bytes.
  package static let maximumKeySize = 511

  package let path: String
  package let options: Options
  // Safe: all threads may use an environment. It closes when nothing refers to it any more.
  nonisolated(unsafe) let handle: OpaquePointer
  let gate: Gate
  #if os(Linux)
    let room = FileRoom()
  #endif
  /// The last commits of this process.
  let commits = CommitLog()
  /// The signals of commits, to which observers subscribe.
  package let commitSignals: CommitSignals
  let tables = OpenTables()
  let pool = SnapshotPool()
  let writer = WriterState()
  private let companionStorage = Mutex<(any AnyObject & Sendable)?>(nil)
  /// The files that are open, or nil if locks are ignored.
  let place: Place?
  private let processID = getpid()
  /// A flag that is set when LMDB has closed the file.
  let closing = Closing()
  private let refusesUse = Atomic<Bool>(false)
  let unlockedSnapshots = UnlockedSnapshots()
  let keptSnapshots = KeptSnapshots()

  private init(path: String, options: Options, handle: OpaquePointer, place: Place?) {
    self.path = path
    self.options = options
    self.place = place
    unsafe self.handle = unsafe handle
    let gate = Gate()
    self.gate = gate
    commitSignals = CommitSignals(
      path: path, identity: place?.file ?? FileIdentity(path: path),
      unsafe CommitReader(handle, gate))
  }

  deinit {
    // LMDB: closing unmaps the file and drops the locks of this process. In a forked child it would
    // also free the parent's reader slots.
    defer { closing.isDone = true }
    guard isOfThisProcess else { return }
    commitSignals.close()
    keptSnapshots.end()
    while let spare = unsafe pool.transactions.take() { unsafe mdb_txn_abort(spare) }
    dropClaims()
    unsafe mdb_env_close(handle)
  }

  /// A flag that says whether an environment has been closed, for openers that wait.
  final class Closing: Sendable {
    private let done = Atomic<Bool>(false)
    private let process = getpid()

    /// True in a forked child: there, nobody closes an environment of the parent.
    var isDone: Bool {
      get { done.load(ordering: .acquiring) || getpid() != process }
      set { done.store(newValue, ordering: .releasing) }
    }
  }

  /// The validity of table handles. It advances when handles are closed. Handles from an earlier
  /// epoch are not valid.
  package var tableEpoch: UInt64 { tables.epoch }

  /// Whether each write verifies the pages that LMDB is about to use: see ``WritePaths``.
  package var verifiesWritePaths: Bool {
    get { writer.verifiesPaths }
    set { writer.verifiesPaths = newValue }
  }

  /// Whether the current thread has the write transaction.
  package var isWritingOnThisThread: Bool { writer.thread == Self.currentThread }

  /// The identifier of the current thread.
  package static var currentThread: UInt {
    #if canImport(Darwin)
      return unsafe UInt(bitPattern: pthread_self())
    #else
      return UInt(pthread_self())
    #endif
  }

  /// Whether LMDB refuses every use until the file is closed and opened again, because the last
  /// step of a commit has failed.
  var isUnusable: Bool { refusesUse.load(ordering: .acquiring) }

  /// Notes that a commit has failed. The caller still holds the gate.
  func didFailToCommit() {
    commitSignals.willCommit(0)
    var transaction: OpaquePointer?
    let code = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    if code == MDB_SUCCESS { unsafe mdb_txn_abort(transaction) }
    if code == MDB_PANIC { refusesUse.store(true, ordering: .releasing) }
  }

  /// Whether this is the process that opened the environment, not a forked child.
  var isOfThisProcess: Bool { getpid() == processID }

  /// Throws in a forked child of the process that opened the environment.
  package func requireSameProcess() throws(LMDBError) {
    guard isOfThisProcess else {
      throw LMDBError(code: .usedAfterFork, function: "fork")
    }
  }
}

// MARK: - Opening

extension Environment {
  /// Opens a file without checking whether it is already open.
  ///
  /// The corresponding C function is `mdb_env_open`.
  static func openUnregistered(path: String, options: Options) throws(LMDBError) -> Environment {
    // LMDB: 1.0 refuses a file of 0.9 like a foreign lock file, and creates files of its own format.
    guard versionNumbers < (1, 0, 0) else {
      throw LMDBError(code: .otherLibrary, function: "mdb_version")
    }
    let signals = SizeSignal.block()
    defer { signals.end() }
    var size = options.mapSize == defaultMapSize ? affordableMapSize() : options.mapSize
    while true {
      do throws(LMDBError) {
        let environment = try openOnce(path: path, options: options, mapSize: size)
        if options.ignoresLocks { return environment }
        guard try environment.hasOwnSlots() else { return environment }
        // LMDB: closing the file frees them.
        _ = consume environment
        return try openOnce(path: path, options: options, mapSize: size)
      } catch {
        // The address space is limited (`RLIMIT_AS`, small devices): ask for less.
        guard error.code == .noMemory, size > 1 << 28 else { throw error }
        size /= 2
      }
    }
  }

  /// Returns the default map size, or less if many files are open.
  ///
  /// A map takes at most a 64th of a free range of addresses, unless that is less than 16 GiB. If
  /// the maps took all of them, this process could neither open another file nor allocate memory.
  private static func affordableMapSize() -> Int {
    var size = defaultMapSize
    while size > 1 << 34, (try? requireAddressSpace(size * 64)) == nil { size /= 2 }
    return size
  }

  private static func openOnce(
    path: String, options: Options, mapSize: Int
  ) throws(LMDBError) -> Environment {
    // LMDB: opens its files without a look at the numbers of their descriptors.
    try StandardStreams.reserve()
    if !options.ignoresLocks {
      createLockFile(of: path)
      try reserveLockFile(of: path)
    }
    var handle: OpaquePointer?
    try LMDBError.check(unsafe mdb_env_create(&handle), "mdb_env_create")
    guard let handle = unsafe handle else {
      throw LMDBError(code: .noMemory, function: "mdb_env_create")
    }
    let place: Place?
    do throws(LMDBError) {
      try LMDBError.check(unsafe mdb_env_set_assert(handle, explainAssertion), "mdb_env_set_assert")
      // LMDB: the file records the size, and an opener that does not set one adopts it.
      try LMDBError.check(unsafe mdb_env_set_mapsize(handle, mapSize), "mdb_env_set_mapsize")
      try LMDBError.check(
        unsafe mdb_env_set_maxdbs(handle, MDB_dbi(maximumTables)), "mdb_env_set_maxdbs")
      try LMDBError.check(
        unsafe mdb_env_set_maxreaders(handle, UInt32(maximumReaders)), "mdb_env_set_maxreaders")
      var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
      if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
      if !options.syncsMetaPage { flags |= UInt32(MDB_NOMETASYNC) }
      if !options.syncsCommits { flags |= UInt32(MDB_NOSYNC) }
      if options.ignoresLocks { flags |= UInt32(MDB_NOLOCK) }
      try LMDBError.check(unsafe mdb_env_open(handle, path, flags, 0o644), "mdb_env_open")
      try unsafe openMainTable(handle)
      var descriptor: mdb_filehandle_t = -1
      try LMDBError.check(unsafe mdb_env_get_fd(handle, &descriptor), "mdb_env_get_fd")
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      place = options.ignoresLocks ? nil : try unsafe Place(path: path, handle: handle)
    } catch {
      unsafe mdb_env_close(handle)
      throw error
    }
    let environment = unsafe Environment(
      path: path, options: options, handle: handle, place: place)
    if !options.ignoresLocks {
      try environment.claim()
      // A slot left by a killed process would pin its pages forever.
      try environment.removeDeadReaders()
      try environment.requireMatchingLockFile()
    }
    return environment
  }

  /// Opens the main table.
  ///
  /// LMDB: until it is opened, by a null name, it has no comparison function and using it crashes.
  private static func openMainTable(_ handle: OpaquePointer) throws(LMDBError) {
    var transaction: OpaquePointer?
    var code = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    var dead: Int32 = 0
    // Killed processes may have left all slots.
    if code == MDB_READERS_FULL, unsafe mdb_reader_check(handle, &dead) == MDB_SUCCESS, dead > 0 {
      code = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    // LMDB: the first snapshot locks a byte for the ID of this process.
    if code == EAGAIN || code == EACCES {
      throw LMDBError(code: .otherContainer, function: "mdb_txn_begin")
    }
    try LMDBError.check(code, "mdb_txn_begin")
    var table: MDB_dbi = 0
    code = unsafe mdb_dbi_open(transaction, nil, 0, &table)
    unsafe mdb_txn_abort(transaction)
    try LMDBError.check(code, "mdb_dbi_open")
  }

  /// Frees the slots of readers whose process has died, and returns their number.
  ///
  /// The corresponding C function is `mdb_reader_check`.
  @discardableResult
  package func removeDeadReaders() throws(LMDBError) -> Int {
    var dead: Int32 = 0
    try LMDBError.check(unsafe mdb_reader_check(handle, &dead), "mdb_reader_check")
    return Int(dead)
  }
}

// MARK: - Facts

extension Environment {
  /// The sizes and numbers of an open file.
  package struct Information: Hashable, Sendable {
    /// The size limit of the file, in bytes.
    package let mapSize: Int
    /// The size of a page, in bytes.
    package let pageSize: Int
    /// The number of the last page in use.
    package let lastPage: Int
    /// The number of the last committed transaction.
    package let lastTransaction: Int
    /// The number of open snapshots, in all processes.
    package let readers: Int

    /// Whether another process has made the file larger than the map. The next snapshot adopts its
    /// map size, which is possible only while this process holds no other snapshot.
    package var isOutgrown: Bool { lastPage >= mapSize / pageSize }
  }

  /// Returns the sizes and numbers of the file.
  ///
  /// The corresponding C functions are `mdb_env_info` and `mdb_env_stat`.
  package func information() throws(LMDBError) -> Information {
    try gate.briefly { () throws(LMDBError) in try informationInsideGate() }
  }

  /// Returns the sizes and numbers of the file. The caller has entered the gate.
  ///
  /// LMDB: both functions read a meta page in the map, which a resize replaces.
  func informationInsideGate() throws(LMDBError) -> Information {
    var info = unsafe MDB_envinfo()
    try LMDBError.check(unsafe mdb_env_info(handle, &info), "mdb_env_info")
    var statistics = MDB_stat()
    try LMDBError.check(unsafe mdb_env_stat(handle, &statistics), "mdb_env_stat")
    return unsafe Information(
      mapSize: info.me_mapsize, pageSize: Int(statistics.ms_psize), lastPage: info.me_last_pgno,
      lastTransaction: info.me_last_txnid, readers: Int(info.me_numreaders))
  }

  /// Writes all pages that the system still buffers to the disk.
  ///
  /// The corresponding C function is `mdb_env_sync`.
  package func sync() throws(LMDBError) {
    try LMDBError.check(unsafe mdb_env_sync(handle, 1), "mdb_env_sync")
  }

  /// Makes each commit wait for the meta page from now on. One thread at a time may call it.
  ///
  /// The corresponding C function is `mdb_env_set_flags`.
  func syncMetaPage() throws(LMDBError) {
    if options.syncsMetaPage { return }
    try LMDBError.check(
      unsafe mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0), "mdb_env_set_flags")
  }

  /// The version of the linked LMDB, for example `0.9.24`.
  package static var libraryVersion: String {
    let (major, minor, patch) = versionNumbers
    return "\(major).\(minor).\(patch)"
  }

  static var versionNumbers: (major: Int32, minor: Int32, patch: Int32) {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe mdb_version(&major, &minor, &patch)
    return (major, minor, patch)
  }
}

// MARK: - The layer above

extension Environment {
  /// Returns the object that the layer above keeps with the open file; `make` creates it on first
  /// use.
  package func companion<Companion: AnyObject & Sendable>(
    _ make: @Sendable () -> Companion
  ) -> Companion {
    companionStorage.withLock { stored in
      if let companion = stored as? Companion { return companion }
      let companion = make()
      stored = companion
      return companion
    }
  }
}
