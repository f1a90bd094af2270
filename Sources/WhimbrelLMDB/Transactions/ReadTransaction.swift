internal import CWhimbrelLMDB

/// A snapshot of the file: it shows the last commit before it began, whatever is
/// written meanwhile.
///
/// A snapshot that is kept pins the pages it can see, so the file grows with
/// every write; ``reset()`` lets go of them and ``renew()`` takes a new one.
@safe
package struct ReadTransaction: ~Copyable {
  /// The file, until the transaction has let go of it.
  private var environment: Environment?
  private let handle: OpaquePointer
  private let lifetime = TransactionLifetime(freesCursors: false)
  /// Whether the snapshot is taken, and not reset.
  package private(set) var isActive: Bool

  /// Takes a snapshot.
  ///
  /// The corresponding C function is `mdb_txn_begin`.
  package init(_ environment: Environment) throws(LMDBError) {
    self.environment = environment
    unsafe handle = try unsafe Self.begin(environment)
    isActive = true
  }

  private static func begin(_ environment: Environment) throws(LMDBError) -> OpaquePointer {
    try environment.requireSameProcess()
    while true {
      environment.gate.enter()
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &handle)
      if code == MDB_SUCCESS, let handle = unsafe handle { return unsafe handle }
      environment.gate.leave()
      switch code {
      case MDB_MAP_RESIZED: try environment.adoptMapSize()
      case MDB_READERS_FULL where try environment.removeDeadReaders() > 0: continue
      default: try LMDBError.check(code, "mdb_txn_begin")
      }
    }
  }

  deinit {
    lifetime.end()
    guard let environment else { return }
    unsafe Self.abort(handle, environment, isActive: isActive)
  }

  /// Ends it, and lets go of the file: nothing can be read here any more.
  package mutating func end() {
    lifetime.end()
    guard let environment else { return }
    unsafe Self.abort(handle, environment, isActive: isActive)
    isActive = false
    self.environment = nil
  }

  private static func abort(
    _ handle: OpaquePointer, _ environment: Environment, isActive: Bool
  ) {
    // LMDB: ending a parent's snapshot in a child of a fork would free its slot.
    guard environment.isOfThisProcess else { return }
    unsafe mdb_txn_abort(handle)
    if isActive { environment.gate.leave() }
  }

  /// What can be read.
  package var view: ReadView {
    environment == nil ? .closed : unsafe ReadView(handle: handle, lifetime: lifetime)
  }

  /// Lets go of the snapshot and keeps its slot.
  ///
  /// The corresponding C function is `mdb_txn_reset`.
  package mutating func reset() {
    guard isActive, let environment, environment.isOfThisProcess else { return }
    unsafe mdb_txn_reset(handle)
    isActive = false
    environment.gate.leave()
  }

  /// Takes a new snapshot.
  ///
  /// The corresponding C function is `mdb_txn_renew`.
  package mutating func renew() throws(LMDBError) {
    guard let environment else { throw LMDBError(code: .closed, function: "mdb_txn_renew") }
    try environment.requireSameProcess()
    reset()
    while true {
      environment.gate.enter()
      let code = unsafe mdb_txn_renew(handle)
      if code == MDB_SUCCESS { break }
      environment.gate.leave()
      guard code == MDB_MAP_RESIZED else { return try LMDBError.check(code, "mdb_txn_renew") }
      try environment.adoptMapSize()
    }
    isActive = true
  }

  /// Ends the snapshot and keeps the handles of tables opened in it.
  ///
  /// The corresponding C function is `mdb_txn_commit`.
  consuming func commit() throws(LMDBError) {
    guard let environment = environment.take() else { return }
    let code = unsafe mdb_txn_commit(handle)
    environment.gate.leave()
    try LMDBError.check(code, "mdb_txn_commit")
  }
}
