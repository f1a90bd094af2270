internal import CWhimbrelLMDB

/// A snapshot of the file. It shows the last commit before it began, whatever is written meanwhile.
///
/// A snapshot that is kept pins the pages that it can see, so the file grows with every write.
/// ``reset()`` releases them, and ``renew()`` takes a new snapshot.
// Safe: it cannot be copied, so the handle is ended once.
@safe
package struct ReadTransaction: ~Copyable {
  /// The file, until the transaction has released it.
  private var environment: Environment?
  private let handle: OpaquePointer
  private let lifetime = TransactionLifetime(freesCursors: false)
  /// Whether the snapshot is taken and not reset.
  package private(set) var isActive: Bool
  /// The reader of the pages, which reads the file without LMDB.
  package let pages: PageSnapshot

  /// Takes a snapshot.
  ///
  /// The corresponding C functions are `mdb_txn_begin` and `mdb_txn_renew`.
  package init(_ environment: Environment) throws(LMDBError) {
    // Before anything that locks: in a forked child, a lock may be held for ever.
    try environment.requireSameProcess()
    let pages = PageSnapshot(environment)
    try pages.willTake()
    let handle = try unsafe Self.begin(environment)
    var isActive = true
    do throws(LMDBError) {
      unsafe try Self.take(pages, handle, environment, &isActive)
    } catch {
      unsafe Self.abort(handle, environment, isActive: isActive)
      throw error
    }
    self.environment = environment
    unsafe self.handle = unsafe handle
    self.pages = pages
    self.isActive = isActive
  }

  private static func begin(_ environment: Environment) throws(LMDBError) -> OpaquePointer {
    if let spare = unsafe environment.pool.transactions.take() {
      var isActive = false
      if (try? unsafe renew(spare, environment, &isActive)) != nil { return unsafe spare }
      // A new transaction reports the error, if it has one, too.
      unsafe mdb_txn_abort(spare)
    }
    var resizes = 0
    while true {
      environment.gate.enter()
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &handle)
      if code == MDB_SUCCESS, let handle = unsafe handle { return unsafe handle }
      environment.gate.leave()
      switch code {
      case MDB_MAP_RESIZED where resizes < Environment.maximumResizes:
        resizes += 1
        try environment.adoptMapSize()
      case MDB_READERS_FULL where try environment.removeDeadReaders() > 0: continue
      default: try LMDBError.check(code, "mdb_txn_begin")
      }
    }
  }

  deinit {
    lifetime.end()
    pages.end()
    guard let environment else { return }
    unsafe Self.abort(handle, environment, isActive: isActive)
  }

  /// Ends the transaction and releases the file. Nothing can be read afterwards.
  package mutating func end() {
    lifetime.end()
    pages.end()
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
    if isActive { unsafe mdb_txn_reset(handle) }
    if !(unsafe environment.pool.transactions.put(handle)) { unsafe mdb_txn_abort(handle) }
    if isActive { environment.gate.leave() }
  }

  /// The view for reading.
  package var view: ReadView {
    environment == nil ? .closed : unsafe ReadView(handle: handle, lifetime: lifetime, pages: pages)
  }

  /// Returns a view that reads through other pages of the same commit.
  func view(through pages: PageSnapshot) -> ReadView {
    unsafe ReadView(handle: handle, lifetime: lifetime, pages: pages)
  }

  /// A view that reads through LMDB, which trusts the file. Tests compare ``pages`` with it.
  var viewThroughLMDB: ReadView { unsafe ReadView(handle: handle, lifetime: lifetime) }

  /// Releases the snapshot and keeps its slot.
  ///
  /// The corresponding C function is `mdb_txn_reset`.
  package mutating func reset() {
    guard isActive, let environment, environment.isOfThisProcess else { return }
    pages.release()
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
    pages.release()
    try pages.willTake()
    unsafe try Self.renew(handle, environment, &isActive)
    unsafe try Self.take(pages, handle, environment, &isActive)
  }

  private static func renew(
    _ handle: OpaquePointer, _ environment: Environment, _ isActive: inout Bool
  ) throws(LMDBError) {
    if isActive {
      unsafe mdb_txn_reset(handle)
      isActive = false
      environment.gate.leave()
    }
    var resizes = 0
    while true {
      environment.gate.enter()
      let code = unsafe mdb_txn_renew(handle)
      if code == MDB_SUCCESS { break }
      environment.gate.leave()
      guard code == MDB_MAP_RESIZED, resizes < Environment.maximumResizes else {
        return try LMDBError.check(code, "mdb_txn_renew")
      }
      resizes += 1
      try environment.adoptMapSize()
    }
    isActive = true
  }

  /// The limit of attempts to take a snapshot. An attempt fails only if two commits are made
  /// between two calls.
  private static let maximumAttempts = 1_000

  /// Reads the roots that a transaction sees, before its meta page is overwritten.
  private static func take(
    _ pages: PageSnapshot, _ handle: OpaquePointer, _ environment: Environment,
    _ isActive: inout Bool
  ) throws(LMDBError) {
    for _ in 0..<maximumAttempts {
      if unsafe try pages.take(handle) { return }
      unsafe try renew(handle, environment, &isActive)
    }
    let transaction = unsafe UInt64(mdb_txn_id(handle))
    throw LMDBError(
      PageDamage(
        table: nil,
        failure: .badMeta(page: transaction & 1, reason: .transaction(transaction))))
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
