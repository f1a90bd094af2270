internal import CWhimbrelLMDB

/// The one transaction that may write the file, of all processes.
///
/// It belongs to the thread that began it: it is used and ended there, and never
/// held across a suspension.
@safe
package struct WriteTransaction: ~Copyable {
  private let environment: Environment
  private let handle: OpaquePointer
  private let lifetime = TransactionLifetime(freesCursors: true)
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

  /// - Parameter isInsideGate: whether the caller holds the gate exclusively.
  init(_ environment: Environment, isInsideGate: Bool) throws(LMDBError) {
    try environment.requireSameProcess()
    // LMDB: a second write transaction on the same thread waits for itself.
    guard !environment.isWritingOnThisThread else {
      throw LMDBError(code: .nestedWrite, function: "mdb_txn_begin")
    }
    let signals = SizeSignal.block()
    var begins = false
    defer { if !begins { signals.end() } }
    while true {
      if !isInsideGate { environment.gate.enter() }
      var handle: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.handle, nil, 0, &handle)
      if code == MDB_SUCCESS, let handle = unsafe handle {
        do throws(LMDBError) {
          // After the wait for other writers, which may have taken long.
          try environment.requireInPlace()
        } catch {
          unsafe mdb_txn_abort(handle)
          if !isInsideGate { environment.gate.leave() }
          throw error
        }
        unsafe self.handle = unsafe handle
        break
      }
      if !isInsideGate { environment.gate.leave() }
      guard code == MDB_MAP_RESIZED, !isInsideGate else {
        try LMDBError.check(code, "mdb_txn_begin")
        continue
      }
      try environment.adoptMapSize()
    }
    begins = true
    self.signals = signals
    self.environment = environment
    leavesGate = !isInsideGate
    environment.isWritingOnThisThread = true
  }

  deinit {
    guard !isEnded, environment.isOfThisProcess else { return }
    lifetime.end()
    environment.isWritingOnThisThread = false
    unsafe mdb_txn_abort(handle)
    signals.end()
    if leavesGate { environment.gate.leave() }
  }

  /// What can be written and read.
  package var view: WriteView {
    unsafe WriteView(reading: ReadView(handle: handle, lifetime: lifetime))
  }

  /// Makes everything written here visible and durable at once.
  ///
  /// The corresponding C function is `mdb_txn_commit`.
  package consuming func commit() throws(LMDBError) {
    lifetime.end()
    // A failure ends the transaction like an abort.
    try environment.requireInPlace()
    isEnded = true
    environment.isWritingOnThisThread = false
    CommitProbe.notify(.before)
    let code = unsafe mdb_txn_commit(handle)
    CommitProbe.notify(.after)
    signals.end()
    if leavesGate { environment.gate.leave() }
    try LMDBError.check(code, "mdb_txn_commit")
    environment.didCommit()
  }

  /// Throws away everything written here.
  package consuming func abort() {}
}

/// Whether a transaction is alive.
final class TransactionLifetime {
  private(set) var isAlive = true
  /// Whether the cursors of the transaction are freed with it.
  let freesCursors: Bool

  init(freesCursors: Bool) { self.freesCursors = freesCursors }

  func end() { isAlive = false }
}
