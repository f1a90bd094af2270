internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// The time that a resize waits for transactions of this process to end. A commit on a busy disk
  /// takes seconds.
  package static let growthPatience = Duration.seconds(30)

  /// The time after which snapshots that are held are expected to stay. The thread that would
  /// release them may be the one that waits.
  private static let snapshotPatience = Duration.seconds(3)

  /// Enlarges the map to at least a size.
  ///
  /// - Throws: ``LMDBError`` with `mapFull` if transactions of this process do not end in time, or
  ///   with `noMemory` if the address space is exhausted.
  ///
  /// The corresponding C function is `mdb_env_set_mapsize`.
  package func grow(
    to wanted: Int, patience: Duration = growthPatience
  ) throws(LMDBError) {
    let done: Void? = try gate.exclusively(patience: patience) { () throws(LMDBError) in
      guard try informationInsideGate().mapSize < wanted else { return }
      try Self.requireAddressSpace(wanted)
      try LMDBError.check(unsafe mdb_env_set_mapsize(handle, wanted), "mdb_env_set_mapsize")
    }
    if done == nil { throw LMDBError(code: .mapFull, function: "mdb_env_set_mapsize") }
  }

  /// Throws if the system cannot grant a map of a size now.
  ///
  /// LMDB: a resize unmaps the file before it maps it again. If the second step fails, the
  /// environment has no map and the next transaction crashes.
  static func requireAddressSpace(_ size: Int) throws(LMDBError) {
    #if canImport(Darwin)
      guard whimbrel_has_addresses(size) != 0 else {
        throw LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")
      }
    #else
      let flags = MAP_PRIVATE | Int32(MAP_ANON) | MAP_NORESERVE
      let probe = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0)
      guard let probe = unsafe probe, unsafe probe != MAP_FAILED else {
        throw LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")
      }
      unsafe munmap(probe, size)
    #endif
  }

  /// The number of times that a beginning transaction may adopt another map size. One more resize
  /// is an error: files grow by doubling, so the claims of the file cannot be true.
  static let maximumResizes = 64

  /// Adopts a map size that another process has set, if there is one.
  ///
  /// - Throws: ``LMDBError`` with a ``PageDamage`` if a meta page claims pages that the file does
  ///   not have. Waiting for transactions to end would not help then.
  func adoptMapSize() throws(LMDBError) {
    let deadline = ContinuousClock.now + Self.growthPatience
    while try isMapOutgrown() {
      let departures = gate.departures
      // Another thread may adopt the size first, and then hold a snapshot for long.
      let done: Void? = try gate.exclusively(
        patience: Self.snapshotPatience, while: isMapOutgrown
      ) { () throws(LMDBError) in
        try Self.requireAddressSpace(claimedMapSize())
        try LMDBError.check(unsafe mdb_env_set_mapsize(handle, 0), "mdb_env_set_mapsize")
      }
      if done != nil { return }
      let isBusy = writer.line.isTaken || gate.departures != departures
      let isOver = !isBusy || ContinuousClock.now >= deadline
      if isOver, try isMapOutgrown() {
        throw LMDBError(code: .mapResized, function: "mdb_txn_begin")
      }
    }
  }

  /// Returns whether another process has set a larger map size than that of this process.
  private func isMapOutgrown() throws(LMDBError) -> Bool {
    try gate.briefly { () throws(LMDBError) in
      try informationInsideGate().mapSize < claimedMapSize()
    }
  }

  /// Returns the larger of the map sizes that the file's meta pages claim. The caller has entered
  /// the gate.
  private func claimedMapSize() throws(LMDBError) -> Int {
    var statistics = MDB_stat()
    try LMDBError.check(unsafe mdb_env_stat(handle, &statistics), "mdb_env_stat")
    let (descriptor, pageSize) = (try descriptor(), Int(statistics.ms_psize))
    var largest = 0
    do throws(FileStructure.Failure) {
      for page in 0..<2 {
        func number(at offset: Int) throws(FileStructure.Failure) -> UInt64 {
          var number: UInt64 = 0
          guard unsafe pread(descriptor, &number, 8, off_t(page * pageSize + offset)) == 8 else {
            throw .io(errno == 0 ? EIO : errno)
          }
          return UInt64(littleEndian: number)
        }
        let lastPage = try number(at: FileStructure.MetaPage.lastPageOffset)
        // LMDB writes the pages of a commit before its meta page.
        let pages = try FileStructure.DataFile.size(of: descriptor) / pageSize
        guard lastPage < UInt64(pages) else {
          throw .badMeta(page: UInt64(page), reason: .lastPage(lastPage))
        }
        let size = try number(at: FileStructure.MetaPage.mapSizeOffset)
        largest = max(largest, Int(clamping: size))
      }
    } catch {
      throw LMDBError(error, function: "pread")
    }
    return largest
  }

  /// Returns whether less than `reserve` bytes of the map are unused.
  package func isShort(of reserve: Int) throws(LMDBError) -> Bool {
    let facts = try information()
    return facts.mapSize - (facts.lastPage + 1) * facts.pageSize < reserve
  }

  /// Enlarges the map if less than `reserve` bytes of it are unused. Call it between transactions,
  /// so that the next one does not run out of space half-way.
  ///
  /// The map stays as it is while other transactions of this process are alive. A write that then
  /// runs out of space fails with `mapFull`.
  ///
  /// - Parameter patience: The time to wait for other transactions of this process to end.
  package func ensureRoom(
    _ reserve: Int, patience: Duration = .milliseconds(100)
  ) throws(LMDBError) {
    guard try isShort(of: reserve) else { return }
    let facts = try information()
    let used = (facts.lastPage + 1) * facts.pageSize
    do throws(LMDBError) {
      try grow(to: max(facts.mapSize * 2, used + reserve * 2), patience: patience)
    } catch {
      guard error.code == .mapFull || error.code == .noMemory else { throw error }
    }
  }

  /// Runs `body` in a write transaction and commits it. If the map is full, enlarges it and runs
  /// `body` again.
  ///
  /// `body` must give the same result on each run. It must not change state outside the file.
  package func write<Result>(
    _ body: (WriteView) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    while true {
      do throws(LMDBError) {
        let transaction = try WriteTransaction(self)
        let result = try body(transaction.view)
        try transaction.commit()
        return result
      } catch {
        guard error.code == .mapFull else { throw error }
        // The error path has aborted the transaction.
        try removeDeadReaders()
        try grow(to: information().mapSize * 2)
      }
    }
  }

  /// Runs `body` in its own read transaction.
  package func read<Result>(
    _ body: (ReadView) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    let transaction = try ReadTransaction(self)
    return try body(transaction.view)
  }
}
