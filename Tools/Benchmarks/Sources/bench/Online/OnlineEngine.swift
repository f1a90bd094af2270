import ArgumentParser

/// An engine whose readings come to version 2 while an app uses them.
///
/// Version 2 has `calibrated` in the place of `raw`, and one more value, `label`. Both follow from
/// others of the reading. Each change is durable when it returns.
protocol OnlineEngine: AnyObject {
  /// Makes a file of readings of version 1.
  static func create(_ path: String, count: Int) throws
  /// Opens a file with the version that it has, which is 1, and reads one reading.
  static func openPlain(_ path: String) throws
  /// Brings all readings to version 2 before the file can be used, and reads one.
  static func migrateAtOnce(_ path: String) throws

  /// Opens a file with version 2. The conversion waits for ``resume()`` when there is one.
  init(_ path: String) throws
  /// Opens a file with version 1, which it keeps. Only ``change(_:)`` and ``close()`` may be used.
  init(keeping path: String) throws
  /// Reads the calibrated value of a reading.
  func read(_ id: Int) throws -> Double
  /// Reads the sensor, the number and the label of all readings.
  func scan() throws -> Double
  /// Adds one to the number of readings, in one transaction.
  func change(_ ids: [Int]) throws
  /// Returns when nothing is converted any more.
  func pause() throws
  func resume()
  /// Lets reads see the newest commit, as an app does with each event.
  func refresh() throws
  /// The part of the readings that is converted, from 0 to 1.
  var fraction: Double { get }
  /// Whether all readings are converted, and nothing of version 1 is left.
  var isOver: Bool { get }
  /// Throws what a conversion in the background has met.
  func close() throws
}

extension WorkloadError {
  static func noReading(_ id: Int) -> WorkloadError {
    WorkloadError(description: "No reading has the ID \(id).")
  }
}

enum OnlineEngineName: String, CaseIterable, Codable, ExpressibleByArgument {
  /// Whimbrel with ``OnlineMigration``.
  case whimbrel
  /// A shadow table by SQLite's C functions.
  case sqlite
  /// A shadow table by GRDB.
  case grdb

  var engine: any OnlineEngine.Type {
    switch self {
    case .whimbrel: WhimbrelOnline.self
    case .sqlite: SQLiteOnline.self
    case .grdb: GRDBOnline.self
    }
  }
}
