internal import CWhimbrelLMDB
internal import Foundation

/// A cursor over one table.
///
/// It is closed when it is released, unless its write transaction has ended before and freed it.
/// Using a cursor after its transaction is an error.
// Safe: each call checks that the transaction is alive before it passes the handle to LMDB.
@safe
package final class Cursor {
  /// LMDB's cursor, or nil for the cursor of ``Table/none``.
  private let handle: OpaquePointer?
  private let lifetime: TransactionLifetime
  private let table: Table
  /// The cursor over the pages of a snapshot. Nil in a write.
  let pages: PageCursor?
  // Safe: one thread uses a cursor, one call after the other.
  @safe @exclusivity(unchecked) private var keyValue = unsafe MDB_val()
  @safe @exclusivity(unchecked) private var contentValue = unsafe MDB_val()

  init(handle: OpaquePointer?, lifetime: TransactionLifetime, _ table: Table) {
    unsafe self.handle = unsafe handle
    self.lifetime = lifetime
    self.table = table
    pages = nil
  }

  /// Creates a cursor over the pages of a snapshot, which reads nothing through LMDB.
  init(_ pages: PageCursor) {
    unsafe handle = nil
    lifetime = TransactionLifetime(freesCursors: false)
    table = .none
    self.pages = pages
  }

  deinit {
    // LMDB: cursors of a write transaction are freed when it ends. Those of a read-only one are
    // never freed, and may be closed after it.
    guard let handle = unsafe handle else { return }
    if lifetime.isAlive || !lifetime.freesCursors { unsafe mdb_cursor_close(handle) }
  }

  /// Returns LMDB's cursor for a write. Throws for ``Table/none``, which cannot be written.
  private func requireHandle(_ function: String) throws(LMDBError) -> OpaquePointer {
    try requireAlive(function)
    guard let handle = unsafe handle else {
      throw LMDBError(code: .init(rawValue: EINVAL), function: function)
    }
    return unsafe handle
  }

  private func requireAlive(_ function: String) throws(LMDBError) {
    guard lifetime.isAlive else {
      throw LMDBError(code: lifetime.freesCursors ? .badTransaction : .closed, function: function)
    }
  }

  /// Calls `body` with LMDB's cursor. Returns nil for ``Table/none``, which has none.
  func withHandle<Result>(
    _ body: (OpaquePointer) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result? {
    try requireAlive("mdb_cursor_get")
    guard let handle = unsafe handle else { return nil }
    return unsafe try body(handle)
  }

  /// The key of the current entry. It is valid as long as the transaction's bytes are.
  package var key: PageBytes {
    if let pages { return pages.key }
    return unsafe PageBytes(keyValue)
  }

  /// The value of the current entry. It is valid as long as the transaction's bytes are.
  package var value: PageBytes {
    if let pages { return pages.value }
    return unsafe PageBytes(contentValue)
  }

  /// The key of the current entry if it has eight bytes, otherwise 0.
  package var integerKey: UInt64 {
    if let pages { return pages.integerKey }
    return keyValue.mv_size == 8 ? unsafe PageBytes(keyValue).load(UInt64.self, at: 0) : 0
  }

  /// A move of a cursor without a key.
  package enum Step {
    case first, last, next, previous

    fileprivate var operation: MDB_cursor_op {
      switch self {
      case .first: MDB_FIRST
      case .last: MDB_LAST
      case .next: MDB_NEXT
      case .previous: MDB_PREV
      }
    }
  }

  /// Moves the cursor. Returns whether there is an entry.
  ///
  /// The corresponding C function is `mdb_cursor_get`.
  package func move(to step: Step) throws(LMDBError) -> Bool {
    if let pages { return try pages.move(to: step) }
    try requireAlive("mdb_cursor_get")
    guard let handle = unsafe handle else { return false }
    try lifetime.paths?.verify(table, end: step)
    let code = unsafe mdb_cursor_get(handle, &keyValue, &contentValue, step.operation)
    return try landed(code)
  }

  /// Moves to the first entry whose key is not less than a key. Returns whether there is one.
  ///
  /// - Parameter isLookup: Whether only this entry is used, and not those that follow. Outside of
  ///   writes, the rest of its page is then not verified again.
  package func seek(
    atLeast key: PageBytes, isLookup: Bool = false
  ) throws(LMDBError) -> Bool {
    if let pages { return try pages.seek(atLeast: key, isLookup: isLookup) }
    try requireAlive("mdb_cursor_get")
    guard let handle = unsafe handle else { return false }
    try lifetime.paths?.verify(table, key)
    keyValue = unsafe key.value
    let code = unsafe mdb_cursor_get(handle, &keyValue, &contentValue, MDB_SET_RANGE)
    if table.seed == 0 { return try landed(code) }
    return unsafe try landed(code, checkingEntryBefore: handle)
  }

  /// Returns whether a search has found an entry, and checks the entry before it. That may be a
  /// damaged one that belongs after it.
  private func landed(
    _ code: Int32, checkingEntryBefore handle: OpaquePointer
  ) throws(LMDBError) -> Bool {
    if code == MDB_NOTFOUND {
      _ = try landed(unsafe mdb_cursor_get(handle, &keyValue, &contentValue, MDB_LAST))
      return try landed(code)
    }
    guard code == MDB_SUCCESS else { return try landed(code) }
    let hasEntryBefore = try landed(
      unsafe mdb_cursor_get(handle, &keyValue, &contentValue, MDB_PREV))
    // This returns to the found entry without a second search.
    return try landed(
      unsafe mdb_cursor_get(
        handle, &keyValue, &contentValue, hasEntryBefore ? MDB_NEXT : MDB_FIRST))
  }

  /// Moves to the first entry whose key is not less than a key. Returns whether there is one.
  package func seek(atLeast key: [UInt8]) throws(LMDBError) -> Bool {
    try PageBytes.with(key) { key throws(LMDBError) in try seek(atLeast: key) }
  }

  /// Moves to the first entry whose key of eight bytes is not less than a key. Returns whether
  /// there is one.
  package func seek(atLeast key: UInt64) throws(LMDBError) -> Bool {
    if let pages { return try pages.seek(atLeast: key) }
    return try seek(key, MDB_SET_RANGE)
  }

  /// Moves to the first entry whose key of eight bytes is not less than a key, from an entry just
  /// before it that was put. The result is probably the next entry.
  package func step(toAtLeast key: UInt64) throws(LMDBError) -> Bool {
    // The path to the next entry must be verified first.
    if lifetime.paths != nil { return try seek(atLeast: key) }
    guard try move(to: .next) else { return false }
    if integerKey >= key { return true }
    return try seek(atLeast: key)
  }

  /// Moves to the entry with a key of eight bytes. Returns whether there is one.
  package func seek(to key: UInt64) throws(LMDBError) -> Bool {
    if let pages { return try pages.seek(to: key) }
    return try seek(key, MDB_SET_KEY)
  }

  /// Calls `body` with the key and the value of each entry of the table. They are valid as long as
  /// the transaction's bytes are. Afterwards the cursor has no entry.
  ///
  /// - Complexity: O(*n*).
  package func forEachEntry(_ body: (_ key: PageBytes, _ value: PageBytes) -> Void)
    throws(LMDBError)
  {
    if let pages { return try pages.forEachEntry(body) }
    try requireAlive("mdb_cursor_get")
    guard let handle = unsafe handle else { return }
    var (key, value) = unsafe (MDB_val(), MDB_val())
    var code = unsafe mdb_cursor_get(handle, &key, &value, MDB_FIRST)
    while code == MDB_SUCCESS {
      let name = unsafe PageBytes(key)
      let stored = unsafe PageBytes(value)
      body(name, table.seed == 0 ? stored : try table.checked(stored, name))
      code = unsafe mdb_cursor_get(handle, &key, &value, MDB_NEXT)
    }
    _ = try landed(code)
  }

  /// Moves to the last entry of the current page. Does nothing in a write.
  package func moveToEndOfPage() throws(LMDBError) { try pages?.moveToEndOfPage() }

  /// Whether the current page is the first child of its branch page. Always false in a write, where
  /// this is not known.
  package var isOnFirstPageOfBranch: Bool { pages?.isOnFirstPageOfBranch ?? false }

  private func seek(_ key: UInt64, _ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    try requireAlive("mdb_cursor_get")
    guard let handle = unsafe handle else { return false }
    try lifetime.paths?.verify(table, key)
    var key = key
    let code = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      keyValue = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return unsafe mdb_cursor_get(handle, &keyValue, &contentValue, operation)
    }
    return try landed(code)
  }

  /// Returns whether a move has found an entry. Otherwise clears the key, which would still be the
  /// caller's key, in memory that the cursor does not own.
  private func landed(_ code: Int32) throws(LMDBError) -> Bool {
    if code == MDB_SUCCESS {
      if table.seed != 0 {
        contentValue = unsafe try table.checked(PageBytes(contentValue), PageBytes(keyValue)).value
      }
      return true
    }
    unsafe (keyValue, contentValue) = (MDB_val(), MDB_val())
    if code == MDB_NOTFOUND { return false }
    try check(code)
    return true
  }

  /// Throws unless the code of a move means success.
  @inline(__always)
  func check(_ code: Int32) throws(LMDBError) { try lifetime.check(code, "mdb_cursor_get") }

  /// Puts a value after the last entry. The key must be greater than all others.
  ///
  /// The corresponding C function is `mdb_cursor_put`.
  package func append(_ key: UInt64, _ value: PageBytes) throws(LMDBError) {
    try lifetime.check(put(key, value, UInt32(MDB_APPEND)), "mdb_cursor_put")
  }

  /// Replaces the value of the current entry, whose key is given.
  package func replace(_ key: UInt64, _ value: PageBytes) throws(LMDBError) {
    try lifetime.check(put(key, value, UInt32(MDB_CURRENT)), "mdb_cursor_put")
  }

  /// Puts a value under a key of eight bytes. Returns whether it was put.
  ///
  /// LMDB: a cursor searches its current page first.
  @discardableResult
  package func put(
    _ key: UInt64, _ value: PageBytes, _ placement: WriteView.Placement = .replacing
  ) throws(LMDBError) -> Bool {
    let code = try put(key, value, placement.flags)
    if code == MDB_KEYEXIST, placement == .ifAbsent { return false }
    try lifetime.check(code, "mdb_cursor_put")
    return true
  }

  /// Removes the entry with a key of eight bytes. Returns whether there was one. Afterwards the
  /// cursor has no entry.
  ///
  /// LMDB: a cursor searches its current page first, so keys in order are removed faster than by
  /// ``WriteView/remove(_:_:)``. The corresponding C function is `mdb_cursor_del`.
  @discardableResult
  package func remove(_ key: UInt64) throws(LMDBError) -> Bool {
    // The search also verifies the pages that the removal uses.
    guard try seek(to: key) else { return false }
    try removeCurrent()
    return true
  }

  /// Puts a value under a key of any size. A value under the same key is replaced.
  ///
  /// LMDB: a cursor searches its current page first, so keys in order are put faster than by
  /// ``WriteView/put(_:_:_:_:)-(_,PageBytes,_,_)``. The corresponding C function is
  /// `mdb_cursor_put`.
  ///
  /// - Parameter isLast: Whether the key is greater than all others. Pages are then filled.
  package func put(_ key: PageBytes, _ value: PageBytes, isLast: Bool) throws(LMDBError) {
    let handle = unsafe try requireHandle("mdb_cursor_put")
    unsafe try lifetime.willWrite(table, in: mdb_cursor_txn(handle))
    try lifetime.paths?.verify(table, key)
    let code = unsafe table.put(key, value, isLast ? UInt32(MDB_APPEND) : 0) { key, value, flags in
      unsafe mdb_cursor_put(handle, &key, &value, flags)
    }
    try lifetime.check(code, "mdb_cursor_put")
    unsafe try lifetime.didWrite(table, bytes: value.count, in: mdb_cursor_txn(handle))
  }

  /// Removes the current entry. Afterwards the cursor has no entry.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  package func removeCurrent() throws(LMDBError) {
    let handle = unsafe try requireHandle("mdb_cursor_del")
    unsafe try lifetime.willWrite(table, in: mdb_cursor_txn(handle))
    try lifetime.check(unsafe mdb_cursor_del(handle, 0), "mdb_cursor_del")
    unsafe (keyValue, contentValue) = (MDB_val(), MDB_val())
    unsafe try lifetime.didWrite(table, in: mdb_cursor_txn(handle))
  }

  private func put(
    _ key: UInt64, _ value: PageBytes, _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    let handle = unsafe try requireHandle("mdb_cursor_put")
    unsafe try lifetime.willWrite(table, in: mdb_cursor_txn(handle))
    try lifetime.paths?.verify(table, key)
    var key = key
    let code = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var name = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var content = unsafe value.value
      return unsafe mdb_cursor_put(handle, &name, &content, flags)
    }
    if code == MDB_SUCCESS {
      unsafe try lifetime.didWrite(table, bytes: value.count, in: mdb_cursor_txn(handle))
    }
    return code
  }
}
