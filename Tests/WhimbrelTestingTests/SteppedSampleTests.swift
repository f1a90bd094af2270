import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelInspection
import WhimbrelTestSupport
import WhimbrelTesting

enum Stepped1 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
  }
}

enum Stepped2 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    var length: Int
    var received: Date = Date()
  }
}

enum Stepped3 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    var length: String
    var received: Date = Date()
    var tag: String
  }

  @Model("Stamp") final class Stamp: Model {
    @PrimaryKey var id: UUID = UUID()
    var letter: Letter?
  }
}

enum Stepped4 {
  @Model("Seal") final class Seal {
    @PrimaryKey var id: UUID
  }
}

/// Samples that are migrated in steps, or whose new properties get other values each time.
@Suite struct SteppedSampleTests {
  private static let models3: [any Model.Type] = [Stepped3.Letter.self, Stepped3.Stamp.self]

  /// A sample of version 1 in a folder of its own.
  private static func sample() throws -> (file: TemporaryStoreFile, sample: SampleStore) {
    let file = try TemporaryStoreFile()
    let url = file.url.deletingLastPathComponent().appending(path: "Letters.v1.whimbrel")
    let store = try Store(
      Store.Configuration(url: url, models: [Stepped1.Letter.self], schemaVersion: 1))
    try store.write {
      for number in 0..<200 {
        try store.add(
          Stepped1.Letter(number: number, text: String(repeating: "x", count: number * 3)))
      }
    }
    try store.close()
    return (file, try SampleStore(url: url))
  }

  private static let toTwo: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "Letter") { old, new in
      try new?.set("length", to: try #require(old)["text", as: String.self].count)
    }
  }

  private static func toThree(_ tag: @escaping @Sendable () -> String) -> MigrationBlock {
    { migration, _ in
      try migration.enumerateObjects(ofType: "Letter") { old, new in
        guard let old, let new else { return }
        try new.set("tag", to: tag())
        if case .int(let length) = old["length"] { try new.set("length", to: "\(length)") }
        if old["number"] == 7 { try migration.create("Stamp", ["letter": new.link]) }
      }
    }
  }

  private static func configuration(
    _ models: [any Model.Type], _ version: SchemaVersion, _ migration: MigrationBlock?
  ) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: models, schemaVersion: version,
      migration: migration)
  }

  private static func steps(_ tag: @escaping @Sendable () -> String) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: models3, schemaVersion: 3,
      migration: .steps([
        .step(to: 2, models: [Stepped2.Letter.self], migration: toTwo),
        .step(to: 3, models: models3, migration: toThree(tag)),
      ]))
  }

  @Test(.takesLong) func `an interrupted migration may stay at the version of a step`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    try sample.expectSurvival(with: Self.steps { "tag" })
  }

  /// A child process carried out its order at the first call in this line, which migrated to another
  /// version.
  @Test(.takesLong) func `one call may migrate to several versions`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let two = Self.configuration([Stepped2.Letter.self], 2, Self.toTwo)
    for configuration in [two, Self.steps { "tag" }] {
      try sample.expectSurvival(of: [.diskFull], with: configuration)
    }
  }

  /// A process that ends in the middle of a test removes nothing, and a child ends there each time.
  @Test(.takesLong) func `child processes leave no temporary files behind`() throws {
    let isChild = ProcessInfo.processInfo.environment["WHIMBREL_TESTING_CHILD"] != nil
    let parent = isChild ? getppid() : getpid()
    let mark = FileManager.default.temporaryDirectory.appending(
      path: "whimbrel-mark-\(parent)-\(UUID().uuidString)")
    try Data().write(to: mark)
    defer { try? FileManager.default.removeItem(at: mark) }
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    try sample.expectSurvival(
      of: [.diskFull], with: Self.configuration([Stepped2.Letter.self], 2, Self.toTwo))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path)
    let marks = names.filter { $0.hasPrefix("whimbrel-mark-\(parent)-") }
    #expect(marks == [mark.lastPathComponent])
  }

  @Test func `what no step has made is still found`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let calls = Atomic(0)
    // Each run after the first four, which find out what the steps make, comes to another number of
    // objects.
    var configuration = Self.steps { "tag" }
    configuration.migrationSteps = .steps([
      .step(to: 2, models: [Stepped2.Letter.self]) { migration, version in
        try Self.toTwo(migration, version)
        let number = calls.add(1, ordering: .relaxed).newValue
        for extra in 0..<(number > 4 ? number : 1) {
          try migration.create(
            "Letter", ["number": .int(Int64(1_000 + extra)), "text": "", "length": 0])
        }
      },
      .step(to: 3, models: Self.models3, migration: Self.toThree { "tag" }),
    ])
    let messages = expectFailure("Letters.v1", "objects, not") {
      try sample.expectSurvival(of: [.failing], with: configuration)
    }
    #expect(messages.contains { $0.contains("nor that of version 2") }, "\(messages)")
  }

  /// Lines of the stores were compared with Swift's `==`, so such a migration passed.
  @Test func `a text with other scalars after an interruption is found`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let calls = Atomic(0)
    let configuration = Self.configuration([Stepped1.Letter.self], 2) { migration, _ in
      let number = calls.add(1, ordering: .relaxed).newValue
      try migration.enumerateObjects(ofType: "Letter") { _, new in
        try new?.set("text", to: number > 4 ? "cafe\u{301}" : "caf\u{E9}")
      }
    }
    expectFailure("Letters.v1", "it is not the result of the migration", #"cafe\u{0301}"#) {
      try sample.expectSurvival(of: [.failing], with: configuration)
    }
  }

  @Test func `defaults that differ each time are not compared`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let two = Self.configuration([Stepped2.Letter.self], 2, Self.toTwo)
    let three = Self.configuration(Self.models3, 3) { migration, version in
      if version < 2 {
        try migration.enumerateObjects(ofType: "Letter") { old, new in
          guard let old, let new else { return }
          try new.set("tag", to: "tag")
          try new.set("length", to: "\(try old["text", as: String.self].count)")
          if old["number"] == 7 { try migration.create("Stamp", ["letter": new.link]) }
        }
      } else {
        try Self.toThree { "tag" }(migration, version)
      }
    }
    try sample.expectMigration(with: three, after: [two])
    // What the block makes anew is named.
    let random = Self.configuration(Self.models3, 3) { migration, version in
      try migration.enumerateObjects(ofType: "Letter") { old, new in
        guard let old, let new else { return }
        try new.set("tag", to: UUID().uuidString)
        try new.set("length", to: "\(try old["text", as: String.self].count)")
        if old["number"] == 7 { try migration.create("Stamp", ["letter": new.link]) }
      }
    }
    expectFailure("Letters.v1", "release by release", "tag") {
      try sample.expectMigration(with: random, after: [two])
    }
    try sample.expectMigration(with: random, after: [two], ignoring: ["Letter.tag"])
    expectFailure("Letters.v1", "'tak'") {
      try sample.expectMigration(with: random, after: [two], ignoring: ["Letter.tak"])
    }
    // Objects whose keys differ are counted.
    let more = Self.configuration(Self.models3, 3) { migration, version in
      try migration.enumerateObjects(ofType: "Letter") { old, new in
        guard let old, let new else { return }
        try new.set("tag", to: "tag")
        try new.set("length", to: "\(try old["text", as: String.self].count)")
        if version == 1 { try migration.create("Stamp", ["letter": new.link]) }
      }
    }
    expectFailure("Letters.v1", "- 0 objects of 'Stamp'", "+ 200 objects of 'Stamp'") {
      try sample.expectMigration(with: more, after: [two])
    }
  }

  /// If two migrations gave different values, only the numbers of objects were compared, so a
  /// migration that lost values the second time passed. If a value changed once a second, correct
  /// migrations were called mixtures of old and new objects.
  @Test(.takesLong) func `values that a migration makes anew each time are named`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let calls = Atomic(0)
    let tag: @Sendable () -> String = { "\(calls.add(1, ordering: .relaxed).newValue)" }
    expectFailure("Letters.v1", "migrating another copy of it", "tag: ", "'ignoring'") {
      try sample.expectSurvival(of: [.failing], with: Self.steps(tag))
    }
    try sample.expectSurvival(of: [.failing], with: Self.steps(tag), ignoring: ["Letter.tag"])
    expectFailure("Letters.v1", "'tak'") {
      try sample.expectSurvival(of: [.failing], with: Self.steps(tag), ignoring: ["Letter.tak"])
    }
    // The other properties are still compared.
    let swallowing = Self.configuration(Self.models3, 3) { migration, _ in
      try? migration.enumerateObjects(ofType: "Letter") { old, new in
        guard let old, let new else { return }
        try new.set("tag", to: tag())
        try new.set("length", to: "\(try old["text", as: String.self].count)")
      }
      try migration.enumerateObjects(ofType: "Letter") { _, new in
        guard let new, new["length"] == .null else { return }
        try new.set("tag", to: tag())
        try new.set("length", to: "unknown")
      }
    }
    expectFailure("Letters.v1", "after an error at object", "length: ") {
      try sample.expectSurvival(of: [.failing], with: swallowing, ignoring: ["Letter.tag"])
    }
  }

  @Test func `objects whose named primary keys are made anew are counted`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let configuration = Self.configuration([Stepped1.Letter.self, Stepped4.Seal.self], 4) {
      migration, _ in
      try migration.create("Seal", ["id": .uuid(UUID())])
    }
    expectFailure("Letters.v1", "migrating another copy of it", "Seal") {
      try sample.expectSurvival(of: [.cancelled], with: configuration)
    }
    try sample.expectSurvival(of: [.cancelled], with: configuration, ignoring: ["Seal.id"])
  }

  @Test func `the schema version is read without opening the file`() throws {
    let file = try TemporaryStoreFile()
    let folder = file.url.deletingLastPathComponent()
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
    let before = try names()
    #expect { try Store.schemaVersion(at: file.url) } throws: {
      StoreError.Code.fileNotFound ~= $0
    }
    #expect(try names() == before)
    do {
      var configuration = Store.Configuration(
        url: file.url, models: [Stepped1.Letter.self], schemaVersion: 17)
      configuration.durability = .relaxed
      let store = try Store(configuration)
      #expect(try Store.schemaVersion(at: file.url) == 17)
      try store.write { try store.add(Stepped1.Letter(number: 1, text: "x")) }
      #expect(try Store.schemaVersion(at: file.url) == 17)
    }
    try FileManager.default.removeItem(atPath: file.url.path + "-lock")
    let bytes = try Data(contentsOf: file.url)
    let quiet = try names()
    #expect(try Store.schemaVersion(at: file.url) == 17)
    #expect(try names() == quiet)
    #expect(try Data(contentsOf: file.url) == bytes)
    // What is damaged or something else is an error.
    for damaged in [Data(), Data(count: 10_000), bytes.prefix(5_000), Data("no store".utf8)] {
      try damaged.write(to: file.url)
      #expect(throws: StoreError.self) { try Store.schemaVersion(at: file.url) }
    }
    #expect(throws: StoreError.self) { try Store.schemaVersion(at: folder) }
    for number in stride(from: 0, to: bytes.count, by: 37) {
      var changed = bytes
      changed[number] ^= 0x5A
      try changed.write(to: file.url)
      _ = try? Store.schemaVersion(at: file.url)
    }
  }

  @Test func `the schema version is read while another thread writes`() async throws {
    let file = try TemporaryStoreFile()
    let url = file.url
    var configuration = Store.Configuration(
      url: url, models: [Stepped1.Letter.self], schemaVersion: 3)
    configuration.durability = .relaxed
    _ = try Store(configuration)
    let done = Done()
    await withTaskGroup(of: Void.self) { group in
      let ready = configuration
      group.addTask {
        guard let store = try? Store(ready) else { return }
        for number in 0..<200 {
          try? store.write { try store.add(Stepped1.Letter(number: number, text: "x")) }
        }
        done.isDone.store(true, ordering: .releasing)
      }
      group.addTask {
        while !done.isDone.load(ordering: .acquiring) {
          do {
            let version = try Store.schemaVersion(at: url)
            #expect(version == 3)
          } catch {
            Issue.record(error)
          }
        }
      }
    }
  }
}

/// Whether the other task has ended.
private final class Done: Sendable {
  let isDone = Atomic(false)
}
