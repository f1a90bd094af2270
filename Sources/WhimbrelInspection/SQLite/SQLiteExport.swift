public import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// An export of a store to an SQLite database, for programs that read SQL.
///
/// ```swift
/// let summary = try SQLiteExport(inspector).write(to: "zones.db")
/// print(summary.text)
/// ```
///
/// Each class becomes a table, and each property that is not a collection a column, with the same
/// names. SQLite ignores case in names, so a number is added to names that differ only in case. A
/// class without a primary key has the object ID in a column `id`.
///
/// | type | column |
/// |---|---|
/// | `bool`, integers | `INTEGER`, exact; `true` is 1 |
/// | `float`, `double` | `REAL`; NaN, which SQLite numbers lack, is the text `nan` |
/// | `string`, `uuid`, `objectId` | `TEXT` |
/// | `decimal` | `TEXT`, exact |
/// | `date` | `TEXT`, ISO 8601 in UTC such as `2025-05-01T12:30:00.25Z`; see below |
/// | `data` | `BLOB` |
/// | `any` | `TEXT`, JSON as in a dump, with the kind of the value |
/// | link | the primary key of the object, or its `id`, as a foreign key |
/// | list | a table `Class_property` with `owner`, `position` and `value` |
/// | set | a table `Class_property` with `owner` and `value` |
/// | map | a table `Class_property` with `owner`, `name` and `value` |
///
/// A date outside the years 1 to 9999 is the number of seconds since 2001.
///
/// Embedded objects are rows in the table of their class. A column `owner_Class_property` links
/// each to its owner. All indexes are created except full-text indexes; unique indexes stay unique.
/// `PRAGMA user_version` is the schema version. The export checks the foreign keys.
///
/// The export uses the system's SQLite library, and fails if there is none.
public struct SQLiteExport {
  private let inspector: StoreInspector
  private let monitor: WorkMonitor

  /// The number of rows in each table.
  public struct Summary: Hashable, Sendable {
    /// The tables, sorted by name.
    public internal(set) var tables: [Table] = []

    /// A table of the database.
    public struct Table: Hashable, Sendable, Codable {
      /// The name of the table.
      public let name: String
      /// The number of rows.
      public let rows: Int
    }
  }

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - inspector: The store.
  ///   - monitor: Receives the progress.
  public init(_ inspector: StoreInspector, monitor: WorkMonitor = .silent) {
    self.inspector = inspector
    self.monitor = monitor
  }

  /// Writes the database under a temporary name, and renames the file when it is complete.
  ///
  /// - Throws: ``InspectionError`` with `fileExists`, `noSQLite`, `notConverted`, `cannotWrite` or
  ///   `cancelled`, and `StoreError` for a damaged object. There is no file then.
  /// - Complexity: O(*n* log *n*), in memory for one object.
  @discardableResult
  public func write(to path: String) throws -> Summary {
    if FileManager.default.fileExists(atPath: path) {
      throw InspectionError.fileExists(path, "export the store to")
    }
    try inspector.requireConverted("export the store")
    let file = try TemporaryFile.new(beside: path)
    defer { file.remove() }
    let temporary = file.path
    let summary = try SizeSignal.blocked {
      try inspector.explaining { try fill(temporary, path) }
    }
    try Self.sync(temporary, path)
    try file.take(name: path, "export the store to")
    return summary
  }

  private func fill(_ temporary: String, _ path: String) throws -> Summary {
    let database = try SQLiteDatabase(path: temporary, name: path)
    // No journal is needed: the file is deleted on any failure.
    try database.execute("PRAGMA journal_mode = OFF")
    try database.execute("PRAGMA synchronous = OFF")
    // `user_version` has 32 bits.
    let version = Int32(exactly: inspector.header.schemaVersion) ?? 0
    try database.execute("PRAGMA user_version = \(version)")
    try database.execute("BEGIN")
    let tables = SQLiteTables(inspector.tables)
    // Once for all tables: to make it takes as long as the schema.
    let classes = DumpClasses(inspector.tables)
    for table in tables.sorted {
      for statement in table.creation(tables) { try database.execute(statement) }
    }
    var summary = Summary()
    for table in tables.sorted {
      let rows = try SQLiteRows(table, database, classes)
      summary.tables += try rows.write { completed, total in
        try monitor.update(
          "Exporting \(PlainText.escaped(table.table.name))", completed, of: total,
          orThrow: InspectionError.cancelled(path, "export the store to"))
      }
    }
    var names = SQLiteNames(tables.sorted.flatMap { [$0.name] + $0.collections.values })
    for table in tables.sorted {
      for statement in table.indexCreation(&names) { try database.execute(statement) }
    }
    try database.execute("COMMIT")
    let check = try database.prepare("PRAGMA foreign_key_check")
    if try check.step() {
      throw InspectionError.sqliteFailed(
        path, "a row of \(check.text(0) ?? "a table") refers to a row that does not exist")
    }
    summary.tables.sort { $0.name < $1.name }
    return summary
  }

  /// Waits until the bytes of a file are on disk.
  private static func sync(_ temporary: String, _ path: String) throws {
    let descriptor = unsafe open(temporary, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    defer { close(descriptor) }
    guard FileBytes.sync(descriptor) == 0 else {
      throw InspectionError.cannotWrite(path, number: errno)
    }
  }
}

extension SQLiteExport.Summary {
  /// The number of rows of each table in a line, such as `Zone: 312 rows`.
  public var text: String {
    if tables.isEmpty { return "No tables.\n" }
    return tables.map { "\(PlainText.escaped($0.name)): \(StoreError.count($0.rows, "row"))\n" }
      .joined()
  }

  /// Returns the tables as JSON: `[{"name":"Zone","rows":312}]`.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(tables) }
}
