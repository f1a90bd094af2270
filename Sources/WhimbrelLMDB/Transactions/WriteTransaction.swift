internal import CWhimbrelLMDB
internal import Synchronization

/// A write transaction. Of all processes, only one transaction may write the file at a time.
///
/// It belongs to the thread that began it. It is used and ended there, and never held across a
/// suspension.
///
/// A nested transaction is a part of a ``WriteGroup``. Its changes become visible and durable with
/// the group.
// Safe: it cannot be copied, so the handle is ended once, on the thread that began it.
@safe
package struct WriteTransaction: ~Copyable {
  private let environment: Environment
  let handle: OpaquePointer
  private let lifetime: TransactionLifetime
  /// The group that a nested transaction is a part of, or nil.
  private let group: WriteGroup?
  /// The thread that the transaction belongs to.
  package let thread = Environment.currentThread
  /// The blocked signal. Writing beyond the file size limit is therefore an error, and does not end
  /// the process.
  private let signals: SizeSignal
  private var isEnded = false

  /// Waits for other writers, and begins.
  ///
  /// The corresponding C function is `mdb_txn_begin`.
  ///
  /// - Parameter willAdoptMapSize: A closure that is called before the environment adopts a map size
  ///   that another process has set. It releases the snapshots of this thread, beside which that is
  ///   not possible.
  /// - Throws: ``LMDBError``, including the errors of ``Environment/requireInPlace()``.
  package init(
    _ environment: Environment, willAdoptMapSize: () -> Void = {}
  ) throws(LMDBError) {
    try environment.requireSameProcess()
    // LMDB: a second write transaction on the same thread waits for itself.
    guard !environment.isWritingOnThisThread else {
      throw LMDBError(code: .nestedWrite, function: "mdb_txn_begin")
    }
    let signals = SizeSignal.block()
    var begins = false
    defer { if !begins { signals.end() } }
    let paths: WritePaths?
    var resizes = 0
    while true {
      environment.gate.enter()
      environment.writer.line.enter()
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.handle, nil, 0, &handle)
      if code == MDB_SUCCESS, let handle = unsafe handle {
        do throws(LMDBError) {
          // The check follows the wait for other writers, which may have taken long.
          try environment.requireInPlace()
          try environment.keptSnapshots.update(environment)
          unsafe paths = try environment.verifiesWritePaths ? WritePaths(environment, handle) : nil
        } catch {
          unsafe mdb_txn_abort(handle)
          environment.writer.line.leave()
          environment.gate.leave()
          throw error
        }
        unsafe self.handle = unsafe handle
        break
      }
      environment.writer.line.leave()
      environment.gate.leave()
      guard code == MDB_MAP_RESIZED, resizes < Environment.maximumResizes else {
        try LMDBError.check(code, "mdb_txn_begin")
        continue
      }
      resizes += 1
      willAdoptMapSize()
      try environment.adoptMapSize()
    }
    begins = true
    self.signals = signals
    self.environment = environment
    lifetime = TransactionLifetime(freesCursors: true, environment, paths)
    group = nil
    environment.writer.thread = thread
    environment.writer.failure.withLock { $0 = nil }
  }

  /// Begins a nested transaction of a group.
  init(nestedIn group: WriteGroup) throws(LMDBError) {
    environment = group.environment
    try environment.requireSameProcess()
    // LMDB: a large transaction writes pages to the file before it is committed.
    let signals = SizeSignal.block()
    var handle: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment.handle, group.handle, 0, &handle)
    guard code == MDB_SUCCESS, let handle = unsafe handle else {
      signals.end()
      try LMDBError.check(code, "mdb_txn_begin")
      throw LMDBError(code: .noMemory, function: "mdb_txn_begin")
    }
    unsafe self.handle = unsafe handle
    self.signals = signals
    self.group = group
    lifetime = unsafe TransactionLifetime(
      freesCursors: true, environment, group.paths, endsPaths: false)
    environment.writer.thread = thread
    environment.writer.failure.withLock { $0 = nil }
  }

  deinit {
    guard !isEnded, environment.isOfThisProcess else { return }
    requireThread()
    lifetime.end()
    environment.writer.thread = group?.thread ?? 0
    unsafe mdb_txn_abort(handle)
    signals.end()
    leave()
  }

  /// Traps if the transaction ends on a thread other than the one that began it.
  ///
  /// LMDB: the writers' lock belongs to a thread. Another thread cannot unlock it, and each later
  /// writer would wait forever.
  private func requireThread() {
    precondition(
      thread == Environment.currentThread,
      "A write transaction must end on the thread that began it.")
  }

  /// Lets the next writer begin. Does nothing in a nested transaction.
  private func leave() {
    if group != nil { return }
    environment.writer.line.leave()
    environment.gate.leave()
  }

  /// The verifier of the pages that LMDB is about to use.
  var paths: WritePaths? { lifetime.paths }

  /// The view for reading and writing.
  package var view: WriteView {
    unsafe WriteView(reading: ReadView(handle: handle, lifetime: lifetime))
  }

  /// Makes everything written here visible and durable at once. The changes of a nested transaction
  /// become a part of its group.
  ///
  /// The corresponding C function is `mdb_txn_commit`.
  ///
  /// - Throws: ``LMDBError``, with `usedAfterFork` in a forked child. The transaction then belongs
  ///   to the parent, and is not changed.
  package consuming func commit() throws(LMDBError) {
    requireThread()
    try environment.requireSameProcess()
    // A failure ends the transaction like an abort.
    try lifetime.seal(view)
    lifetime.end()
    if let group {
      isEnded = true
      environment.writer.thread = group.thread
      let code = unsafe mdb_txn_commit(handle)
      signals.end()
      try LMDBError.check(code, "mdb_txn_commit")
      group.didChange(lifetime.changeCount)
      return
    }
    try environment.requireInPlace()
    isEnded = true
    environment.writer.thread = 0
    // LMDB: a transaction without writes leaves its number to the next one.
    let number = lifetime.hasWritten ? unsafe mdb_txn_id(handle) : 0
    environment.commitSignals.willCommit(number)
    #if os(Linux)
      if number != 0, environment.options.syncsCommits { environment.room.extend(environment) }
    #endif
    CommitProbe.notify(.before, of: environment.path)
    let code = unsafe mdb_txn_commit(handle)
    CommitProbe.notify(.after, of: environment.path)
    signals.end()
    if code != MDB_SUCCESS { environment.didFailToCommit() }
    let facts = try? environment.informationInsideGate()
    leave()
    try LMDBError.check(code, "mdb_txn_commit")
    environment.didCommit(number, facts)
  }

  /// The number of changes.
  var changeCount: Int { lifetime.changeCount }

  /// Whether anything was written here.
  package var hasWritten: Bool { lifetime.hasWritten }

  /// Adds the changes of a nested transaction.
  func didChangeNested(_ count: Int) { lifetime.didChangeNested(count) }

  /// The key in the main table under which each commit writes its number.
  package static var sealKey: String { CommitSeal.key }

  /// Discards everything written here.
  package consuming func abort() {}
}

/// The lifetime of a transaction.
final class TransactionLifetime {
  private(set) var isAlive = true
  /// Whether the cursors of the transaction are freed with it.
  let freesCursors: Bool

  /// The environment of a write transaction, otherwise nil.
  private let environment: Environment?
  /// The verifier of the pages that LMDB is about to use, or nil if all were checked before.
  let paths: WritePaths?
  /// The number of changes: of entries that were put or removed, and of tables that were emptied.
  // Safe, here and below: one thread uses a write transaction, one call after the other.
  @safe @exclusivity(unchecked) private(set) var changeCount = 0
  /// The handles of the tables whose numbers of entries may have changed: see ``TableCount``.
  @safe @exclusivity(unchecked) private var changedCounts: [UInt32] = []

  @safe @exclusivity(unchecked) private var heldPages: HeldPages

  /// Whether the paths end with the transaction, and not with its group.
  private let endsPaths: Bool

  init(
    freesCursors: Bool, _ environment: Environment? = nil, _ paths: WritePaths? = nil,
    endsPaths: Bool = true
  ) {
    self.freesCursors = freesCursors
    self.endsPaths = endsPaths
    self.environment = environment
    self.paths = paths
    heldPages = HeldPages(limit: environment?.writer.heldPageLimit ?? HeldPages.defaultLimit)
  }

  /// Whether anything was written.
  var hasWritten: Bool { changeCount > 0 }

  /// Adds the changes of a nested transaction.
  func didChangeNested(_ count: Int) { changeCount += count }

  func end() {
    isAlive = false
    if endsPaths { paths?.end() }
  }
}

// MARK: - Memory

extension TransactionLifetime {
  /// Notes that an entry was put with a value of a number of bytes, or that entries were removed.
  ///
  /// Bytes of pages are not valid afterwards.
  @inline(__always)
  func didWrite(
    _ table: Table, bytes: Int = 0, in handle: OpaquePointer?
  ) throws(LMDBError) {
    if heldPages.mustCount(adding: bytes) { try unsafe countPages(table, in: handle) }
  }

  @inline(never)
  private func countPages(_ table: Table, in handle: OpaquePointer?) throws(LMDBError) {
    guard let handle = unsafe handle, let name = name(of: table.handle) else { return }
    if let paths {
      try PageBytes.with(Array(name.utf8)) { key throws(LMDBError) in try paths.verify(.main, key) }
    }
    do {
      unsafe try heldPages.count(after: changeCount, in: handle, tableNamed: name)
    } catch {
      throw noted(error)
    }
  }
}

// MARK: - Failures

extension TransactionLifetime {
  /// Throws unless a code means success.
  @inline(__always)
  func check(_ code: Int32, _ function: String) throws(LMDBError) {
    if code != MDB_SUCCESS {
      throw noted(LMDBError(code: .init(rawValue: code), function: function))
    }
  }

  /// Records an error, to explain why LMDB refuses later calls, and returns it.
  @inline(never)
  private func noted(_ error: LMDBError) -> LMDBError {
    if error.code != .badTransaction { environment?.writer.failure.withLock { $0 = error } }
    return error
  }
}

extension Environment {
  /// Returns the error that explains another one. After an error in a write, LMDB refuses all
  /// calls.
  package func cause(of error: LMDBError) -> LMDBError {
    guard error.code == .badTransaction else { return error }
    return writer.failure.withLock { $0 } ?? error
  }
}

// MARK: - Seals

extension TransactionLifetime {
  /// Notes that entries of a table are about to be added or removed, in the transaction of
  /// `handle`.
  ///
  /// - Throws: ``LMDBError`` with ``PageDamage`` if the number of entries of the table is not the
  ///   stored one. The commit would otherwise store the wrong number.
  @inline(__always)
  func willWrite(_ table: Table, in handle: OpaquePointer?) throws(LMDBError) {
    changeCount &+= 1
    guard table.guarding == .count, changedCounts.last != table.handle else { return }
    try unsafe addChange(of: table, in: handle)
  }

  @inline(never)
  private func addChange(of table: Table, in handle: OpaquePointer?) throws(LMDBError) {
    guard let place = changedCounts.firstIndex(of: table.handle) else {
      try requireCount(of: table, in: unsafe ReadView(handle: handle, lifetime: self))
      return changedCounts.append(table.handle)
    }
    // The table that changes now comes last.
    changedCounts.remove(at: place)
    changedCounts.append(table.handle)
  }

  private func requireCount(of table: Table, in view: ReadView) throws(LMDBError) {
    guard let name = name(of: table.handle) else { return }
    try TableCount.check(
      UInt64(view.statistics(table).entries), against: view.value(.main, TableCount.key(of: name)),
      of: name)
  }

  private func name(of handle: UInt32) -> String? {
    environment?.tables.name(of: handle)
  }

  /// Writes the numbers of entries of the changed tables, and the number of the commit. Writes
  /// nothing if the transaction has no changes.
  func seal(_ view: WriteView) throws(LMDBError) {
    guard hasWritten else { return }
    for handle in changedCounts {
      guard let name = name(of: handle) else { continue }
      let count = try view.reading.statistics(Table(handle: handle, keys: .integers)).entries
      try view.put(.main, TableCount.key(of: name), CheckedNumber.encode(UInt64(count), of: name))
    }
    let number = UInt64(view.reading.transactionID)
    try view.put(.main, CommitSeal.key, CommitSeal.encode(number))
  }
}
