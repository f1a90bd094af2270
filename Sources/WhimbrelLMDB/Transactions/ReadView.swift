internal import CWhimbrelLMDB
internal import Foundation

/// A view for reading in a transaction. It must not outlive the transaction.
// Safe: the owner of the transaction creates a new view for each use: rule 5 of ``PageBytes``.
@safe
package struct ReadView {
  /// The handle of the transaction, or nil if nothing can be read.
  let handle: OpaquePointer?
  // Safe, here and below: the transaction keeps both. Views are copied with every read and write,
  // and must not count references.
  @safe private let unsafeLifetime: Unmanaged<TransactionLifetime>
  @safe private let unsafePages: Unmanaged<PageSnapshot>?

  init(handle: OpaquePointer?, lifetime: TransactionLifetime, pages: PageSnapshot? = nil) {
    unsafe self.handle = unsafe handle
    unsafe unsafeLifetime = .passUnretained(lifetime)
    unsafe unsafePages = pages.map { unsafe .passUnretained($0) }
  }

  private var lifetime: TransactionLifetime { unsafe unsafeLifetime.takeUnretainedValue() }

  /// The page reader of a snapshot. Nil in a write, because LMDB keeps the pages of a write in
  /// memory.
  private var pages: PageSnapshot? { unsafe unsafePages?.takeUnretainedValue() }

  /// The view after the file has been closed. Every call throws ``LMDBError`` with `closed`.
  package static var closed: ReadView { unsafe ReadView(handle: nil, lifetime: noLifetime) }

  // Safe: nothing changes it.
  nonisolated(unsafe) private static let noLifetime = TransactionLifetime(freesCursors: false)

  /// Throws unless a code means success.
  @inline(__always)
  func check(_ code: Int32, _ function: String) throws(LMDBError) {
    if code != MDB_SUCCESS { try fail(code, function) }
  }

  // Not inlined, so that the handling of errors is not part of every read.
  @inline(never)
  private func fail(_ code: Int32, _ function: String) throws(LMDBError) {
    // LMDB: without a transaction every call reports an invalid argument.
    if unsafe handle == nil { throw LMDBError(code: .closed, function: function) }
    try lifetime.check(code, function)
  }
}

extension ReadView {
  /// Notes that entries of a table are about to be added or removed.
  @inline(__always)
  func willWrite(_ table: Table) throws(LMDBError) {
    unsafe try lifetime.willWrite(table, in: handle)
  }

  /// Notes that an entry was put with a value of a number of bytes, or that entries were removed.
  @inline(__always)
  func didWrite(_ table: Table, bytes: Int = 0) throws(LMDBError) {
    unsafe try lifetime.didWrite(table, bytes: bytes, in: handle)
  }

  /// Verifies the pages of a write that LMDB is about to use to find or change a key.
  @inline(__always)
  func verifyPath(_ table: Table, _ key: UInt64) throws(LMDBError) {
    if let paths = lifetime.paths { try paths.verify(table, key) }
  }

  /// Verifies the pages of a write that LMDB is about to use to find or change a key of any size.
  @inline(__always)
  func verifyPath(_ table: Table, _ key: PageBytes) throws(LMDBError) {
    if let paths = lifetime.paths { try paths.verify(table, key) }
  }

  /// Verifies all pages of a table that LMDB is about to empty, or to remove with its name.
  func verifyAllPages(of table: Table, named name: String? = nil) throws(LMDBError) {
    try lifetime.paths?.verifyAll(table, named: name)
  }

  /// The number of the commit that the transaction shows, or of the one that it will make.
  ///
  /// The corresponding C function is `mdb_txn_id`.
  package var transactionID: Int { unsafe mdb_txn_id(handle) }

  /// Returns the value of a key of eight bytes, or nil.
  ///
  /// The corresponding C function is `mdb_get`.
  ///
  /// - Complexity: O(log *n*).
  package func value(_ table: Table, _ key: UInt64) throws(LMDBError) -> PageBytes? {
    if let unsafePages {
      // A `Result`, because the function rethrows only untyped errors.
      return try unsafe unsafePages._withUnsafeGuaranteedRef { pages in
        Result { () throws(LMDBError) in try pages.value(table, key) }
      }.get()
    }
    try verifyPath(table, key)
    var key = key
    let (code, value) = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var name = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(handle, table.handle, &name, &value)
      return unsafe (code, value)
    }
    return unsafe try result(code, value, table)
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: PageBytes) throws(LMDBError) -> PageBytes? {
    if let pages { return try pages.value(table, key) }
    try verifyPath(table, key)
    var name = unsafe key.value
    var value = unsafe MDB_val()
    let code = unsafe mdb_get(handle, table.handle, &name, &value)
    guard let found = unsafe try result(code, value, table) else {
      // The key may exist and be damaged. It is then next to its position.
      if table.seed != 0 { _ = try cursor(table).seek(atLeast: key) }
      return nil
    }
    return table.seed == 0 ? found : try table.checked(found, key)
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: [UInt8]) throws(LMDBError) -> PageBytes? {
    try PageBytes.with(key) { key throws(LMDBError) in try value(table, key) }
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: String) throws(LMDBError) -> PageBytes? {
    try value(table, Array(key.utf8))
  }

  /// Returns whether a key is in a table whose entries have checksums. Checks the entries next to
  /// the position of the key.
  func hasKey(_ key: PageBytes, in table: Table) throws(LMDBError) -> Bool {
    let cursor = try cursor(table)
    guard try cursor.seek(atLeast: key) else { return false }
    return cursor.key.count == key.count && !key.precedes(cursor.key)
  }

  private func result(
    _ code: Int32, _ value: MDB_val, _ table: Table
  ) throws(LMDBError) -> PageBytes? {
    if code == MDB_NOTFOUND || table == .none { return nil }
    try check(code, "mdb_get")
    return unsafe PageBytes(value)
  }

  /// Returns the number of entries of a table.
  ///
  /// The corresponding C function is `mdb_stat`.
  ///
  /// - Complexity: O(1).
  package func count(_ table: Table) throws(LMDBError) -> Int {
    if let pages { return try pages.count(table) }
    return try statistics(table).entries
  }

  /// The size of a table.
  package struct Statistics: Hashable, Sendable {
    package let entries: Int
    package let pages: Int
    package let depth: Int
  }

  /// Returns the numbers of entries and pages of a table, and the depth of its tree.
  ///
  /// The corresponding C function is `mdb_stat`.
  package func statistics(_ table: Table) throws(LMDBError) -> Statistics {
    if let pages { return try pages.statistics(table) }
    if table == .none { return Statistics(entries: 0, pages: 0, depth: 0) }
    var facts = MDB_stat()
    try check(unsafe mdb_stat(handle, table.handle, &facts), "mdb_stat")
    return Statistics(
      entries: facts.ms_entries,
      pages: facts.ms_branch_pages + facts.ms_leaf_pages + facts.ms_overflow_pages,
      depth: Int(facts.ms_depth))
  }

  /// Returns a cursor over a table.
  ///
  /// The corresponding C function is `mdb_cursor_open`.
  package func cursor(_ table: Table) throws(LMDBError) -> Cursor {
    if let pages { return Cursor(try pages.cursor(table)) }
    if table == .none { return unsafe Cursor(handle: nil, lifetime: lifetime, table) }
    var cursor: OpaquePointer?
    try check(unsafe mdb_cursor_open(handle, table.handle, &cursor), "mdb_cursor_open")
    guard let cursor = unsafe cursor else {
      throw LMDBError(code: .noMemory, function: "mdb_cursor_open")
    }
    return unsafe Cursor(handle: cursor, lifetime: lifetime, table)
  }

  /// Calls `body` with each entry of a table that differs from that of an older snapshot, in the
  /// order of the keys. A value is nil if a snapshot does not have the key. Stops when `body`
  /// returns false.
  ///
  /// The older snapshot must have been held since its commit. The bytes are valid as long as both
  /// snapshots are held.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changed entries among *n*, regardless of the commits
  ///   between.
  package func forEachChange(
    of table: Table, since old: ReadView,
    _ body: (_ key: PageBytes, _ old: PageBytes?, _ new: PageBytes?) -> Bool
  ) throws(LMDBError) {
    guard let pages, let oldPages = old.pages else {
      throw LMDBError(code: .closed, function: "page")
    }
    try pages.forEachChange(of: table, since: oldPages, body)
  }

  /// Returns the number of the root page of a table in a snapshot.
  ///
  /// Two snapshots with the same number have the same entries, if the older one was held until the
  /// newer one was taken, or is at most two commits older: see ``PageMarks``.
  package func root(of table: Table) throws(LMDBError) -> UInt64 {
    guard let pages else { throw LMDBError(code: .closed, function: "page") }
    return try pages.root(of: table)
  }
}

extension PageBytes {
  /// Creates the bytes that LMDB's value describes.
  init(_ value: MDB_val) {
    // Safe: LMDB gives a start with every value, but an empty one may have none.
    let start = unsafe UnsafeRawPointer(value.mv_data) ?? UnsafeRawPointer(bitPattern: 8)!
    unsafe self.init(base: start, count: value.mv_size)
  }

  /// The description of the bytes for LMDB.
  var value: MDB_val {
    unsafe MDB_val(mv_size: count, mv_data: UnsafeMutableRawPointer(mutating: base))
  }
}
