internal import CWhimbrelLMDB
internal import Synchronization

/// The one transaction that may write the file, of all processes.
///
/// It belongs to the thread that began it: it is used and ended there, and never
/// held across a suspension.
///
/// A nested transaction is a part of a ``WriteGroup``. Its changes become visible and durable with
/// the group.
// Safe: it cannot be copied, so the handle is ended once, on the thread that began it.
@safe
package struct WriteTransaction: ~Copyable {
  private let environment: Environment
  let handle: OpaquePointer
  private let lifetime: TransactionLifetime
  /// The group that a nested transaction is a part of.
  private let group: WriteGroup?
  /// The thread to which it belongs.
  package let thread = Environment.currentThread
  private let leavesGate: Bool
  /// Writing beyond the file size limit is an error, and not the end of the process.
  private let signals: SizeSignal
  private var isEnded = false

  /// Waits for its turn and begins.
  ///
  /// The corresponding C function is `mdb_txn_begin`.
  ///
  /// - Throws: ``LMDBError``, also with an error of ``Environment/requireInPlace()``.
  package init(_ environment: Environment) throws(LMDBError) {
    try self.init(environment, isInsideGate: false)
  }

  /// - Parameter isInsideGate: Whether the caller holds the gate exclusively.
  init(_ environment: Environment, isInsideGate: Bool) throws(LMDBError) {
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
      if !isInsideGate { environment.gate.enter() }
      environment.line.enter()
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.handle, nil, 0, &handle)
      if code == MDB_SUCCESS, let handle = unsafe handle {
        do throws(LMDBError) {
          // After the wait for other writers, which may have taken long.
          try environment.requireInPlace()
          unsafe paths = try environment.verifiesWritePaths ? WritePaths(environment, handle) : nil
        } catch {
          unsafe mdb_txn_abort(handle)
          environment.line.leave()
          if !isInsideGate { environment.gate.leave() }
          throw error
        }
        unsafe self.handle = unsafe handle
        break
      }
      environment.line.leave()
      if !isInsideGate { environment.gate.leave() }
      guard code == MDB_MAP_RESIZED, !isInsideGate, resizes < Environment.maximumResizes else {
        try LMDBError.check(code, "mdb_txn_begin")
        continue
      }
      resizes += 1
      try environment.adoptMapSize()
    }
    begins = true
    self.signals = signals
    self.environment = environment
    lifetime = TransactionLifetime(freesCursors: true, environment, paths)
    group = nil
    leavesGate = !isInsideGate
    environment.writer = thread
    environment.writeFailure.withLock { $0 = nil }
  }

  /// Begins a part of a group.
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
    leavesGate = false
    environment.writer = thread
    environment.writeFailure.withLock { $0 = nil }
  }

  deinit {
    guard !isEnded, environment.isOfThisProcess else { return }
    requireThread()
    lifetime.end()
    environment.writer = group?.thread ?? 0
    unsafe mdb_txn_abort(handle)
    signals.end()
    leave()
  }

  /// Stops the program when the transaction ends on another thread than the one that began it.
  ///
  /// LMDB: the lock of the writers belongs to a thread. Another one cannot unlock it, and each later
  /// writer would wait forever.
  private func requireThread() {
    precondition(
      thread == Environment.currentThread,
      "A write transaction must end on the thread that began it.")
  }

  /// Lets other writers in.
  private func leave() {
    if group != nil { return }
    environment.line.leave()
    if leavesGate { environment.gate.leave() }
  }

  /// The verifier of the pages that LMDB is about to use.
  var paths: WritePaths? { lifetime.paths }

  /// The view for reading and writing.
  package var view: WriteView {
    unsafe WriteView(reading: ReadView(handle: handle, lifetime: lifetime))
  }

  /// Makes everything written here visible and durable at once; in a nested transaction, a part of
  /// its group.
  ///
  /// The corresponding C function is `mdb_txn_commit`.
  ///
  /// - Throws: ``LMDBError``, with `usedAfterFork` in a child of a fork: the transaction is its
  ///   parent's, and stays as it is.
  package consuming func commit() throws(LMDBError) {
    requireThread()
    try environment.requireSameProcess()
    // A failure ends the transaction like an abort.
    try lifetime.seal(view)
    lifetime.end()
    if let group {
      isEnded = true
      environment.writer = group.thread
      let code = unsafe mdb_txn_commit(handle)
      signals.end()
      try LMDBError.check(code, "mdb_txn_commit")
      group.didChange(lifetime.changeCount)
      return
    }
    try environment.requireInPlace()
    isEnded = true
    environment.writer = 0
    // LMDB: a transaction without writes leaves its number to the next one.
    let number = lifetime.hasWritten ? unsafe mdb_txn_id(handle) : 0
    environment.commitSignals.willCommit(number)
    #if os(Linux)
      if number != 0, environment.options.syncsCommits { environment.room.extend(environment) }
    #endif
    CommitProbe.notify(.before)
    let code = unsafe mdb_txn_commit(handle)
    CommitProbe.notify(.after)
    signals.end()
    if code != MDB_SUCCESS { environment.didFailToCommit() }
    leave()
    try LMDBError.check(code, "mdb_txn_commit")
    environment.didCommit(number)
  }

  /// The number of changes that were made.
  var changeCount: Int { lifetime.changeCount }

  /// Adds the changes of a nested transaction.
  func didChangeNested(_ count: Int) { lifetime.didChangeNested(count) }

  /// The key in the main table under which each commit writes its number.
  package static var sealKey: String { CommitSeal.key }

  /// Throws away everything written here.
  package consuming func abort() {}
}

/// The lifetime of a transaction.
final class TransactionLifetime {
  private(set) var isAlive = true
  /// Whether the cursors of the transaction are freed with it.
  let freesCursors: Bool

  /// The environment of a write transaction.
  private let environment: Environment?
  /// The verifier of the pages that LMDB is about to use, or nil if all were checked before.
  let paths: WritePaths?
  /// The number of changes: of entries that were put or removed, and of tables that were emptied.
  // Safe, here and below: a write transaction is used by one call after the other, on one thread.
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
    heldPages = HeldPages(limit: environment?.heldPageLimit ?? HeldPages.defaultLimit)
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
  /// Says that an entry was put, with a value of so many bytes, or that entries were removed.
  ///
  /// The bytes of pages are not valid after it.
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

  /// Keeps an error, to explain what LMDB refuses after it, and returns it.
  @inline(never)
  private func noted(_ error: LMDBError) -> LMDBError {
    if error.code != .badTransaction { environment?.writeFailure.withLock { $0 = error } }
    return error
  }
}

extension Environment {
  /// Returns the error that explains another one: after an error in a write, LMDB refuses all calls.
  package func cause(of error: LMDBError) -> LMDBError {
    guard error.code == .badTransaction else { return error }
    return writeFailure.withLock { $0 } ?? error
  }
}

// MARK: - Seals

extension TransactionLifetime {
  /// Says that entries of a table are about to be added or removed, in the transaction of `handle`.
  ///
  /// - Throws: ``LMDBError`` with ``PageDamage`` when the table has another number of entries than
  ///   is kept: that would be kept for right.
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
    // The one that changes now comes last.
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
    environment?.namesByHandle.withLock { $0[handle] }
  }

  /// Writes the numbers of entries of the tables that have changed, and the number of the commit. A
  /// transaction without writes stays one.
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
