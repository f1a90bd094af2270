import ArgumentParser

/// A workload to measure.
///
/// A workload works on the file that earlier workloads left. Most workloads that change it work on a
/// copy.
enum Workload: String, CaseIterable, Codable, ExpressibleByArgument {
  /// Inserts all persons in one transaction. The cost of generating them is subtracted.
  case insert
  /// Reads the first name, age and score of every person.
  case scan
  /// Looks up persons by primary key in random order, and reads the first name, age and score of
  /// each.
  case lookup
  /// Finds the IDs of the persons over an age and below a score, without an index. Runs on one core
  /// where the system allows a process to ask for that.
  case filter
  /// The same as `filter`, on all cores.
  case filterOnAllCores = "filter-all-cores"
  /// Sums all scores. Runs on one core where the system allows a process to ask for that.
  case sum
  /// The same as `sum`, on all cores.
  case sumOnAllCores = "sum-all-cores"
  /// Finds the IDs of the first 100 persons by email, without an index.
  case sortFirst = "sort-first-100"
  /// Sorts the IDs of all persons by email, without an index.
  case sortAll = "sort-all"
  /// Changes the age of every person in one transaction.
  case update
  /// Changes the age, the score and a Boolean of every person in one transaction.
  case updateThree = "update-three"
  /// Adds persons that replace others with the same primary key, by turns with new ones, in one
  /// transaction. The cost of generating them is subtracted.
  case upsert
  /// Deletes the persons below an age, which is half of them, in one transaction.
  case deleteHalf = "delete-half"
  /// Changes the age of one person in each of some durable transactions.
  case commit
  /// Opens the file for the first time in a process, reads one person and closes it.
  case openFirst = "open-first"
  /// Opens the file, reads one person and closes it, many times in a process.
  case reopen
  /// Adds an index on the emails of all persons.
  case addIndex = "add-index"
  /// Inserts all persons with indexes on the age and the email, in one transaction. The cost of
  /// generating them is subtracted.
  case insertIndexed = "insert-indexed"
  /// Creates persons from dictionaries in one transaction. The cost of making these is subtracted.
  case createFromValues = "create-values"
  /// Decodes persons from lines of JSON with `Codable`, and adds them in one transaction.
  case importLines = "import-codable"
  /// Encodes every person as JSON with `Codable`.
  case exportLines = "export-codable"
  /// Appends all persons to a list in one transaction.
  case appendToList = "list-append"
  /// Deletes the persons below an age, which is a fifth of them, in one transaction. Their entries
  /// in the list go, too.
  case deleteFromList = "list-delete"
  /// Migrates: computes a string and a number, renames a property, and converts an integer to a
  /// string. Properties are accessed by handles, which are looked up once.
  case migrateByHandles = "migrate-handles"
  /// The same migration, with properties accessed by name.
  case migrateByNames = "migrate-names"
  /// The same migration, with typed old and new objects.
  case migrateByTypes = "migrate-types"
  case add = "add-property"
  case remove = "remove-property"
  case rename = "rename-property"
  /// Inserts owners, with an index on the email, and a quarter as many dogs that link to them, in
  /// one transaction. The cost of generating them is subtracted.
  case insertOwners = "insert-owners"
  /// Deletes the first 100,000 owners, or a fifth of them if there are fewer, in one transaction.
  /// Their dogs then have no owner.
  case deleteLinked = "delete-linked"
  /// Finds owners by email in random order, and reads the age of each.
  case find
  /// The same as `find`, with a prepared query.
  case findPrepared = "find-prepared"
  /// Follows the link from every dog to its owner, and reads the owner's first name.
  case follow
  /// Dumps all persons with the inspector and discards the text. LMDB copies the records.
  case dump = "inspect-dump"
  /// Loads a new store from that dump. LMDB appends the records to a new file and syncs it.
  case load = "inspect-load"
  /// Loads owners and dogs, with the index on emails and the links.
  case loadOwners = "inspect-load-owners"
  /// Inserts persons whose primary key is the email, with indexes on the last name and the age. The
  /// cost of generating them is subtracted.
  case insertKeyed = "insert-keyed"
  /// Loads these from a dump.
  case loadKeyed = "inspect-load-keyed"
  /// Opens the file with the inspector, which checks every page. LMDB reads all bytes of the file.
  case checkPages = "inspect-pages"
  /// Checks a file of persons with the inspector. LMDB reads all bytes.
  case check = "inspect-check"
  /// Checks owners and dogs, with the index on emails and the links.
  case checkOwners = "inspect-check-owners"
  /// Describes a file with the inspector: versions, classes and sizes.
  case info = "inspect-info"

  /// The workload that creates the file.
  var preparation: Workload {
    switch self {
    case .insertOwners, .find, .findPrepared, .follow, .deleteLinked, .loadOwners, .checkOwners:
      .insertOwners
    case .appendToList, .deleteFromList: .appendToList
    case .insertKeyed, .loadKeyed: .insertKeyed
    case .insertIndexed, .createFromValues, .importLines: self
    default: .insert
    }
  }

  /// Whether the workload changes a copy of the file.
  var worksOnCopy: Bool {
    switch self {
    case .migrateByHandles, .migrateByNames, .migrateByTypes, .add, .remove, .rename, .addIndex,
      .updateThree, .upsert, .deleteHalf, .commit, .deleteLinked, .deleteFromList:
      true
    default: false
    }
  }

  /// Whether the workload reads persons and changes nothing.
  var onlyReadsPersons: Bool {
    switch self {
    case .scan, .lookup, .filter, .filterOnAllCores, .sum, .sumOnAllCores, .sortFirst, .sortAll:
      true
    default: false
    }
  }

  /// Whether the workload runs on one core.
  var isForOneCore: Bool { self == .filter || self == .sum }

  /// Returns the number of operations, by which the time is divided.
  func operations(count: Int, lookups: Int) -> Int {
    switch self {
    case .lookup, .find, .findPrepared: lookups
    case .commit: min(count, 1_000)
    case .reopen: 200
    case .deleteLinked: max(1, min(count / 5, 100_000))
    case .openFirst: 1
    // These are one operation each, whatever the number of persons.
    case .add, .remove, .rename, .checkPages, .check, .checkOwners, .info: 1
    case .insertOwners, .loadOwners: count + DogGenerator.dogs(of: count)
    case .follow: DogGenerator.dogs(of: count)
    default: count
    }
  }
}

/// The filter of the workloads, which about one person in five satisfies.
enum PersonFilter {
  static let age = 60
  static let score = 512.0
}

/// The ages below which workloads delete persons. Ages are 0 to 99.
enum AgeLimit {
  /// A fifth of all persons are younger. (Ages are random bytes modulo 100, so the first 56 are more
  /// frequent.)
  static let ofFifth = 18
  /// Half of all persons are younger.
  static let ofHalf = 43
}

/// The limit of the workload for the first persons in an order.
let firstInOrder = 100
