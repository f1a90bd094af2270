import CWhimbrelLMDB
import Foundation
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// An error code of LMDB, with the call that returned it.
struct LMDBTestError: Error, CustomStringConvertible {
  let code: Int32
  let call: String

  var description: String {
    unsafe "\(call): \(String(cString: mdb_strerror(code)))"
  }
}

/// Throws unless a call of LMDB went well.
func check(_ code: Int32, _ call: String = #function) throws {
  if code != MDB_SUCCESS { throw LMDBTestError(code: code, call: call) }
}

extension SeededGenerator {
  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
  mutating func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 8)
    while result.count < count {
      unsafe withUnsafeBytes(of: next()) { unsafe result.append(contentsOf: $0) }
    }
    result.removeLast(result.count - count)
    return result
  }
}

/// A folder that goes away with the test.
final class StructureTestFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("structure-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "data.mdb") -> String { path + "/" + name }
}

/// An environment of LMDB, by its C functions and without the layer under test.
@safe
final class StructureTestFile {
  let path: String
  private let environment: OpaquePointer

  /// Opens or creates a file. Nothing is synced: no test here cuts the power.
  init(path: String, mapSize: Int = 1 << 30) throws {
    var made: OpaquePointer?
    try unsafe check(mdb_env_create(&made))
    let environment = unsafe made!
    unsafe self.environment = unsafe environment
    self.path = path
    try unsafe check(mdb_env_set_mapsize(environment, mapSize))
    try unsafe check(mdb_env_set_maxdbs(environment, 32))
    let flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOTLS) | UInt32(MDB_NOSYNC)
    try unsafe check(mdb_env_open(environment, path, flags, 0o644))
  }

  deinit {
    unsafe mdb_env_close(environment)
  }

  /// Runs a transaction; it is aborted when `body` throws or returns false.
  func write(_ body: (StructureTestTransaction) throws -> Bool) throws {
    var made: OpaquePointer?
    try unsafe check(mdb_txn_begin(environment, nil, 0, &made))
    let transaction = unsafe made!
    do {
      if try unsafe body(StructureTestTransaction(handle: transaction)) {
        try unsafe check(mdb_txn_commit(transaction))
      } else {
        unsafe mdb_txn_abort(transaction)
      }
    } catch let error as LMDBTestError where error.call == "mdb_txn_commit" {
      throw error
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
  }

  /// Runs a read transaction.
  func read(_ body: (StructureTestTransaction) throws -> Void) throws {
    var made: OpaquePointer?
    try unsafe check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &made))
    let transaction = unsafe made!
    defer { unsafe mdb_txn_abort(transaction) }
    try unsafe body(StructureTestTransaction(handle: transaction))
  }

  /// Copies the file without its free pages.
  func copyCompacted(to path: String) throws {
    try unsafe check(mdb_env_copy2(environment, path, UInt32(MDB_CP_COMPACT)))
  }
}

/// A transaction of a ``StructureTestFile``.
@safe
struct StructureTestTransaction {
  private let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  /// Opens a table, or the main database without a name.
  func table(_ name: String?, integers: Bool = false, create: Bool = true) throws -> MDB_dbi {
    var table: MDB_dbi = 0
    let flags = (integers ? UInt32(MDB_INTEGERKEY) : 0) | (create ? UInt32(MDB_CREATE) : 0)
    try unsafe check(mdb_dbi_open(handle, name, name == nil ? 0 : flags, &table), "mdb_dbi_open")
    return table
  }

  func put(_ table: MDB_dbi, _ key: [UInt8], _ value: [UInt8]) throws {
    var (key, value) = (key, value)
    let code = unsafe key.withUnsafeMutableBytes { key in
      unsafe value.withUnsafeMutableBytes { value in
        var keyValue = unsafe MDB_val(mv_size: key.count, mv_data: key.baseAddress)
        var dataValue = unsafe MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        return unsafe mdb_put(handle, table, &keyValue, &dataValue, 0)
      }
    }
    try check(code, "mdb_put")
  }

  /// Deletes an entry and returns whether there was one.
  @discardableResult
  func delete(_ table: MDB_dbi, _ key: [UInt8]) throws -> Bool {
    var key = key
    let code = unsafe key.withUnsafeMutableBytes { key in
      var keyValue = unsafe MDB_val(mv_size: key.count, mv_data: key.baseAddress)
      return unsafe mdb_del(handle, table, &keyValue, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, "mdb_del")
    return true
  }

  func drop(_ table: MDB_dbi, delete: Bool) throws {
    try unsafe check(mdb_drop(handle, table, delete ? 1 : 0), "mdb_drop")
  }

  /// The pages and entries of a table, as LMDB counts them.
  func statistics(_ table: MDB_dbi) throws -> MDB_stat {
    var statistics = MDB_stat()
    try unsafe check(mdb_stat(handle, table, &statistics), "mdb_stat")
    return statistics
  }

  /// Hands every entry of a table to a closure, which returns whether to go on.
  func scan(
    _ table: MDB_dbi, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var made: OpaquePointer?
    try unsafe check(mdb_cursor_open(handle, table, &made), "mdb_cursor_open")
    let cursor = unsafe made!
    defer { unsafe mdb_cursor_close(cursor) }
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    while true {
      let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return }
      try check(code, "mdb_cursor_get")
      let goesOn = try unsafe body(
        UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
      if !goesOn { return }
    }
  }

  /// All keys of a table.
  func keys(_ table: MDB_dbi) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try unsafe scan(table) { key, _ in
      unsafe keys.append(Array(key))
      return true
    }
    return keys
  }
}

/// An integer as LMDB's integer keys want it.
func integerKey(_ number: UInt64) -> [UInt8] {
  unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
}
