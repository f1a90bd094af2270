import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// What is left of a migration that is killed at any moment: 1,000 times in a long run.
///
/// One store goes through all of it. Each child migrates it to the next version, forth and back
/// between two schemas. Between two children the store is written to at the version that it has.
@Suite(.serialized) struct KilledMigrationTests {
  private static let shared = [
    ClassSchema("Owner", .key("name", .string)), .embedded("Part", .required("number", .int)),
  ]

  /// The classes of the odd versions, and those of the even ones, in which a property has another
  /// name, one another type, one is new, and so is a class.
  private static func classes(_ version: SchemaVersion) -> [ClassSchema] {
    let isOdd = version % 2 == 1
    var text = PropertySchema.indexed(isOdd ? "text" : "title", .string)
    text.previousNames = [isOdd ? "title" : "text"]
    var item = [
      .key("number"), text, .required("amount", isOdd ? .int : .string),
      .link("owner", to: "Owner"), .list("parts", .link(to: "Part")),
    ]
    if !isOdd { item.append(.indexed("length", .int)) }
    return shared + [ClassSchema(name: "Item", properties: item)]
      + (isOdd ? [] : [ClassSchema("Total", .required("count", .int))])
  }

  /// Some texts are outside of their records.
  private static func text(_ number: Int64) -> String {
    "text \(number % 40)" + String(repeating: " more", count: number % 9 == 0 ? 1_500 : 20)
  }

  private static func request(_ path: String, to version: SchemaVersion) -> OpenRequest {
    var request = TestStore.request(path, classes(version), version: version) { migration, _ in
      if version % 2 == 1 {
        try migration.deleteData(forType: "Total")
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          try new.set("amount", to: try #require(Int(try old["amount", as: String.self])))
        }
      } else {
        var count = 0
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          try new.set("amount", to: "\(try old["amount", as: Int.self])")
          try new.set("length", to: try old["text", as: String.self].utf8.count)
          count += 1
        }
        try migration.create("Total", ["count": .int(Int64(count))])
      }
    }
    // Several commits, although the store is small.
    request.migration.probe = MigrationProbe()
    request.migration.probe?.batchSize = 60_000
    return request
  }

  private static func addItem(_ number: Int64, to session: Session) throws {
    let isOdd = session.loaded.header.schemaVersion % 2 == 1
    let owner = try session.table("Owner").find(.string("owner \(number % 5)"))
    let parts = try (0..<number % 3).map { part in
      PropertyValue.link(try session.create("Part", ["number": .int(number * 10 + part)]))
    }
    var values: [String: PropertyValue] = [
      "number": .int(number), "owner": owner.map { .link($0) } ?? .null, "parts": .list(parts),
      isOdd ? "text" : "title": .string(text(number)),
      "amount": isOdd ? .int(number * 7) : .string("\(number * 7)"),
    ]
    if !isOdd { values["length"] = .int(Int64(text(number).utf8.count)) }
    try session.create("Item", values)
  }

  @Test(.takesLong) func `a migration that is killed at any moment has done all or nothing`()
    async throws
  {
    let count: Int64 = 200
    let store = try TestStore(Self.classes(1)) { session in
      for owner in 0..<5 { try session.create("Owner", ["name": .string("owner \(owner)")]) }
      for number in 0..<count { try Self.addItem(number, to: session) }
    }
    // How long it takes where nothing is killed.
    let copy = try TestStore(copying: store.path)
    let start = ContinuousClock.now
    _ = try StoreFile.open(Self.request(copy.path, to: 2))
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    var random = SeededGenerator(seed: 1)
    var version: SchemaVersion = 1
    var first: Int64 = 0
    var (early, inside, late) = (0, 0, 0)
    let kills = TestRun.isLong ? 1_000 : 15
    for kill in 0..<kills {
      let next = version + 1
      let delay = UInt32.random(in: 0..<UInt32(duration * 1.2), using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = store.path as String, next = next as UInt64, delay = delay as UInt32] in
        Thread.detachNewThread {
          usleep(delay)
          Foundation.kill(getpid(), SIGKILL)
        }
        let file = try StoreFile.open(Self.request(path, to: next))
        while true { usleep(1_000) }
        withExtendedLifetime(file) {}
      }
      let hasLeftovers = try store.hasLeftovers()
      let found = try store.contents().version
      let isDone = found == next
      if hasLeftovers { inside += 1 } else if isDone { late += 1 } else { early += 1 }
      try #require(isDone || found == version, "kill \(kill) left version \(found)")
      version = found
      let problems = try Self.problems(store, first..<first + count)
      #expect(problems == [], "kill \(kill), after \(delay) of \(Int(duration)) µs to \(next)")
      try store.write { session in
        try session.table("Item").remove(#require(try session.table("Item").find(.int(first))))
        try Self.addItem(first + count, to: session)
      }
      first += 1
    }
    #expect(try Self.problems(store, first..<first + count) == [])
    print("migrations: \(early) kills left nothing, \(inside) a part, \(late) the whole")
    #expect(!TestRun.isLong || min(early, inside, late) > 0)
  }

  /// What is not as it must be in a store, and beside it.
  private static func problems(_ store: TestStore, _ numbers: Range<Int64>) throws -> [String] {
    let contents = try store.contents()
    var problems = try store.findings()
    if try store.tableNames() != contents.tableNames { problems.append("tables are left") }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: URL(filePath: store.path).deletingLastPathComponent().path)
    problems += names.filter { !["Test.whimbrel", "Test.whimbrel-lock"].contains($0) }
    let isOdd = contents.version % 2 == 1
    // A total counts what the migration has seen, and comes once.
    let totals = contents.objects["Total"]?.values.map { $0["count"] }
    if totals != (isOdd ? nil : [.int(Int64(numbers.count))]) { problems.append("\(totals ?? [])") }
    func linked(_ value: PropertyValue?, _ name: String, _ property: String) -> PropertyValue? {
      guard case .link(let id) = value else { return nil }
      return contents.objects[name]?[id.rawValue]?[property]
    }
    let items = contents.list("Item")
    if items.count != numbers.count { problems.append("\(items.count) items") }
    var parts = 0
    let byNumber = Dictionary(grouping: items) { $0["number"] ?? .null }
    for number in numbers {
      guard let item = byNumber[.int(number)]?.first else {
        problems.append("item \(number) is missing")
        continue
      }
      guard case .list(let list) = item["parts"] else { continue }
      parts += list.count
      let expected = (0..<number % 3).map { PropertyValue.int(number * 10 + $0) }
      let isRight =
        item["amount"] == (isOdd ? .int(number * 7) : .string("\(number * 7)"))
        && item[isOdd ? "text" : "title"] == .string(text(number))
        && item["length"] == (isOdd ? nil : .int(Int64(text(number).utf8.count)))
        && linked(item["owner"], "Owner", "name") == .string("owner \(number % 5)")
        && list.map { linked($0, "Part", "number") } == expected
      if !isRight { problems.append("item \(number): \(item)") }
    }
    if contents.list("Part").count != parts { problems.append("parts without items") }
    return problems
  }
}
