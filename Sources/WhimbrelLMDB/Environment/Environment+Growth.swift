internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// How long a resize waits for the transactions of this process to end: a commit
  /// on a busy disk takes seconds.
  package static let growthPatience = Duration.seconds(30)

  /// Enlarges the map to at least a size, unless it is as large already.
  ///
  /// - Throws: ``LMDBError`` with `mapFull` when transactions of this process stay
  ///   alive, and with `noMemory` when the address space has no room.
  ///
  /// The corresponding C function is `mdb_env_set_mapsize`.
  package func grow(
    to wanted: Int, patience: Duration = growthPatience
  ) throws(LMDBError) {
    let done: Void? = try gate.exclusively(patience: patience) { () throws(LMDBError) in
      guard try information().mapSize < wanted else { return }
      try Self.requireAddressSpace(wanted)
      try LMDBError.check(unsafe mdb_env_set_mapsize(handle, wanted), "mdb_env_set_mapsize")
    }
    if done == nil { throw LMDBError(code: .mapFull, function: "mdb_env_set_mapsize") }
  }

  /// Throws unless a map of a size could be made now.
  ///
  /// LMDB: a resize unmaps the file before it maps it again, and when that fails
  /// the environment has no map at all: the next transaction crashes.
  private static func requireAddressSpace(_ size: Int) throws(LMDBError) {
    let flags = MAP_PRIVATE | Int32(MAP_ANON) | MAP_NORESERVE
    let probe = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0)
    guard let probe = unsafe probe, unsafe probe != MAP_FAILED else {
      throw LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")
    }
    unsafe munmap(probe, size)
  }

  /// Adopts the size to which another process has enlarged the map.
  func adoptMapSize() throws(LMDBError) {
    let done: Void? = try gate.exclusively(patience: Self.growthPatience) {
      () throws(LMDBError) in
      try LMDBError.check(unsafe mdb_env_set_mapsize(handle, 0), "mdb_env_set_mapsize")
    }
    if done == nil { throw LMDBError(code: .mapResized, function: "mdb_txn_begin") }
  }

  /// Enlarges the map when less than `reserve` bytes of it are unused. It is
  /// called between transactions, so that one does not meet the end half way.
  ///
  /// The map stays as it is when other transactions of this process are alive;
  /// a write that then meets the end fails with `mapFull`.
  package func ensureRoom(_ reserve: Int) throws(LMDBError) {
    let facts = try information()
    let used = (facts.lastPage + 1) * facts.pageSize
    guard facts.mapSize - used < reserve else { return }
    do throws(LMDBError) {
      try grow(to: max(facts.mapSize * 2, used + reserve * 2), patience: .milliseconds(100))
    } catch {
      guard error.code == .mapFull || error.code == .noMemory else { throw error }
    }
  }

  /// Runs `body` in a write transaction and commits it; when the map is full, it
  /// is enlarged and `body` runs again from the start.
  ///
  /// `body` must give the same result each time: keep what it changes outside of
  /// the file to itself.
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
        // The transaction has been aborted on the way here.
        try removeDeadReaders()
        try grow(to: information().mapSize * 2)
      }
    }
  }

  /// Runs `body` in a read transaction of its own.
  package func read<Result>(
    _ body: (ReadView) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    let transaction = try ReadTransaction(self)
    return try body(transaction.view)
  }
}
