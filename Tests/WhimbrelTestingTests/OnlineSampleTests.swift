import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

enum Posted1 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    var sender: Sender?
  }

  @Model("Sender") final class Sender {
    @PrimaryKey var name: String
  }
}

enum Posted2 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    @Indexed var length: Int = 0
    var sender: Posted1.Sender?
  }
}

enum Posted3 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    @Indexed var length: Int = 0
    var summary: String = ""
    var sender: Posted1.Sender?
  }
}

enum Posted4 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: Int = -1
    var sender: Posted1.Sender?
  }
}

enum Posted5 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var text: String
    @Indexed var length: Int = 0
    var summary: String
    var sender: Posted1.Sender?
  }
}

/// Samples whose objects are converted by rules.
@Suite struct OnlineSampleTests {
  private static let count = 800

  /// A sample of version 1 in a folder of its own.
  private static func sample() throws -> (file: TemporaryStoreFile, sample: SampleStore) {
    let file = try TemporaryStoreFile()
    let url = file.url.deletingLastPathComponent().appending(path: "Letters.v1.whimbrel")
    let store = try Store(
      Store.Configuration(
        url: url, models: [Posted1.Letter.self, Posted1.Sender.self], schemaVersion: 1))
    try store.write {
      let sender = Posted1.Sender(name: "Ada")
      try store.add(sender)
      for number in 0..<count {
        // Each is one character and two bytes.
        let text = String(repeating: "é", count: number % 40)
        try store.add(Posted1.Letter(number: number, text: text, sender: sender))
      }
    }
    try store.close()
    return (file, try SampleStore(url: url))
  }

  private static func toTwo(
    _ length: @escaping @Sendable (Posted1.Letter) -> Int = { $0.text.count }
  ) -> MigrationRule {
    .rule(from: 1, Posted1.Letter.self, Posted2.Letter.self) { old, new in
      new.length = length(old)
    }
  }

  private static let toThree = MigrationRule.rule(
    from: 2, Posted2.Letter.self, Posted3.Letter.self
  ) { old, new in
    new.summary = "\(old.length) characters"
  }

  private static func two(_ rule: MigrationRule = toTwo()) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: [Posted2.Letter.self, Posted1.Sender.self],
      schemaVersion: 2, migration: .online(rule))
  }

  private static func three(_ rules: [MigrationRule]) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: [Posted3.Letter.self, Posted1.Sender.self],
      schemaVersion: 3, migration: .online(rules))
  }

  @Test func `rules that chain give what each release gives`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    try sample.expectMigration(with: Self.three([Self.toTwo(), Self.toThree]), after: [Self.two()])
    try sample.migrate(with: Self.three([Self.toTwo(), Self.toThree])) { store in
      store.expectObject(Posted3.Letter.self, 39, ["length": 39, "summary": "39 characters"])
    }
  }

  /// The rules convert the objects before the block begins, and an interruption of the block does
  /// not undo that. The test took the converted objects for a mixture.
  @Test(.takesLong) func `a block after an unfinished conversion survives`() throws {
    let (file, first) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let url = first.url.deletingLastPathComponent().appending(path: "Letters.v2.whimbrel")
    try FileManager.default.copyItem(at: first.url, to: url)
    var two = Self.two()
    two.url = url
    two.onlineMigration?.startsPaused = true
    let store = try Store(two)
    try store.close()
    let five = Store.Configuration(
      url: URL(filePath: "/nowhere"), models: [Posted5.Letter.self, Posted1.Sender.self],
      schemaVersion: 5,
      migration: .online(
        Self.toTwo(),
        otherwise: { migration, _ in
          try migration.enumerate(Posted2.Letter.self, Posted5.Letter.self) { old, new in
            new.summary = "\(old.length) characters"
          }
        }))
    let sample = try SampleStore(url: url)
    try sample.migrate(with: five) { store in
      store.expectObject(Posted5.Letter.self, 39, ["length": 39, "summary": "39 characters"])
    }
    try sample.expectSurvival(of: [.cancelled, .failing], with: five)
  }

  /// Each child process ran all cases at once. They migrated the same copy, and one ended the process
  /// while another was writing the number of commits.
  @Test(.takesLong, arguments: Interruption.allCases)
  func `cases that interrupt one sample do not disturb each other`(kind: Interruption) throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    try sample.expectSurvival(of: [kind], with: Self.two())
  }

  @Test func `a rule that gives something else than the release before is found`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    // Somebody has changed the rule of version 2 since it was shipped.
    let changed = Self.three([Self.toTwo { $0.text.utf8.count }, Self.toThree])
    let messages = expectFailure("Letters.v1", "release by release") {
      try sample.expectMigration(with: changed, after: [Self.two()])
    }
    #expect(messages.contains { $0.contains("length: 3 → 6") }, "\(messages)")
  }

  @Test func `a rule that leaves its bounds is found`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let following = Self.two(
      Self.toTwo { $0.number == 150 ? $0.sender?.name.count ?? 0 : $0.text.count })
    expectFailure(
      "Letters.v1", "it does not migrate", "1 object of 'Letter'", "of 'Sender' in a rule"
    ) {
      try sample.expectMigration(with: following)
    }
  }

  /// The error left `migrate` without a word about the sample.
  @Test func `a rule that leaves its bounds fails at the call that migrates`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let following = Self.two(Self.toTwo { $0.sender?.name.count ?? 0 })
    expectFailure(
      "Letters.v1", "its objects are not all converted", "objects of 'Letter'", "in a rule"
    ) {
      try sample.migrate(with: following)
    }
  }

  /// The object got the default and lost its old value. A block that does this fails.
  @Test func `a rule that leaves a required property unset is found`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    let leaving = Store.Configuration(
      url: URL(filePath: "/nowhere"), models: [Posted4.Letter.self, Posted1.Sender.self],
      schemaVersion: 2,
      migration: .online(
        .rule(from: 1, Posted1.Letter.self, Posted4.Letter.self) { old, new in
          if old.number != 7 { new.text = old.text.count }
        }))
    let sentence = "a rule left 'text' unset for the object with primary key 7 of 'Letter'"
    expectFailure("Letters.v1", sentence) { try sample.migrate(with: leaving) }
    expectFailure("Letters.v1", sentence) { try sample.expectMigration(with: leaving) }
  }

  @Test(.takesLong) func `an interrupted conversion goes on with the next opening`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    try sample.expectSurvival(with: Self.three([Self.toTwo(), Self.toThree]))
  }

  @Test(.takesLong) func `processes are killed between batches of objects`() throws {
    let (file, sample) = try Self.sample()
    defer { withExtendedLifetime(file) {} }
    // What a process that is killed has converted shows, because its rule gives something else.
    let order = ProcessInfo.processInfo.environment["WHIMBREL_TESTING_CHILD"]
    let isKilled = order?.contains("killed") == true
    let mistaken = Self.two(Self.toTwo { isKilled ? -1 : $0.text.count })
    let messages = expectFailure("Letters.v1", "after being killed right") {
      try sample.expectSurvival(of: [.killed], with: mistaken)
    }
    func isFound(_ moment: String) -> Bool { messages.contains { $0.contains("\(moment),") } }
    // The first commits change the catalog; each of the next ones converts two pages of objects. Before
    // the last one all are converted.
    #expect(!isFound("before commit 1") && !isFound("after commit 1"))
    #expect(isFound("before commit 4") && isFound("after commit 4"))
    #expect(messages.count > 10, "\(messages.count)")
  }
}
