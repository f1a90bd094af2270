import ArgumentParser

/// What is measured.
///
/// Later ones work on the file that earlier ones leave, but those that change the schema:
/// each of them works on a copy of that file.
enum Workload: String, CaseIterable, Codable, ExpressibleByArgument {
  /// All persons in one transaction. The cost of generating them is subtracted.
  case insert
  /// First name, age and score of every person.
  case scan
  /// Persons by primary key, in random order; first name, age and score of each are read.
  case lookup
  /// The persons over an age and below a score, without an index: only which they are. On
  /// one core where the system lets a process ask for that.
  case filter
  /// The same, on as many cores as there are.
  case filterOnAllCores = "filter-all-cores"
  /// The sum of all scores. On one core where the system lets a process ask for that.
  case sum
  /// The same, on as many cores as there are.
  case sumOnAllCores = "sum-all-cores"
  /// Which persons have the first 100 emails; there is no index.
  case sortFirst = "sort-first-100"
  /// All persons by email: only which they are; there is no index.
  case sortAll = "sort-all"
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
  /// As many owners with an index of their emails, and a quarter as many dogs that link to
  /// them, in one transaction. The cost of generating them is subtracted.
  case insertOwners = "insert-owners"
  /// Owners by email, in random order; the age of each is read.
  case find
  /// The owner of every dog; the first name of each is read.
  case follow
  /// The inspector's dump of all persons, thrown away as it comes; of LMDB, copies of the
  /// records.
  case dump = "inspect-dump"
  /// A new store of such a dump; of LMDB, a new file of the records, appended and synced.
  case load = "inspect-load"
  /// The same of owners and dogs, with the index of emails and the links.
  case loadOwners = "inspect-load-owners"
  /// The inspector opens the file, for which it checks every page; of LMDB, all bytes of the
  /// file are read.
  case checkPages = "inspect-pages"
  /// Everything that the inspector checks of a file of persons; of LMDB, all bytes are read.
  case check = "inspect-check"
  /// The same of owners and dogs, with the index of emails and the links.
  case checkOwners = "inspect-check-owners"
  /// What the inspector tells of a file: versions, classes and sizes.
  case info = "inspect-info"

  /// The workload that makes the file.
  var preparation: Workload {
    switch self {
    case .insertOwners, .find, .follow, .loadOwners, .checkOwners: .insertOwners
    default: .insert
    }
  }

  /// Whether the file is not that of version 1 any more afterwards.
  var changesSchema: Bool {
    switch self {
    case .migrateByHandles, .migrateByNames, .migrateByTypes, .add, .remove, .rename: true
    default: false
    }
  }

  /// Whether it is about one core.
  var isForOneCore: Bool { self == .filter || self == .sum }

  /// What the time is divided by.
  func operations(count: Int, lookups: Int) -> Int {
    switch self {
    case .lookup, .find: lookups
    // They are one operation, however many persons there are.
    case .add, .remove, .rename, .checkPages, .check, .checkOwners, .info: 1
    case .insertOwners, .loadOwners: count + DogGenerator.dogs(of: count)
    case .follow: DogGenerator.dogs(of: count)
    default: count
    }
  }
}

/// The filter of the workloads: about one person in five meets it.
enum PersonFilter {
  static let age = 60
  static let score = 512.0
}

/// How many persons the workload about the first in an order asks for.
let firstInOrder = 100
