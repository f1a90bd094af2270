import Foundation
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// What a store goes through while its process is killed.
enum CrashScenario: String, Codable, CaseIterable, Sendable {
  /// All objects of a class are written anew in several batches, and indexed.
  case rewrite
  /// Only the catalog changes.
  case instant
  /// A class and its objects go, another one comes, a third becomes embedded.
  case classes
  /// The first one, as a dry run.
  case dryRun
  /// A file of the first format becomes one of today's.
  case format

  private static let gone = ClassSchema("Gone", .required("text", .string))
  private static let person = ClassSchema(
    "Person", .key("number"), .link("home", to: "Address"), .list("others", .link(to: "Address")))
  private static let came = ClassSchema("Came", .key("number"))
  private static let address = [PropertySchema.required("town", .string)]
  private static let plain = ClassSchema(
    "Item", .key("number"), .required("text", .string), .required("size", .int32))

  /// The store as it is before.
  func store() throws -> TestStore {
    switch self {
    case .rewrite, .dryRun: try BigMigration.store(TestRun.isLong ? 3_000 : 600)
    case .instant:
      try TestStore([Self.plain]) { session in
        for number in 0..<Int64(100) {
          try session.create("Item", ["number": .int(number), "text": "text", "size": 1])
        }
      }
    case .classes: try Self.storeOfClasses()
    case .format: try TestStore(copying: Self.firstFormat)
    }
  }

  /// A store of schema version 3, in file format 1.
  private static var firstFormat: String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "SampleStores/Formats/1.Zones.v3.whimbrel").path
  }

  private static func storeOfClasses() throws -> TestStore {
    let classes = [gone, person, ClassSchema(name: "Address", properties: address)]
    return try TestStore(classes) { session in
      for number in 0..<Int64(60) {
        let ids = try (0..<3).map { part in
          try session.create("Address", ["town": .string("\(number) \(part)")])
        }
        // Every fifth person's home is left to nobody.
        try session.create(
          "Person",
          [
            "number": .int(number), "home": number % 5 == 0 ? .null : .link(ids[0]),
            "others": [.link(ids[1]), .link(ids[2])],
          ])
        try session.create("Gone", ["text": .string(String(repeating: "x", count: 3_000))])
      }
    }
  }

  /// The request that brings the store to what it is after.
  ///
  /// It has a date of its own, so that the history too is the same each time.
  func request(_ path: String) -> OpenRequest {
    var request =
      switch self {
      case .rewrite, .dryRun: BigMigration.request(path)
      case .format: OpenRequest(path: path)
      case .instant:
        TestStore.request(
          path,
          [
            ClassSchema(
              "Item", .key("number"), .required("title", .string, was: "text"),
              .required("size", .int), .required("rank", .int, default: 7))
          ], version: 2)
      case .classes:
        TestStore.request(
          path,
          [
            Self.came, Self.person,
            ClassSchema(name: "Address", isEmbedded: true, properties: Self.address),
          ], version: 2
        ) { migration, _ in
          try migration.deleteData(forType: "Gone")
          for number in 0..<Int64(10) { try migration.create("Came", ["number": .int(number)]) }
        }
      }
    request.identity.date = Date(timeIntervalSinceReferenceDate: 0)
    return request
  }

  /// What is done when the process is killed.
  func run(_ path: String) throws {
    if self == .dryRun {
      _ = try StoreFile.dryRunMigration(request(path))
    } else {
      _ = try StoreFile.open(request(path))
    }
  }
}

/// A store before, a store after, and everything that is said of them.
struct CrashComparison {
  let scenario: CrashScenario
  let original: TestStore
  /// How many transactions it takes.
  let commits: Int
  let duration: Duration
  private let before: StoreContents
  private let after: StoreContents

  /// - Parameter store: the store before, by default that of the scenario.
  init(_ scenario: CrashScenario, _ store: TestStore? = nil) throws {
    self.scenario = scenario
    original = try store ?? scenario.store()
    let copy = try TestStore(copying: original.path)
    let first = try copy.lastTransaction()
    let start = ContinuousClock.now
    try scenario.run(copy.path)
    duration = ContinuousClock.now - start
    commits = try copy.lastTransaction() - first
    _ = try StoreFile.open(scenario.request(copy.path))
    after = try copy.contents()
    // Reading brings a file to today's format.
    before = try TestStore(copying: original.path).contents()
  }

  /// What is not as it must be in a copy that has been through something; the next
  /// migration is then carried out to its end.
  func problems(_ copy: TestStore) throws -> (problems: [String], isDone: Bool) {
    let found = try copy.contents()
    var problems = try copy.findings()
    let isDone = found == after
    if found != before, found != after { problems.append("neither old nor new") }
    if scenario == .dryRun, found != before { problems.append("a dry run has done something") }
    _ = try StoreFile.open(scenario.request(copy.path))
    problems += try copy.findings()
    if try copy.contents() != after { problems.append("the next migration is another one") }
    if try copy.tableNames() != after.tableNames { problems.append("tables are left") }
    return (problems, isDone)
  }
}

extension TestStore {
  /// The store, opened without changing anything.
  private func reading() throws -> StoreFile {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    return try StoreFile.open(request)
  }

  /// The number of the last transaction.
  fileprivate func lastTransaction() throws -> Int {
    try reading().environment.information().lastTransaction
  }

  /// Whether a migration has left tables that are of no more use.
  func hasLeftovers() throws -> Bool {
    let session = try Session(reading())
    return Set(try reading().environment.tableNames()) != (try StoreContents(session).tableNames)
  }
}
