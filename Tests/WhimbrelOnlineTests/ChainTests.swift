import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Stores that skip versions, or come with objects that the release before has not converted.
struct ChainTests {
  private static let second = MigrationRule.rule(
    from: 2, OnlineV2.Reading.self, OnlineV3.Reading.self
  ) { old, new in
    new.size = old.label.count
    new.title = old.label.uppercased()
    if old.isChecked { new.level += 1_000 }
  }

  private func configuration(_ files: OnlineStore) -> Store.Configuration {
    var migration = OnlineMigration.online(OnlineStore.rule, Self.second)
    migration.startsPaused = true
    return Store.Configuration(
      url: files.url, models: [OnlineV3.Reading.self, OnlineV3.Station.self], schemaVersion: 3,
      migration: migration)
  }

  private func problems(
    _ store: Store, _ count: Int, checked: (Int) -> Bool = { _ in false }
  ) throws -> [String] {
    var problems: [String] = []
    for number in 1...count {
      guard let reading = store.object(ofType: OnlineV3.Reading.self, forPrimaryKey: number) else {
        problems.append("\(number) is missing")
        continue
      }
      let label =
        number % 11 == 0
        ? String(repeating: "sensor \(number % 10) ", count: 400)
        : "sensor \(number % 10) #\(number)"
      if reading.title != label.uppercased() { problems.append("title of \(number)") }
      if reading.size != label.count { problems.append("size of \(number)") }
      if reading.calibrated != Double(number) / 2 { problems.append("calibrated of \(number)") }
      let level = (Int(OnlineStore.level(number)) ?? -1) + (checked(number) ? 1_000 : 0)
      if reading.level != level { problems.append("level of \(number): \(reading.level)") }
      if reading.note != OnlineStore.note(number) { problems.append("note of \(number)") }
      let tags = (number % 4) + (number % 50 == 0 ? 200 : 0) + (number % 3 == 0 ? 1 : 0)
      if reading.tags.count != tags { problems.append("tags of \(number): \(reading.tags.count)") }
      if reading.station?.code != "S\(number % 3)" { problems.append("station of \(number)") }
    }
    try store.refresh()
    return problems
  }

  // Each rule of a chain whose shape had the obstacle listed it.
  @Test func `an obstacle of several rules is listed once`() throws {
    let folder = try TestFolder()
    let url = folder.url.appending(path: "chain.whimbrel")
    try Store(Store.Configuration(url: url, models: [Required.Text.Item.self], schemaVersion: 1))
      .close()
    let configuration = Store.Configuration(
      url: url, models: [Required.Truth.Item.self], schemaVersion: 3,
      migration: .online(
        .rule(from: 1, Required.Text.Item.self, Required.Number.Item.self) { old, new in
          new.value = Int(old.value) ?? 0
        },
        .rule(from: 2, Required.Number.Item.self, Required.Truth.Item.self) { old, new in
          new.value = old.value > 0
        }))
    let obstacles = try Store.migrationPlan(for: configuration).onlineObstacles
    #expect(
      obstacles.map(\.reason) == [
        "Property 'Item.value' has no default, which objects get if the rule does not set it."
      ])
  }

  @Test func `a store that skips a version goes through both rules`() async throws {
    let files = try OnlineStore()
    try files.make(120)
    let store = try Store(configuration(files))
    #expect(try problems(store, 120) == [])
    #expect(
      store.objects(OnlineV3.Reading.self).where { $0.calibrated == 30 }.map(\.number) == [60])
    #expect(try await store.transition.finish()?.activity == .finished)
    try store.refresh()
    #expect(try problems(store, 120) == [])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [false, true])
  func `a store still in transition goes on to the next version`(_ reopens: Bool) async throws {
    let files = try OnlineStore()
    try files.make(120)
    let second = try Store(files.configuration())
    // Some objects are stored in version 2, others wait in version 1.
    try second.write {
      for number in stride(from: 5, through: 120, by: 5) {
        second.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.isChecked = true
      }
    }
    try second.close()
    var store = try Store(configuration(files))
    #expect(try problems(store, 120) { $0 % 5 == 0 } == [])
    if reopens {
      try store.write {
        for number in stride(from: 1, through: 120, by: 7) {
          store.object(ofType: OnlineV3.Reading.self, forPrimaryKey: number)?.tags.append("x")
        }
      }
      try store.write {
        for number in stride(from: 1, through: 120, by: 7) {
          store.object(ofType: OnlineV3.Reading.self, forPrimaryKey: number)?.tags.removeLast()
        }
      }
      try store.close()
      store = try Store(configuration(files))
    }
    #expect(try store.findings() == [])
    #expect(try await store.transition.finish()?.activity == .finished)
    try store.refresh()
    #expect(try problems(store, 120) { $0 % 5 == 0 } == [])
    #expect(try store.findings() == [])
  }

  // A dry run wrote the backup that the migration would have written, over that of an earlier one.
  @Test func `a dry run neither makes a backup nor replaces one`() throws {
    let files = try OnlineStore()
    try files.make(20)
    let backup = files.url.appendingPathExtension("before")
    var second = files.configuration()
    second.backup = .before(backup)
    _ = try Store.dryRunMigration(second)
    #expect(!FileManager.default.fileExists(atPath: backup.path))
    try Store(second).close()
    #expect(try Store.schemaVersion(at: backup) == 1)
    var third = configuration(files)
    third.backup = .before(backup)
    let run = try Store.dryRunMigration(third)
    #expect(run.plan.fromVersion == 2 && run.plan.toVersion == 3)
    #expect(try Store.schemaVersion(at: backup) == 1)
  }

  @Test func `a block of the next version sees objects that are all converted`() throws {
    let files = try OnlineStore()
    try files.make(60)
    try Store(files.configuration()).close()
    var migration = OnlineMigration.online(
      [
        .rule(from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self) { old, new in
          new.calibrated = old.raw * 2
          new.label = "\(old.sensor) #\(old.number)"
          new.level = Int(old.level) ?? -1
        },
        // Its class has a new primary key: no rule can do that.
        .rule(from: 2, OnlineV2.Reading.self, OnlineKeyed.Reading.self) { _, _ in },
      ],
      otherwise: { migration, oldVersion in
        #expect(oldVersion == 2)
        try migration.enumerate(OnlineV2.Reading.self, OnlineKeyed.Reading.self) { old, new in
          new.label = "\(old.label), \(old.calibrated)"
        }
      })
    migration.startsPaused = true
    let store = try Store(
      Store.Configuration(
        url: files.url, models: [OnlineKeyed.Reading.self], schemaVersion: 3, migration: migration))
    #expect(store.objects(OnlineKeyed.Reading.self).count == 60)
    #expect(
      store.object(ofType: OnlineKeyed.Reading.self, forPrimaryKey: "sensor 7 #7, 3.5") != nil)
    #expect(try store.findings() == [])
  }

  private func keepingRule(_ files: OnlineStore) -> Store.Configuration {
    var migration = OnlineMigration.online(
      .rule(from: 1, OnlineV1.Reading.self, OnlineExtended.Reading.self) { old, new in
        new.calibrated = old.raw * 2
        new.title = "\(old.sensor) #\(old.number)"
        if let level = Double(old.level) { new.level = level }
        new.extra = old.number
        if old.number % 3 == 0 { new.tags.append("three") }
      })
    migration.startsPaused = true
    return Store.Configuration(
      url: files.url, models: [OnlineExtended.Reading.self, OnlineExtended.Station.self],
      schemaVersion: 3, migration: migration)
  }

  /// The rule sets `extra`, which version 2 does not have. It ran on the way to version 2, and no
  /// object of version 1 could be read.
  @Test(arguments: [false, true])
  func `a release that keeps its rule converts what the release before has left`(
    _ finishes: Bool
  ) async throws {
    let files = try OnlineStore()
    try files.make(100)
    let second = try Store(files.configuration())
    try second.write {
      for number in stride(from: 5, through: 100, by: 5) {
        second.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.isChecked = true
      }
    }
    try second.close()
    let store = try Store(keepingRule(files))
    if finishes {
      #expect(try await store.transition.finish()?.activity == .finished)
      try store.refresh()
    }
    var problems: [String] = []
    for number in 1...100 {
      guard
        let reading = store.object(ofType: OnlineExtended.Reading.self, forPrimaryKey: number)
      else {
        problems.append("\(number) is missing")
        continue
      }
      // Version 2 has already stored every fifth object, with a longer label in some.
      let isFromSecond = number % 5 == 0
      if reading.extra != (isFromSecond ? 0 : number) { problems.append("extra of \(number)") }
      if !reading.title.hasPrefix("sensor \(number % 10) ") {
        problems.append("title of \(number)")
      }
      if reading.level != Double(OnlineStore.level(number)) ?? -1 {
        problems.append("level of \(number)")
      }
      if reading.calibrated != Double(number) / 2 { problems.append("calibrated of \(number)") }
      if reading.note != OnlineStore.note(number) { problems.append("note of \(number)") }
      let tags = (number % 4) + (number % 50 == 0 ? 200 : 0) + (number % 3 == 0 ? 1 : 0)
      if reading.tags.count != tags { problems.append("tags of \(number)") }
      if reading.station?.code != "S\(number % 3)" { problems.append("station of \(number)") }
    }
    #expect(problems == [])
    #expect(
      store.objects(OnlineExtended.Reading.self).where { $0.calibrated == 21 }.map(\.number)
        == [42])
    try store.refresh()
    #expect(try store.findings() == [])
  }

  /// The schema changed first. Then no release could open the store: the new one lacked the rule,
  /// and for the old one the version was too new.
  @Test func `a missing rule is named while the release before can still open the store`() throws {
    let files = try OnlineStore()
    try files.make(5)
    try Store(files.configuration()).close()
    var next = keepingRule(files)
    next.onlineMigration = .online([])
    let error = try #require(throws: StoreError.self) { try Store(next) }
    #expect(error.code == .transitionNeedsRule)
    #expect(try Store.schemaVersion(at: files.url) == 2)
    #expect(try Store(files.configuration()).objects(OnlineV2.Reading.self).count == 5)
  }

  @Test func `a rule that does not match what is stored is refused before the schema changes`()
    throws
  {
    let files = try OnlineStore()
    try files.make(5)
    try Store(files.configuration()).close()
    var next = keepingRule(files)
    next.onlineMigration = .online(
      .rule(from: 1, OnlineV2.Reading.self, OnlineExtended.Reading.self) { _, _ in })
    let error = try #require(throws: StoreError.self) { try Store(next) }
    #expect(error.code == .cannotMigrateOnline)
    #expect(error.message.contains("the file has no property 'calibrated'"))
    #expect(try Store.schemaVersion(at: files.url) == 2)
    #expect(try Store(files.configuration()).objects(OnlineV2.Reading.self).count == 5)
  }

  /// The newer store joined the conversion to the older schema, which fails. Its own did not begin.
  @Test(.mustEnd, arguments: [false, true])
  func `a store with a newer schema is converted beside an open one with the older schema`(
    _ startsPaused: Bool
  ) async throws {
    let files = try OnlineStore()
    try files.make(120)
    let older = try Store(files.configuration(startsPaused: startsPaused))
    let newer = try Store(configuration(files))
    #expect(try await newer.transition.finish()?.activity == .finished)
    try newer.refresh()
    #expect(try problems(newer, 120) == [])
    #expect(try newer.findings() == [])
    #expect(throws: StoreError.self) { try older.refresh() }
  }
}

private enum Required {
  enum Text {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var value: String
    }
  }

  enum Number {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var value: Int
    }
  }

  enum Truth {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var value: Bool
    }
  }
}
