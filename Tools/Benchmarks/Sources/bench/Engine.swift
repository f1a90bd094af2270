import ArgumentParser
import Whimbrel

enum EngineName: String, CaseIterable, Codable, ExpressibleByArgument {
  /// LMDB in C, the yardstick: see `bench_store.h`.
  case lmdbInC = "lmdb-c"
  /// LMDB's C functions called from Swift, with `String`s as an app has them.
  case lmdb
  case whimbrel
  /// Whimbrel with ``Store/Verification/writes``: records that are only read are not checked.
  case whimbrelWrites = "whimbrel-writes"
  /// SQLite through its C functions.
  case sqlite
  /// GRDB with records.
  case grdb
  /// GRDB with rows and SQL.
  case grdbRows = "grdb-rows"

  func engine(path: String) -> any Engine {
    switch self {
    case .lmdbInC: LMDBInCEngine(path: path)
    case .lmdb: LMDBEngine(path: path)
    case .whimbrel: WhimbrelEngine(path: path)
    case .whimbrelWrites: WhimbrelEngine(path: path, verification: .writes)
    case .sqlite: SQLiteEngine(path: path)
    case .grdb: GRDBEngine(path: path)
    case .grdbRows: GRDBRowsEngine(path: path)
    }
  }

  /// Returns whether a workload is measured with this engine. It is not where the result would
  /// repeat that of another workload or engine.
  func measures(_ workload: Workload) -> Bool {
    if self == .whimbrelWrites { return workload == .insert || workload.onlyReadsPersons }
    return switch workload {
    case .insert, .insertOwners, .scan, .lookup, .filter, .find, .follow: true
    case .sum, .update, .migrateByHandles: self != .grdbRows
    case .sortFirst, .sortAll: self != .grdbRows && self != .lmdbInC
    case .add, .remove, .rename: self == .lmdb || self == .whimbrel || self == .sqlite
    case .info, .loadOwners, .loadKeyed, .insertKeyed, .createFromValues, .importLines,
      .exportLines:
      self == .whimbrel
    case .dump, .load, .checkPages, .check, .checkOwners: self == .lmdb || self == .whimbrel
    case .findPrepared, .filterOnAllCores, .sumOnAllCores, .migrateByNames, .migrateByTypes:
      self == .lmdbInC || self == .lmdb || self == .whimbrel
    case .insertIndexed, .upsert, .updateThree, .deleteHalf, .deleteLinked, .commit, .appendToList,
      .deleteFromList, .addIndex, .openFirst, .reopen:
      self == .lmdbInC || self == .whimbrel || self == .sqlite
    }
  }
}

/// An engine that stores persons.
///
/// Each workload opens the file itself, outside the measured time. Workloads that change the schema
/// open it inside the measured time, because Whimbrel migrates on opening. All engines must return
/// the same answers.
protocol Engine {
  /// Measures generating persons without storing them.
  func generate(count: Int) -> Outcome
  func insert(count: Int) throws -> Outcome
  func insertOwners(count: Int) throws -> Outcome
  func scan() throws -> Outcome
  func lookup(_ lookups: Int, among count: Int) throws -> Outcome
  func filter() throws -> Outcome
  func sum() throws -> Outcome
  /// Returns the ID of the last person as the answer.
  func sort(first limit: Int?) throws -> Outcome
  func find(_ emails: [String]) throws -> Outcome
  func findPrepared(_ emails: [String]) throws -> Outcome
  func follow() throws -> Outcome
  func insertIndexed(count: Int) throws -> Outcome
  func insertKeyed(count: Int) throws -> Outcome
  func createFromValues(count: Int) throws -> Outcome
  func importLines(count: Int) throws -> Outcome
  func exportLines() throws -> Outcome
  /// Returns the number of persons as the answer.
  func upsert(count: Int) throws -> Outcome
  func update() throws -> Outcome
  func updateThree() throws -> Outcome
  /// Returns the number of deleted persons as the answer.
  func delete(below age: Int) throws -> Outcome
  /// Deletes the first owners, and returns the number of dogs that had one of them as the answer.
  func deleteOwners(_ owners: Int) throws -> Outcome
  func commit(_ commits: Int, among count: Int) throws -> Outcome
  /// Returns the length of the list as the answer.
  func appendToList(count: Int) throws -> Outcome
  /// Returns the length of the list as the answer.
  func deleteFromList(below age: Int) throws -> Outcome
  func addIndex() throws -> Outcome
  func reopen(_ times: Int, among count: Int) throws -> Outcome
  func migrate(_ access: PropertyAccess) throws -> Outcome
  func changeSchema(_ change: PropertyChange) throws -> Outcome
  /// Returns the number of persons as the answer.
  func dump() throws -> Outcome
  /// Returns the number of objects as the answer.
  func load() throws -> Outcome
  func checkPages() throws -> Outcome
  func check() throws -> Outcome
  func info() throws -> Outcome
}

/// The way in which a migration accesses properties.
enum PropertyAccess {
  case handles, names, types
}

/// A change of the schema that needs no code.
enum PropertyChange: String {
  case add, remove, rename
}

extension Engine {
  func run(_ workload: Workload, count: Int, lookups: Int) throws -> Outcome {
    switch workload {
    case .insert: try insert(count: count).subtracting(generate(count: count))
    case .insertOwners: try insertOwners(count: count).subtracting(generate(count: count))
    case .insertIndexed: try insertIndexed(count: count).subtracting(generate(count: count))
    case .insertKeyed: try insertKeyed(count: count).subtracting(generate(count: count))
    case .createFromValues: try createFromValues(count: count)
    case .importLines: try importLines(count: count)
    case .exportLines: try exportLines()
    case .upsert: try upsert(count: count).subtracting(generate(count: count))
    case .scan: try scan()
    case .lookup: try lookup(lookups, among: count)
    case .filter, .filterOnAllCores: try filter()
    case .sum, .sumOnAllCores: try sum()
    case .sortFirst: try sort(first: firstInOrder)
    case .sortAll: try sort(first: nil)
    case .find: try find(LookupKeys.emails(lookups, among: count))
    case .findPrepared: try findPrepared(LookupKeys.emails(lookups, among: count))
    case .follow: try follow()
    case .update: try update()
    case .updateThree: try updateThree()
    case .deleteHalf: try delete(below: AgeLimit.ofHalf)
    case .deleteLinked: try deleteOwners(workload.operations(count: count, lookups: lookups))
    case .commit:
      try commit(workload.operations(count: count, lookups: lookups), among: count)
    case .appendToList: try appendToList(count: count)
    case .deleteFromList: try deleteFromList(below: AgeLimit.ofFifth)
    case .addIndex: try addIndex()
    case .openFirst: try reopen(1, among: count)
    case .reopen: try reopen(workload.operations(count: count, lookups: lookups), among: count)
    case .migrateByHandles: try migrate(.handles)
    case .migrateByNames: try migrate(.names)
    case .migrateByTypes: try migrate(.types)
    case .add: try changeSchema(.add)
    case .remove: try changeSchema(.remove)
    case .rename: try changeSchema(.rename)
    case .dump: try dump()
    case .load, .loadOwners, .loadKeyed: try load()
    case .checkPages: try checkPages()
    case .check, .checkOwners: try check()
    case .info: try info()
    }
  }

  func findPrepared(_ emails: [String]) throws -> Outcome { try find(emails) }
  func generate(count: Int) -> Outcome { PersonGenerator.cost(of: count) }

  // The other defaults are for engines that a workload does not measure: see
  // EngineName.measures(_:).
  func sum() throws -> Outcome { throw WorkloadError.notMeasured }
  func insertIndexed(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func insertKeyed(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func createFromValues(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func importLines(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func exportLines() throws -> Outcome { throw WorkloadError.notMeasured }
  func upsert(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func updateThree() throws -> Outcome { throw WorkloadError.notMeasured }
  func delete(below age: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func deleteOwners(_ owners: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func commit(_ commits: Int, among count: Int) throws -> Outcome {
    throw WorkloadError.notMeasured
  }
  func appendToList(count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func deleteFromList(below age: Int) throws -> Outcome { throw WorkloadError.notMeasured }
  func addIndex() throws -> Outcome { throw WorkloadError.notMeasured }
  func reopen(_ times: Int, among count: Int) throws -> Outcome { throw WorkloadError.notMeasured }
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

/// An error: a workload did not do what it should.
struct WorkloadError: Error, CustomStringConvertible {
  let description: String

  static let notMeasured = WorkloadError(description: "The engine is not measured with it.")
}
