internal import WhimbrelLMDB

/// A write of a session that is not over.
// Safe: it cannot be copied, so its transaction is ended once.
@safe
struct SessionWrite: ~Copyable {
  let transaction: WriteTransaction
  let view: WriteView
  /// Whether the write is ended by ``Session/commitWrite()`` or ``Session/cancelWrite()``.
  var isManual = false
  /// Whether the session had a deferred error when the write began.
  let hadDeferredError: Bool
  /// Whether the session showed the commit that its observers have followed when the write began.
  let beganAtFollowedCommit: Bool
  /// The notes about objects that the write has converted.
  var transitionNotes = TransitionNotes()

  init(
    _ transaction: consuming WriteTransaction, hadDeferredError: Bool, beganAtFollowedCommit: Bool
  ) {
    view = transaction.view
    self.transaction = transaction
    self.hadDeferredError = hadDeferredError
    self.beganAtFollowedCommit = beganAtFollowedCommit
  }

  /// Whether anything was written.
  var hasWritten: Bool { transaction.hasWritten }

  /// Whether the write is manual, and was begun by another thread.
  var isOfOtherThread: Bool { isManual && transaction.thread != Environment.currentThread }
}

/// The changes of a write that are not yet written.
// Safe: the session that has the changes keeps its tables for as long as it lives.
@safe
struct UnwrittenChanges {
  /// The table of an object whose changes are in the table's encoder, or nil.
  var unsafeTable: Unmanaged<ClassTable>?
  /// The tables with entries of new objects that are not yet in indexes: see ``PendingEntries``.
  var tablesWithEntries: [ClassTable] = []

  var isEmpty: Bool { unsafe unsafeTable == nil && tablesWithEntries.isEmpty }
}
