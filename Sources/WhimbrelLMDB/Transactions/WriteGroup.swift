internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// A write transaction that several writers share, so that their changes become durable with one
/// flush.
///
/// The thread that begins the group also ends it. The writers run one after the other, each in a
/// nested transaction, and may be on other threads. Aborting a nested transaction does not affect
/// the changes of the others.
///
/// Tables are neither created nor removed in a group.
///
/// A group with many changes accepts no more writers. LMDB: a transaction keeps 131,071 dirty pages
/// in memory and then writes some of them to the file. A nested one has the room that the others of
/// its group have left, and can neither write nor drop pages of theirs. Its changes could therefore
/// fail with `MDB_TXN_FULL`, although they fit in a transaction of their own.
///
/// LMDB: the writers' lock belongs to the thread that began the group. A nested transaction does
/// not touch the lock, so it may be used on another thread while the first one waits for it.
// Safe: one thread at a time uses a group. The thread that began it hands it to a writer, and waits
// until the writer has ended its nested transaction.
@safe
package final class WriteGroup: Sendable {
  /// An error: the group has many changes, or began before the tables of a session were opened, so
  /// that its transaction does not see them. The write must be done in another group.
  package struct Outdated: Error {
    package init() {}
  }

  package let environment: Environment
  nonisolated(unsafe) let handle: OpaquePointer
  nonisolated(unsafe) let paths: WritePaths?
  /// The thread that began the group.
  let thread: UInt
  private let tableOpenings: UInt64
  private let capacity: Int
  nonisolated(unsafe) private var transaction: WriteTransaction?

  /// The number of changes after which a group accepts no more writers.
  ///
  /// A change makes the pages on the path to an entry dirty, and the pages that splits add: rarely
  /// more than four, and never more than 20. At least a third of the pages is left.
  package static let capacity = 4_096

  /// Waits for other writers, and begins a group.
  ///
  /// - Throws: ``LMDBError``, as ``WriteTransaction/init(_:)`` does.
  package convenience init(_ environment: Environment) throws(LMDBError) {
    try self.init(environment, capacity: Self.capacity)
  }

  /// Begins a group with another capacity, for tests.
  init(_ environment: Environment, capacity: Int) throws(LMDBError) {
    self.environment = environment
    self.capacity = capacity
    // The number is read before the transaction begins. The transaction may see a table opened
    // after that, but never misses one that was counted.
    tableOpenings = environment.tables.openings
    let transaction = try WriteTransaction(environment)
    thread = transaction.thread
    unsafe handle = unsafe transaction.handle
    unsafe paths = transaction.paths
    unsafe self.transaction = consume transaction
  }

  /// The view of the file at the beginning of the group, for the thread that began it.
  package var view: ReadView { unsafe transaction?.view.reading ?? .closed }

  /// Begins the transaction of the next writer, on its thread.
  ///
  /// The corresponding C function is `mdb_txn_begin`.
  ///
  /// - Throws: ``LMDBError``, or ``Outdated`` if the group accepts no more writers, or if a table
  ///   was opened since it began.
  package func nested() throws -> WriteTransaction {
    guard unsafe transaction != nil else {
      throw LMDBError(code: .badTransaction, function: "mdb_txn_begin")
    }
    guard takesWriters, tableOpenings == environment.tables.openings else {
      throw Outdated()
    }
    return try WriteTransaction(nestedIn: self)
  }

  /// Whether the group has few enough changes for another writer.
  package var takesWriters: Bool { unsafe (transaction?.changeCount ?? 0) < capacity }

  /// Adds the changes of a nested transaction that was committed.
  func didChange(_ count: Int) { unsafe transaction?.didChangeNested(count) }

  /// Makes everything written in the group visible and durable at once.
  package func commit() throws(LMDBError) {
    guard let transaction = unsafe transaction.take() else { return }
    try transaction.commit()
  }

  /// Discards everything written in the group.
  package func abort() {
    guard let transaction = unsafe transaction.take() else { return }
    transaction.abort()
  }
}
