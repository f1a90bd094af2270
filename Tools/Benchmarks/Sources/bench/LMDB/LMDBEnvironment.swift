import CBenchLMDB
import Foundation

struct LMDBError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { unsafe String(cString: mdb_strerror(code)) }

  static func check(_ code: Int32) throws {
    if code != MDB_SUCCESS { throw LMDBError(code: code) }
  }
}

/// A thin wrapper of LMDB's C functions.
@safe
final class LMDBEnvironment {
  private let handle: OpaquePointer

  init(path: String) throws {
    var made: OpaquePointer?
    try unsafe LMDBError.check(mdb_env_create(&made))
    unsafe handle = unsafe made!
    try unsafe LMDBError.check(mdb_env_set_mapsize(handle, 1 << 38))
    try unsafe LMDBError.check(mdb_env_set_maxdbs(handle, 8))
    let flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOTLS)
    try unsafe LMDBError.check(mdb_env_open(handle, path, flags, 0o644))
  }

  deinit { unsafe mdb_env_close(handle) }

  func begin(readOnly: Bool = false) throws -> LMDBTransaction {
    var made: OpaquePointer?
    let flags = readOnly ? UInt32(MDB_RDONLY) : 0
    try unsafe LMDBError.check(mdb_txn_begin(handle, nil, flags, &made))
    return unsafe LMDBTransaction(made!)
  }
}

/// A transaction. Its creator must commit or abort it.
@safe
struct LMDBTransaction {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  func commit() throws { try unsafe LMDBError.check(mdb_txn_commit(handle)) }
  func abort() { unsafe mdb_txn_abort(handle) }

  func table(
    _ name: String, keys: LMDBKeys = .integers, create: Bool = true
  ) throws -> MDB_dbi {
    var table: MDB_dbi = 0
    let flags = (keys == .integers ? UInt32(MDB_INTEGERKEY) : 0) | (create ? UInt32(MDB_CREATE) : 0)
    try unsafe LMDBError.check(mdb_dbi_open(handle, name, flags, &table))
    return table
  }

  func drop(_ table: MDB_dbi) throws { try unsafe LMDBError.check(mdb_drop(handle, table, 1)) }

  func cursor(_ table: MDB_dbi) throws -> LMDBCursor {
    var made: OpaquePointer?
    try unsafe LMDBError.check(mdb_cursor_open(handle, table, &made))
    return unsafe LMDBCursor(made!)
  }

  func get(_ table: MDB_dbi, _ key: UInt64) throws -> LMDBRecordView {
    var key = key
    return try unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var keyValue = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val()
      try unsafe LMDBError.check(mdb_get(handle, table, &keyValue, &value))
      return unsafe LMDBRecordView(
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
  }
}

enum LMDBKeys {
  case integers, bytes
}

@safe
struct LMDBCursor {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  func close() { unsafe mdb_cursor_close(handle) }

  func next() throws -> (UInt64, LMDBRecordView)? {
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(handle, &key, &value, MDB_NEXT)
    if code == MDB_NOTFOUND { return nil }
    try LMDBError.check(code)
    let bytes = unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    return unsafe (key.mv_data.loadUnaligned(as: UInt64.self), LMDBRecordView(bytes))
  }

  func put(_ key: UInt64, _ record: LMDBRecordBuffer, flags: Int32) throws {
    var key = key
    let code = unsafe withUnsafeMutableBytes(of: &key) { bytes in
      var keyValue = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val(mv_size: record.count, mv_data: record.record.baseAddress)
      return unsafe mdb_cursor_put(handle, &keyValue, &value, UInt32(flags))
    }
    try LMDBError.check(code)
  }

  /// Writes a key of bytes with an empty value.
  func put(_ key: LMDBRecordBuffer) throws {
    var keyValue = unsafe MDB_val(mv_size: key.count, mv_data: key.record.baseAddress)
    var value = unsafe MDB_val()
    try unsafe LMDBError.check(mdb_cursor_put(handle, &keyValue, &value, 0))
  }

  /// Returns the ID at the end of the first key with a prefix.
  func firstID(after prefix: LMDBRecordBuffer) throws -> UInt64? {
    var key = unsafe MDB_val(mv_size: prefix.count, mv_data: prefix.record.baseAddress)
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(handle, &key, &value, MDB_SET_RANGE)
    if code == MDB_NOTFOUND { return nil }
    try LMDBError.check(code)
    let found = unsafe UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
    guard found.count == prefix.count + 8, unsafe found.starts(with: prefix.record) else {
      return nil
    }
    let id = unsafe found.loadUnaligned(fromByteOffset: prefix.count, as: UInt64.self)
    return UInt64(bigEndian: id)
  }
}
