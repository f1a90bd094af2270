internal import CWhimbrelLMDB

/// A view for reading and writing in a transaction. It must not outlive the transaction.
///
/// Every write ends the validity of the bytes read before it.
// Safe: as ``ReadView``.
@safe
package struct WriteView {
  /// The view for reading, with everything written so far.
  package let reading: ReadView

  /// The way in which a value is put.
  package enum Placement {
    /// A value under the same key is replaced.
    case replacing
    /// A value under the same key stays, and the put returns false.
    case ifAbsent
    /// The key is greater than all others. Any other key is an error.
    case atEnd

    var flags: UInt32 {
      switch self {
      case .replacing: 0
      case .ifAbsent: UInt32(MDB_NOOVERWRITE)
      case .atEnd: UInt32(MDB_APPEND)
      }
    }
  }
}

extension WriteView {
  /// Puts a value. Returns whether it was put. A guarded entry gets its checksum. If it is put only
  /// if absent, its neighbours are checked first, because the key may exist and be damaged.
  ///
  /// The corresponding C function is `mdb_put`.
  @discardableResult
  package func put(
    _ table: Table, _ key: PageBytes, _ value: PageBytes, _ placement: Placement = .replacing
  ) throws(LMDBError) -> Bool {
    if placement == .ifAbsent, table.seed != 0, try reading.hasKey(key, in: table) { return false }
    try reading.willWrite(table)
    try reading.verifyPath(table, key)
    let code = unsafe table.put(key, value, placement.flags) { key, value, flags in
      unsafe mdb_put(reading.handle, table.handle, &key, &value, flags)
    }
    if code == MDB_KEYEXIST, placement == .ifAbsent { return false }
    try reading.check(code, "mdb_put")
    try reading.didWrite(table, bytes: value.count)
    return true
  }

  /// Puts a value under a key of eight bytes.
  @discardableResult
  package func put(
    _ table: Table, _ key: UInt64, _ value: PageBytes, _ placement: Placement = .replacing
  ) throws(LMDBError) -> Bool {
    try reading.willWrite(table)
    try reading.verifyPath(table, key)
    var key = key
    let code = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var name = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var content = unsafe value.value
      return unsafe mdb_put(reading.handle, table.handle, &name, &content, placement.flags)
    }
    if code == MDB_KEYEXIST, placement == .ifAbsent { return false }
    try reading.check(code, "mdb_put")
    try reading.didWrite(table, bytes: value.count)
    return true
  }

  /// Puts a value.
  @discardableResult
  package func put(
    _ table: Table, _ key: [UInt8], _ value: [UInt8], _ placement: Placement = .replacing
  ) throws(LMDBError) -> Bool {
    try PageBytes.with(key) { key throws(LMDBError) in
      try PageBytes.with(value) { value throws(LMDBError) in
        try put(table, key, value, placement)
      }
    }
  }

  /// Puts a value under a name.
  package func put(_ table: Table, _ key: String, _ value: [UInt8]) throws(LMDBError) {
    try put(table, Array(key.utf8), value)
  }

  /// Removes a key. Returns whether it existed.
  ///
  /// The corresponding C function is `mdb_del`.
  @discardableResult
  package func remove(_ table: Table, _ key: PageBytes) throws(LMDBError) -> Bool {
    try reading.willWrite(table)
    try reading.verifyPath(table, key)
    var name = unsafe key.value
    let code = unsafe mdb_del(reading.handle, table.handle, &name, nil)
    if code == MDB_NOTFOUND { return false }
    try reading.check(code, "mdb_del")
    try reading.didWrite(table)
    return true
  }

  /// Removes a key of eight bytes. Returns whether it existed.
  @discardableResult
  package func remove(_ table: Table, _ key: UInt64) throws(LMDBError) -> Bool {
    try reading.willWrite(table)
    try reading.verifyPath(table, key)
    var key = key
    let code = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var name = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return unsafe mdb_del(reading.handle, table.handle, &name, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try reading.check(code, "mdb_del")
    try reading.didWrite(table)
    return true
  }

  /// Removes a name.
  @discardableResult
  package func remove(_ table: Table, _ key: String) throws(LMDBError) -> Bool {
    try PageBytes.with(Array(key.utf8)) { key throws(LMDBError) in try remove(table, key) }
  }

  /// Removes every entry of a table.
  ///
  /// The corresponding C function is `mdb_drop`.
  package func empty(_ table: Table) throws(LMDBError) {
    try reading.willWrite(table)
    try reading.verifyAllPages(of: table)
    try reading.check(unsafe mdb_drop(reading.handle, table.handle, 0), "mdb_drop")
  }
}

extension Table {
  /// Calls `put`, a function of LMDB, with a key, a value and flags. A guarded entry gets its
  /// checksum.
  func put(
    _ key: PageBytes, _ value: PageBytes, _ flags: UInt32,
    _ put: (inout MDB_val, inout MDB_val, UInt32) -> Int32
  ) -> Int32 {
    var (name, content) = unsafe (key.value, value.value)
    if seed == 0 { return unsafe put(&name, &content, flags) }
    let checksum = EntryChecksum.of(key, value, seed: seed).littleEndian
    // LMDB: it reserves that many bytes, and returns their address.
    unsafe content.mv_size += EntryChecksum.size
    let code = unsafe put(&name, &content, flags | UInt32(MDB_RESERVE))
    if code == MDB_SUCCESS, let room = unsafe content.mv_data {
      // Safe: the reserved memory has the requested size, and `value` is not in the table.
      unsafe room.copyMemory(from: value.base, byteCount: value.count)
      unsafe room.storeBytes(of: checksum, toByteOffset: value.count, as: UInt32.self)
    }
    return code
  }
}
