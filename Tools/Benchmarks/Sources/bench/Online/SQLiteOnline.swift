import Foundation
import Synchronization

/// A shadow table by SQLite's C functions.
final class SQLiteOnline: OnlineEngine {
  private let database: SQLiteDatabase
  private let copy: ShadowCopy
  private var statements: [String: SQLiteStatement] = [:]

  static func create(_ path: String, count: Int) throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute("BEGIN; " + ShadowText.create)
    let statement = try database.prepare(ShadowText.insert)
    for id in 0..<count {
      let values = ReadingValues(id: id)
      statement.bind(values.id, at: 1)
      statement.bind(values.sensor, at: 2)
      statement.bind(values.number, at: 3)
      statement.bind(values.raw, at: 4)
      statement.bind(values.taken, at: 5)
      statement.bind(values.isValid ? 1 : 0, at: 6)
      statement.bind(values.note, at: 7)
      try statement.run()
    }
    try database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  static func openPlain(_ path: String) throws {
    let statement = try SQLiteDatabase(path: path).prepare(ShadowText.readPlain)
    statement.bind(7, at: 1)
    guard try statement.step() else { throw WorkloadError.noReading(7) }
  }

  static func migrateAtOnce(_ path: String) throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute(
      "BEGIN; " + ShadowText.createShadow + ShadowText.fill + ShadowText.swap + "COMMIT")
    let statement = try database.prepare(ShadowText.read)
    statement.bind(7, at: 1)
    _ = try statement.step()
  }

  init(_ path: String) throws {
    let database = try SQLiteDatabase(path: path)
    self.database = database
    try database.execute("PRAGMA busy_timeout = 60000")
    func number(_ text: String) throws -> Int {
      let statement = try database.prepare(text)
      return try statement.step() ? statement.int(0) : 0
    }
    if try number(ShadowText.isConverted) > 0 {
      copy = ShadowCopy(end: nil)
      return
    }
    try database.execute(ShadowText.createShadow)
    copy = ShadowCopy(end: try number(ShadowText.last))
    let writer = try SQLiteShadowWriter(path)
    copy.start(batch: writer.batch, swap: writer.swap)
  }

  init(keeping path: String) throws {
    database = try SQLiteDatabase(path: path)
    copy = ShadowCopy(end: nil)
  }

  private func statement(_ text: String) throws -> SQLiteStatement {
    if let known = statements[text] { return known }
    let made = try database.prepare(text)
    statements[text] = made
    return made
  }

  func read(_ id: Int) throws -> Double {
    let statement = try statement(copy.isOver ? ShadowText.read : ShadowText.readMoving)
    defer { statement.reset() }
    statement.bind(id, at: 1)
    guard try statement.step() else {
      throw WorkloadError.noReading(id)
    }
    return statement.double(0)
  }

  func scan() throws -> Double {
    let statement = try statement(copy.isOver ? ShadowText.scan : ShadowText.scanMoving)
    defer { statement.reset() }
    var sum = 0
    while try statement.step() {
      sum += statement.string(0).utf8.count + statement.int(1) + statement.string(2).utf8.count
    }
    return Double(sum)
  }

  func change(_ ids: [Int]) throws {
    copy.noteWrite()
    try database.execute("BEGIN IMMEDIATE")
    // Nobody replaces the table before the end of this transaction.
    let check = try statement(ShadowText.isMoving)
    let isMoving = try check.step() && check.int(0) > 0
    check.reset()
    let change = try statement(isMoving ? ShadowText.changeMoving : ShadowText.change)
    let copyOne = isMoving ? try statement(ShadowText.copyOne) : nil
    for id in ids {
      copyOne?.bind(id, at: 1)
      try copyOne?.run()
      change.bind(id, at: 1)
      try change.run()
    }
    try database.execute("COMMIT")
  }

  func pause() { copy.pause() }
  func resume() { copy.resume() }
  func refresh() {}
  var fraction: Double { copy.fraction }
  var isOver: Bool { copy.isOver }
  func close() throws { try copy.stop() }
}

/// The connection by which a shadow table is filled.
private final class SQLiteShadowWriter: Sendable {
  private struct Connection: ~Copyable {
    let database: SQLiteDatabase
    let batch, last: SQLiteStatement
  }

  private let connection: Mutex<Connection>

  init(_ path: String) throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute("PRAGMA busy_timeout = 60000")
    let (batch, last) = try (
      database.prepare(ShadowText.batch), database.prepare(ShadowText.lastOfBatch)
    )
    // Safe: only the mutex has them from now on.
    nonisolated(unsafe) let made = (database, batch, last)
    connection = unsafe Mutex(
      Connection(database: made.0, batch: made.1, last: made.2))
  }

  func batch(after id: Int) throws -> Int {
    try connection.withLock { connection in
      try connection.database.execute("BEGIN IMMEDIATE")
      connection.batch.bind(id, at: 1)
      try connection.batch.run()
      connection.last.bind(id, at: 1)
      _ = try connection.last.step()
      let last = connection.last.int(0)
      connection.last.reset()
      try connection.database.execute("COMMIT")
      return last
    }
  }

  func swap() throws {
    try connection.withLock { connection in
      try connection.database.execute("BEGIN IMMEDIATE; " + ShadowText.swap + "COMMIT")
    }
  }
}
