import ArgumentParser
import Foundation

/// What is measured; later ones work on the file that earlier ones leave, but those that
/// change the schema: each of them works on a copy of that file.
enum Workload: String, CaseIterable, Codable, ExpressibleByArgument {
  /// All persons in one transaction. The cost of generating them is subtracted.
  case insert
  /// First name, age and score of every person.
  case scan
  /// Persons by primary key, in random order; the age of each is read.
  case lookup
  /// The age of every person, in one transaction.
  case update
  /// Computes a string and a number, renames a property, and makes an integer a string;
  /// properties are asked for by handles, found once.
  case migrateByHandles = "migrate-handles"
  /// The same; properties are asked for by their names.
  case migrateByNames = "migrate-names"
  /// The same; old and new objects are typed.
  case migrateByTypes = "migrate-types"
  /// A property with a default is added.
  case add = "add-property"
  /// A property is removed.
  case remove = "remove-property"
  /// A property is renamed.
  case rename = "rename-property"

  /// Whether the file is not that of version 1 any more afterwards.
  var changesSchema: Bool {
    switch self {
    case .insert, .scan, .lookup, .update: false
    case .migrateByHandles, .migrateByNames, .migrateByTypes, .add, .remove, .rename: true
    }
  }

  /// What the time is divided by.
  func operations(count: Int, lookups: Int) -> Int {
    switch self {
    case .insert, .scan, .update, .migrateByHandles, .migrateByNames, .migrateByTypes: count
    case .lookup: lookups
    // They are one operation, however many persons there are.
    case .add, .remove, .rename: 1
    }
  }
}

/// What is measured with.
enum EngineName: String, CaseIterable, Codable, ExpressibleByArgument {
  case lmdb
  case whimbrel

  /// Opens or creates the engine's file.
  func open(path: String) throws -> any Engine {
    switch self {
    case .lmdb: LMDBEngine(path: path)
    case .whimbrel: WhimbrelEngine(path: path)
    }
  }
}

/// Something that stores persons.
///
/// Each workload opens the file itself, outside the measured time but for those that
/// change the schema, which Whimbrel does on opening.
protocol Engine {
  func insert(count: Int) throws -> Duration
  func scan(expecting count: Int) throws -> Duration
  func lookup(_ lookups: Int, among count: Int) throws -> Duration
  func update(expecting count: Int) throws -> Duration
  func migrate(_ access: PropertyAccess, expecting count: Int) throws -> Duration
  func changeSchema(_ change: PropertyChange) throws -> Duration
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
  /// Runs one workload and returns how long it took.
  func run(_ workload: Workload, count: Int, lookups: Int) throws -> Duration {
    switch workload {
    case .insert: max(.zero, try insert(count: count) - PersonGenerator.cost(of: count))
    case .scan: try scan(expecting: count)
    case .lookup: try lookup(lookups, among: count)
    case .update: try update(expecting: count)
    case .migrateByHandles: try migrate(.handles, expecting: count)
    case .migrateByNames: try migrate(.names, expecting: count)
    case .migrateByTypes: try migrate(.types, expecting: count)
    case .add: try changeSchema(.add)
    case .remove: try changeSchema(.remove)
    case .rename: try changeSchema(.rename)
    }
  }
}

/// A workload that did not do what it should have.
struct WorkloadError: Error, CustomStringConvertible {
  let description: String

  /// Throws unless as many objects as expected were found.
  static func check(_ found: Int, expected: Int) throws {
    if found != expected {
      throw WorkloadError(description: "Expected \(expected) persons and found \(found).")
    }
  }
}
