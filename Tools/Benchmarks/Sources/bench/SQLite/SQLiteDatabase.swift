import Foundation
import GRDBSQLite

struct SQLiteError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { unsafe String(cString: sqlite3_errstr(code)) }

  static func check(_ code: Int32, expected: Int32 = SQLITE_OK) throws {
    if code != expected { throw SQLiteError(code: code) }
  }
}

/// A thin wrapper of SQLite's C functions.
@safe
final class SQLiteDatabase {
  private let handle: OpaquePointer

  /// Opens or creates a file.
  init(path: String) throws {
    var made: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &made, flags, nil)
    guard let made = unsafe made else { throw SQLiteError(code: code) }
    unsafe handle = unsafe made
    try SQLiteError.check(code)
    try execute(SQLText.settings)
  }

  deinit { _ = unsafe sqlite3_close_v2(handle) }

  /// Runs statements without results.
  func execute(_ text: String) throws {
    try unsafe SQLiteError.check(sqlite3_exec(handle, text, nil, nil, nil))
  }

  /// Returns the number that a query finds.
  func number(_ query: String) throws -> Double {
    let statement = try prepare(query)
    return try statement.step() ? statement.double(0) : 0
  }

  func prepare(_ text: String) throws -> SQLiteStatement {
    var made: OpaquePointer?
    try unsafe SQLiteError.check(sqlite3_prepare_v2(handle, text, -1, &made, nil))
    guard let made = unsafe made else { throw SQLiteError(code: SQLITE_MISUSE) }
    return unsafe SQLiteStatement(made)
  }
}

/// A prepared statement, which can run any number of times.
@safe
final class SQLiteStatement {
  private let handle: OpaquePointer

  // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
  private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Goes to the next row, and returns whether there is one.
  func step() throws -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    try SQLiteError.check(code, expected: SQLITE_DONE)
    return false
  }

  /// Resets the statement for another run. Bound values stay.
  func reset() { _ = unsafe sqlite3_reset(handle) }

  /// Runs a statement without rows.
  func run() throws {
    _ = try step()
    reset()
  }

  func bind(_ value: Int, at place: Int32) {
    _ = unsafe sqlite3_bind_int64(handle, place, Int64(value))
  }

  func bind(_ value: Double, at place: Int32) {
    _ = unsafe sqlite3_bind_double(handle, place, value)
  }

  func bind(_ value: String, at place: Int32) {
    var value = value
    value.withUTF8 { text in
      _ = unsafe text.withMemoryRebound(to: CChar.self) {
        unsafe sqlite3_bind_text(handle, place, $0.baseAddress, Int32($0.count), Self.copied)
      }
    }
  }

  func bind(_ value: Data, at place: Int32) {
    unsafe value.withUnsafeBytes {
      _ = unsafe sqlite3_bind_blob(
        handle, place, $0.baseAddress, Int32($0.count), Self.copied)
    }
  }

  /// Binds all values of a person, in column order.
  func bind(_ person: PersonValues) {
    bind(person.id, at: 1)
    bind(person.firstName, at: 2)
    bind(person.lastName, at: 3)
    bind(person.email, at: 4)
    bind(person.age, at: 5)
    bind(person.score, at: 6)
    bind(person.created.timeIntervalSinceReferenceDate, at: 7)
    bind(person.isActive ? 1 : 0, at: 8)
    bind(person.avatar, at: 9)
  }

  func int(_ column: Int32) -> Int { unsafe Int(sqlite3_column_int64(handle, column)) }

  func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  func string(_ column: Int32) -> String {
    let text = unsafe sqlite3_column_text(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}
