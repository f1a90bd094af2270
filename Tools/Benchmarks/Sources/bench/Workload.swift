import ArgumentParser
import Foundation

/// What is measured; later ones work on the file that earlier ones leave.
enum Workload: String, CaseIterable, Codable, ExpressibleByArgument {
  /// All persons in one transaction. The cost of generating them is subtracted.
  case insert
  /// First name, age and score of every person.
  case scan
  /// Persons by primary key, in random order; the age of each is read.
  case lookup
  /// The age of every person, in one transaction.
  case update
  /// Computes a string, renames a property, and makes an integer a string.
  case migrate
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
/// Each workload opens the file itself, outside the measured time but for
/// `migrate`, which Whimbrel does on opening.
protocol Engine {
  func insert(count: Int) throws -> Duration
  func scan(expecting count: Int) throws -> Duration
  func lookup(_ lookups: Int, among count: Int) throws -> Duration
  func update(expecting count: Int) throws -> Duration
  func migrate(expecting count: Int) throws -> Duration
}

extension Engine {
  /// Runs one workload and returns how long it took.
  func run(_ workload: Workload, count: Int, lookups: Int) throws -> Duration {
    switch workload {
    case .insert: max(.zero, try insert(count: count) - PersonGenerator.cost(of: count))
    case .scan: try scan(expecting: count)
    case .lookup: try lookup(lookups, among: count)
    case .update: try update(expecting: count)
    case .migrate: try migrate(expecting: count)
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
