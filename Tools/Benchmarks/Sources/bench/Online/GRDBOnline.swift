import Foundation
import GRDB

/// A shadow table by GRDB.
final class GRDBOnline: OnlineEngine {
  private let pool: DatabasePool
  private let copy: ShadowCopy

  private struct Calibrated: FetchableRecord {
    let sensor: String
    let number: Int
    let label: String

    init(row: Row) { (sensor, number, label) = (row[0], row[1], row[2]) }
  }

  private static func open(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: SQLText.settings) }
    let pool = try DatabasePool(path: path, configuration: configuration)
    // GRDB sets it to NORMAL for a pool.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  static func create(_ path: String, count: Int) throws {
    try SQLiteOnline.create(path, count: count)
  }

  static func openPlain(_ path: String) throws {
    let pool = try open(path)
    let found = try pool.read {
      try Double.fetchOne($0, sql: ShadowText.readPlain, arguments: [7])
    }
    guard found != nil else { throw WorkloadError.noReading(7) }
    try pool.close()
  }

  static func migrateAtOnce(_ path: String) throws {
    let pool = try open(path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("2") {
      try $0.execute(sql: ShadowText.createShadow + ShadowText.fill + ShadowText.swap)
    }
    try migrator.migrate(pool)
    _ = try pool.read { try Double.fetchOne($0, sql: ShadowText.read, arguments: [7]) }
    try pool.close()
  }

  init(_ path: String) throws {
    let pool = try Self.open(path)
    self.pool = pool
    let end = try pool.write { database in
      if try Int.fetchOne(database, sql: ShadowText.isConverted) ?? 0 > 0 { return nil as Int? }
      try database.execute(sql: ShadowText.createShadow)
      return try Int.fetchOne(database, sql: ShadowText.last)
    }
    copy = ShadowCopy(end: end)
    guard end != nil else { return }
    copy.start {
      after in
      try pool.write { database in
        try database.cachedStatement(sql: ShadowText.batch).execute(arguments: [after])
        return try Int.fetchOne(
          database.cachedStatement(sql: ShadowText.lastOfBatch), arguments: [after]) ?? after
      }
    } swap: {
      try pool.write { try $0.execute(sql: ShadowText.swap) }
    }
  }

  init(keeping path: String) throws {
    pool = try Self.open(path)
    copy = ShadowCopy(end: nil)
  }

  func read(_ id: Int) throws -> Double {
    let text = copy.isOver ? ShadowText.read : ShadowText.readMoving
    return try pool.read { database in
      try Double.fetchOne(database.cachedStatement(sql: text), arguments: [id]) ?? 0
    }
  }

  func scan() throws -> Double {
    let text = copy.isOver ? ShadowText.scan : ShadowText.scanMoving
    return try pool.read { database in
      var sum = 0
      let readings = try Calibrated.fetchCursor(database, sql: text)
      while let reading = try readings.next() {
        sum += reading.sensor.utf8.count + reading.number + reading.label.utf8.count
      }
      return Double(sum)
    }
  }

  func change(_ ids: [Int]) throws {
    copy.noteWrite()
    try pool.write { database in
      let isMoving =
        try Int.fetchOne(
          database.cachedStatement(sql: ShadowText.isMoving)) ?? 0 > 0
      let change = try database.cachedStatement(
        sql: isMoving ? ShadowText.changeMoving : ShadowText.change)
      let copyOne = isMoving ? try database.cachedStatement(sql: ShadowText.copyOne) : nil
      for id in ids {
        try copyOne?.execute(arguments: [id])
        try change.execute(arguments: [id])
      }
    }
  }

  func pause() { copy.pause() }
  func resume() { copy.resume() }
  func refresh() {}
  var fraction: Double { copy.fraction }
  var isOver: Bool { copy.isOver }

  func close() throws {
    try copy.stop()
    try pool.close()
  }
}
