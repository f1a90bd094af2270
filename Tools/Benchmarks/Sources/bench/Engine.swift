import ArgumentParser

/// What is measured with.
enum EngineName: String, CaseIterable, Codable, ExpressibleByArgument {
  case lmdb
  case whimbrel
  /// SQLite by its C functions.
  case sqlite
  /// GRDB with records.
  case grdb
  /// GRDB with rows and SQL.
  case grdbRows = "grdb-rows"

  /// An engine with a file.
  func engine(path: String) -> any Engine {
    switch self {
    case .lmdb: LMDBEngine(path: path)
    case .whimbrel: WhimbrelEngine(path: path)
    case .sqlite: SQLiteEngine(path: path)
    case .grdb: GRDBEngine(path: path)
    case .grdbRows: GRDBRowsEngine(path: path)
    }
  }

  /// Whether a workload is measured with it: not where it is the same as another, or the
  /// same as with another engine.
  func measures(_ workload: Workload) -> Bool {
    switch workload {
    case .insert, .insertOwners, .scan, .lookup, .filter, .find, .follow: true
    case .sum, .sortFirst, .sortAll, .update, .migrateByHandles: self != .grdbRows
    case .add, .remove, .rename: self == .lmdb || self == .whimbrel || self == .sqlite
    case .info, .loadOwners: self == .whimbrel
    case .dump, .load, .checkPages, .check, .checkOwners: self == .lmdb || self == .whimbrel
    case .filterOnAllCores, .sumOnAllCores, .migrateByNames, .migrateByTypes:
      self == .lmdb || self == .whimbrel
    }
  }
}

/// Something that stores persons.
///
/// Each workload opens the file itself, outside the measured time but for those that
/// change the schema, which Whimbrel does on opening. The answers of all engines must be the
/// same.
protocol Engine {
  func insert(count: Int) throws -> Outcome
  func insertOwners(count: Int) throws -> Outcome
  func scan() throws -> Outcome
  func lookup(_ lookups: Int, among count: Int) throws -> Outcome
  func filter() throws -> Outcome
  func sum() throws -> Outcome
  /// The answer is the ID of the last person.
  func sort(first limit: Int?) throws -> Outcome
  func find(_ emails: [String]) throws -> Outcome
  func follow() throws -> Outcome
  func update() throws -> Outcome
  func migrate(_ access: PropertyAccess) throws -> Outcome
  func changeSchema(_ change: PropertyChange) throws -> Outcome
  /// The answer is how many persons there are.
  func dump() throws -> Outcome
  /// The answer is how many objects there are.
  func load() throws -> Outcome
  func checkPages() throws -> Outcome
  func check() throws -> Outcome
  func info() throws -> Outcome
}

/// How a migration asks for properties.
enum PropertyAccess {
  case handles, names, types
}

/// A change of the schema that needs no code.
enum PropertyChange: String {
  case add, remove, rename
}

extension Engine {
  /// Runs one workload.
  func run(_ workload: Workload, count: Int, lookups: Int) throws -> Outcome {
    switch workload {
    case .insert: try insert(count: count).subtracting(PersonGenerator.cost(of: count))
    case .insertOwners:
      try insertOwners(count: count).subtracting(PersonGenerator.cost(of: count))
    case .scan: try scan()
    case .lookup: try lookup(lookups, among: count)
    case .filter, .filterOnAllCores: try filter()
    case .sum, .sumOnAllCores: try sum()
    case .sortFirst: try sort(first: firstInOrder)
    case .sortAll: try sort(first: nil)
    case .find: try find(LookupKeys.emails(lookups, among: count))
    case .follow: try follow()
    case .update: try update()
    case .migrateByHandles: try migrate(.handles)
    case .migrateByNames: try migrate(.names)
    case .migrateByTypes: try migrate(.types)
    case .add: try changeSchema(.add)
    case .remove: try changeSchema(.remove)
    case .rename: try changeSchema(.rename)
    case .dump: try dump()
    case .load, .loadOwners: try load()
    case .checkPages: try checkPages()
    case .check, .checkOwners: try check()
    case .info: try info()
    }
  }

  /// For engines that are not measured with it: see ``EngineName/measures(_:)``.
  func sum() throws -> Outcome { throw WorkloadError.notMeasured }
  func sort(first limit: Int?) throws -> Outcome { throw WorkloadError.notMeasured }
  func update() throws -> Outcome { throw WorkloadError.notMeasured }
  func migrate(_ access: PropertyAccess) throws -> Outcome { throw WorkloadError.notMeasured }
  func changeSchema(_ change: PropertyChange) throws -> Outcome {
    throw WorkloadError.notMeasured
  }
  func dump() throws -> Outcome { throw WorkloadError.notMeasured }
  func load() throws -> Outcome { throw WorkloadError.notMeasured }
  func checkPages() throws -> Outcome { throw WorkloadError.notMeasured }
  func check() throws -> Outcome { throw WorkloadError.notMeasured }
  func info() throws -> Outcome { throw WorkloadError.notMeasured }
}

/// A workload that did not do what it should have.
struct WorkloadError: Error, CustomStringConvertible {
  let description: String

  static let notMeasured = WorkloadError(description: "The engine is not measured with it.")
}
