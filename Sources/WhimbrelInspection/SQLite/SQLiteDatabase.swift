internal import Foundation

/// A new SQLite database that is being filled by one thread.
@safe
package final class SQLiteDatabase {
  fileprivate let library: SQLiteLibrary
  private let handle: OpaquePointer
  private let name: String

  private static let ok: Int32 = 0
  fileprivate static let row: Int32 = 100
  fileprivate static let done: Int32 = 101
  /// SQLITE_OPEN_READWRITE, SQLITE_OPEN_CREATE and SQLITE_OPEN_NOMUTEX.
  private static let flags: Int32 = 0x2 | 0x4 | 0x8000

  /// Creates a database file.
  ///
  /// - Parameter name: The name of the database in errors.
  package init(path: String, name: String) throws {
    guard let library = SQLiteLibrary() else { throw InspectionError.noSQLite(name) }
    var made: OpaquePointer?
    // Many builds of SQLite take a name that begins with `file:` for a URL.
    let plainPath = path.hasPrefix("/") ? path : "./\(path)"
    let code = unsafe library.open(plainPath, &made, Self.flags, nil)
    guard let made = unsafe made else {
      throw InspectionError.sqliteFailed(name, "not enough memory")
    }
    self.library = library
    self.name = name
    unsafe handle = made
    if code != Self.ok { throw error }
  }

  // Safe: only this object has the handle, and statements retain the database.
  deinit { _ = unsafe library.close(handle) }

  /// The last error of the database.
  fileprivate var error: InspectionError {
    // Safe: the text is copied before the next call to SQLite.
    let text = unsafe library.message(handle).map { unsafe String(cString: $0) }
    return InspectionError.sqliteFailed(name, text ?? "unknown error")
  }

  /// Runs a statement without results.
  func execute(_ text: String) throws {
    let statement = try prepare(text)
    while try statement.step() {}
  }

  package func prepare(_ text: String) throws -> SQLiteStatement {
    var made: OpaquePointer?
    let code = unsafe library.prepare(handle, text, -1, &made, nil)
    guard code == Self.ok, let made = unsafe made else { throw error }
    return unsafe SQLiteStatement(made, of: self)
  }
}

/// A prepared statement that can run repeatedly.
@safe
package final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase
  private var library: SQLiteLibrary { database.library }

  fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    unsafe self.handle = handle
    self.database = database
  }

  // Safe: only this object has the handle.
  deinit { _ = unsafe library.finalize(handle) }

  /// Moves to the next row. Returns false at the end.
  package func step() throws -> Bool {
    switch unsafe library.step(handle) {
    case SQLiteDatabase.row: return true
    case SQLiteDatabase.done: return false
    default: throw database.error
    }
  }

  /// Runs the statement with values, and resets it for the next run.
  func run(_ values: [SQLiteValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
    _ = try step()
    if unsafe library.reset(handle) != 0 { throw database.error }
  }

  /// Returns a column of the current row as text.
  package func text(_ column: Int32) -> String? {
    // Safe: the text is copied before the next call to SQLite.
    unsafe library.columnText(handle, column).map { unsafe String(cString: $0) }
  }

  private func bind(_ value: SQLiteValue, _ index: Int32) throws {
    let code: Int32
    switch value {
    case .null: code = unsafe library.bindNull(handle, index)
    case .integer(let number): code = unsafe library.bindInteger(handle, index, number)
    case .real(let number): code = unsafe library.bindDouble(handle, index, number)
    case .text(var text):
      // Safe: SQLite copies the bytes before the closure returns. 1 is UTF-8.
      code = text.withUTF8 { utf8 in
        unsafe library.bindText(
          handle, index, start(UnsafeRawBufferPointer(utf8)), UInt64(utf8.count), -1, 1)
      }
    case .blob(let data):
      // Safe: SQLite copies the bytes before the closure returns.
      code = unsafe data.withUnsafeBytes { bytes in
        unsafe library.bindBlob(handle, index, start(bytes), UInt64(bytes.count), -1)
      }
    }
    if code != 0 { throw database.error }
  }

  /// Returns the start of a buffer, never null: SQLite reads a null pointer as
  /// NULL.
  private func start(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    // Safe: the made-up pointer stands for an empty buffer, and SQLite reads no
    // bytes from it.
    unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)
  }
}

enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

extension InspectionError.Code {
  /// The system has no SQLite library.
  public static let noSQLite = Self("noSQLite")
}

extension InspectionError {
  static func noSQLite(_ path: String) -> InspectionError {
    InspectionError(
      .noSQLite,
      "Could not export to \(PlainText.quoted(path)): the SQLite library is not installed.",
      "Install it, on Debian and Ubuntu with 'apt-get install libsqlite3-0'. macOS includes it.")
  }

  static func sqliteFailed(_ path: String, _ reason: String) -> InspectionError {
    InspectionError(
      .cannotWrite,
      "Could not export to \(PlainText.quoted(path)): SQLite reports \(PlainText.quoted(reason)).",
      "Check that the folder exists and is writable, and that the disk has space left. No file was "
        + "created.")
  }
}
