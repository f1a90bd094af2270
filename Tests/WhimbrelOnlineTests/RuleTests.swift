import Foundation
import Synchronization
import Testing
import Whimbrel

/// What rules may do, and what happens when they do more.
struct RuleTests {
  private typealias New = OnlineV2.Reading

  private func configuration(
    _ files: OnlineStore, _ rules: MigrationRule..., otherwise: MigrationBlock? = nil
  ) -> Store.Configuration {
    var migration = OnlineMigration.online(rules, otherwise: otherwise)
    migration.startsPaused = true
    return Store.Configuration(
      url: files.url, models: [New.self, OnlineV2.Station.self], schemaVersion: 2,
      migration: migration)
  }

  @Test func `a rule that follows a link leaves its object as it was stored, and is named`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          new.calibrated = 7
          new.level = 1
          // A mistake that only some objects show.
          if old.number % 10 == 0 { new.label = old.station?.code ?? "" }
        }))
    #expect(store.object(ofType: New.self, forPrimaryKey: 9)?.calibrated == 7)
    #expect(store.object(ofType: New.self, forPrimaryKey: 10) == nil)
    let error = try #require(throws: StoreError.self) { try store.refresh() }
    #expect(error.code == .ruleFailed)
    #expect(error.context.primaryKey == "10")
    #expect(error.message.contains("an object of 'Station'"))
    #expect(throws: StoreError.self) {
      try store.write { store.object(ofType: New.self, forPrimaryKey: 10)?.isChecked = true }
    }
    let progress = try #require(try await store.transition.finish())
    #expect(progress.activity == .blocked)
    #expect(progress.failedObjects.map(\.primaryKey) == ["10", "20"])
    #expect(progress.failedCount == 2)
    try store.close()
    // The next release has a rule that stays within its bounds.
    let again = try Store(files.configuration())
    #expect(try await again.transition.finish()?.activity == .finished)
    try again.refresh()
    let mended = try #require(again.object(ofType: New.self, forPrimaryKey: 10))
    #expect(OnlineStore.problems(of: mended, 10) == [])
    #expect(again.object(ofType: New.self, forPrimaryKey: 11)?.calibrated == 7)
    #expect(try again.findings() == [])
  }

  /// Makes a store of items with the numbers from 1, which `fill` completes in the same write.
  private static func items(
    _ count: Int, in folder: TestFolder, _ fill: ([Values.Old.Item]) -> Void
  ) throws -> URL {
    let url = folder.url.appending(path: "items.whimbrel")
    let store = try Store(
      Store.Configuration(url: url, models: [Values.Old.Item.self], schemaVersion: 1))
    try store.write {
      let items = (1...count).map { Values.Old.Item(number: $0, value: .none, others: []) }
      for item in items { try store.add(item) }
      fill(items)
    }
    try store.close()
    return url
  }

  // The error was that of a closed store.
  @Test func `a rule cannot take the first of several sorted objects`() throws {
    let folder = try TestFolder()
    let url = try Self.items(2, in: folder) { items in
      for item in items {
        item.others.append(contentsOf: item.number == 1 ? [item] : items)
      }
    }
    var migration = OnlineMigration.online(
      .rule(from: 1, Values.Old.Item.self, Values.New.Item.self) { old, new in
        new.text = "\(old.others.sorted(by: \.number).first?.number ?? 0)"
      })
    migration.startsPaused = true
    let store = try Store(
      Store.Configuration(
        url: url, models: [Values.New.Item.self], schemaVersion: 2, migration: migration))
    #expect(store.object(ofType: Values.New.Item.self, forPrimaryKey: 1)?.text == "1")
    #expect(store.object(ofType: Values.New.Item.self, forPrimaryKey: 2) == nil)
    let error = try #require(throws: StoreError.self) { try store.refresh() }
    #expect(error.code == .ruleFailed)
    #expect(error.message.contains("one object only"))
  }

  @Test func `an object in an AnyValue is unknown to a rule`() throws {
    let folder = try TestFolder()
    let url = try Self.items(1, in: folder) { $0[0].value = .list([.object($0[0]), .int(3)]) }
    let store = try Store(
      Store.Configuration(
        url: url, models: [Values.New.Item.self], schemaVersion: 2,
        migration: .online(
          .rule(from: 1, Values.Old.Item.self, Values.New.Item.self) { old, new in
            var isUnknown = false
            if case .unknownObject("Item", _)? = old.value[0] { isUnknown = true }
            let object = old.value[0]?.object(Values.Old.Item.self)
            new.text = "\(isUnknown) \(object == nil) \(old.value[1]?.intValue ?? 0)"
          })))
    let item = try #require(store.object(ofType: Values.New.Item.self, forPrimaryKey: 1))
    #expect(item.text == "true true 3")
    #expect(item.value[0]?.object(Values.New.Item.self) == item)
    try store.refresh()
  }

  // They read memory that was freed after the write.
  @Test func `objects that a rule keeps read as empty after it`() throws {
    let files = try OnlineStore()
    try files.make(20)
    nonisolated(unsafe) var kept: [(old: OnlineV1.Reading, new: New)] = []
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          new.calibrated = 7
          new.level = 1
          new.label = old.sensor
          unsafe kept.append((old, new))
        }))
    try store.write {
      store.object(ofType: New.self, forPrimaryKey: 9)?.isChecked = true
    }
    let last = try #require(unsafe kept.last)
    #expect(last.old.number == 0)
    #expect(last.old.sensor == "")
    #expect(last.new.label == "")
    last.new.label = "too late"
    let reading = try #require(store.object(ofType: New.self, forPrimaryKey: 9))
    #expect(reading.label == "sensor 9")
    #expect(try store.findings() == [])
  }

  @Test func `all objects that cannot be converted are counted, and a hundred are listed`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(150)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          new.label = old.station?.code ?? ""
        }))
    let progress = try #require(try await store.transition.finish())
    #expect(progress.failedCount == 150)
    #expect(progress.failedObjects.count == 100)
    #expect(progress.description.hasPrefix("150 objects cannot be converted"))
    try store.close()
    let again = try Store(files.configuration())
    #expect(try await again.transition.finish()?.failedCount == 0)
  }

  /// It stayed blocked by objects that no longer existed until the file was opened again.
  @Test(.mustEnd) func `a blocked conversion ends after its objects were deleted`() async throws {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          if old.number > 18 { new.label = old.station?.code ?? "" }
        }))
    #expect(try await store.transition.finish()?.failedCount == 2)
    try store.write {
      try store.delete(store.objects(New.self))
      // It is stored where the object was that could not be converted.
      try store.add(New(number: 20, sensor: "new"))
    }
    store.transition.resume()
    for await _ in store.transition {}
    #expect(store.transition.progress?.isFinished == true)
    #expect(store.transition.progress?.failedCount == 0)
    try store.refresh()
    #expect(store.objects(New.self).map(\.sensor) == ["new"])
    #expect(try store.findings() == [])
  }

  /// The wait ended at once with the progress of the time before the deletion.
  @Test(.mustEnd) func `finish looks again whether objects are left that block the conversion`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          if old.number > 18 { new.label = old.station?.code ?? "" }
        }))
    for _ in 0..<2 {
      let blocked = try #require(try await store.transition.finish())
      #expect(blocked.activity == .blocked)
      #expect(blocked.failedCount == 2)
    }
    try store.refresh()
    try store.write { try store.delete(store.objects(New.self)) }
    let end = try #require(try await store.transition.finish())
    #expect(end.isFinished)
    #expect(end.failedCount == 0)
  }

  @Test(arguments: ["key", "index", "link", "element"])
  func `a rule cannot set what other tables depend on`(_ place: String) throws {
    let files = try OnlineStore()
    try files.make(3)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, New.self) { old, new in
          switch place {
          case "key": new.number = 77
          case "index": new.sensor = "other"
          case "link": new.station = OnlineV2.Station(code: "new")
          default: new.station = nil
          }
        }))
    _ = store.objects(New.self).first?.label
    let error = try #require(throws: StoreError.self) { try store.refresh() }
    #expect(error.code == .ruleFailed)
    #expect(store.objects(OnlineV2.Station.self).count == 3)
  }

  @Test
  func `values that a rule leaves unset get their defaults and are counted with their objects`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(30)
    let configuration = files.configuration()
    var found: [MigrationFinding] = []
    try Store.migrationPlan(for: configuration).check(on: configuration) { finding in
      found.append(finding)
      return true
    }
    #expect(found.map(\.primaryKey) == ["3", "10", "17", "24"])
    #expect(Set(found.map(\.rule)) == [.unset])
    #expect(Set(found.map(\.propertyName)) == ["level"])
    let store = try Store(configuration)
    try store.write { store.object(ofType: New.self, forPrimaryKey: 17)?.isChecked = true }
    let progress = try #require(try await store.transition.finish())
    #expect(progress.unsetCount == 4)
    #expect(progress.unsetObjects.compactMap(\.primaryKey).sorted() == ["10", "17", "24", "3"])
    #expect(progress.unsetObjects.allSatisfy { $0.properties == ["level"] })
  }

  // Empty lists that become a required number were counted too. A block gives them the default.
  @Test func `an empty list that becomes a number is not unset`() async throws {
    let folder = try TestFolder()
    let url = folder.url.appending(path: "lists.whimbrel")
    let old = try Store(
      Store.Configuration(url: url, models: [Numbers.Old.Item.self], schemaVersion: 1))
    try old.write {
      for (number, values) in [[], [5], [6, 7]].enumerated() {
        try old.add(Numbers.Old.Item(number: number, values: StoredList(values)))
      }
    }
    try old.close()
    let configuration = Store.Configuration(
      url: url, models: [Numbers.New.Item.self], schemaVersion: 2,
      migration: .online(
        .rule(from: 1, Numbers.Old.Item.self, Numbers.New.Item.self) { old, new in
          new.text = "\(old.number)"
        }))
    var found: [MigrationFinding] = []
    try Store.migrationPlan(for: configuration).check(on: configuration) { finding in
      found.append(finding)
      return true
    }
    #expect(found.map(\.primaryKey) == ["2"])
    let store = try Store(configuration)
    let progress = try #require(try await store.transition.finish())
    #expect(progress.unsetCount == 1)
    try store.refresh()
    #expect(store.objects(Numbers.New.Item.self).map(\.values) == [9, 5, 9])
    #expect(try store.findings() == [])
  }

  @Test func `a store without the rule that it needs is refused with the rule's name`() throws {
    let files = try OnlineStore()
    try files.make(5)
    try Store(files.configuration()).close()
    var without = files.configuration()
    without.onlineMigration = nil
    let error = try #require(throws: StoreError.self) { try Store(without) }
    #expect(error.code == .transitionNeedsRule)
    #expect(error.context.className == "Reading")
    #expect(error.context.storedVersion == 1)
    without.isReadOnly = true
    #expect(throws: StoreError.self) { try Store(without) }
    var readOnly = files.configuration()
    readOnly.isReadOnly = true
    let store = try Store(readOnly)
    #expect(
      store.object(ofType: New.self, forPrimaryKey: 4).map { OnlineStore.problems(of: $0, 4) } == []
    )
  }

  @Test func `changes that rules cannot make are refused, and a block makes them`() async throws {
    let files = try OnlineStore()
    try files.make(9)
    var next = Store.Configuration(
      url: files.url, models: [OnlineTokens.Reading.self], schemaVersion: 2,
      migration: .online(
        .rule(from: 1, OnlineV1.Reading.self, OnlineTokens.Reading.self) { old, new in
          new.label = old.level
        }))
    let plan = try Store.migrationPlan(for: next)
    #expect(!plan.canRunOnline)
    let reasons = plan.onlineObstacles.map(\.description).joined(separator: "\n")
    for part in ["primary key", "unique", "has no default", "differs each time"] {
      #expect(reasons.contains(part), "\(part) in \(reasons)")
    }
    let before = try Data(contentsOf: files.url)
    let error = try #require(throws: StoreError.self) { try Store(next) }
    #expect(error.code == .cannotMigrateOnline)
    #expect(try Data(contentsOf: files.url) == before)
    next.onlineMigration = .online(
      next.onlineMigration?.rules ?? [],
      otherwise: { migration, _ in
        try migration.enumerateObjects(ofType: "Reading") { old, new in
          try new?.set("label", to: try old?["level", as: String.self] ?? "")
          try new?.set("note", to: String?.none)
        }
      })
    let store = try Store(next)
    #expect(store.objects(OnlineTokens.Reading.self).count == 9)
    #expect(store.transition.progress == nil)
  }

  @Test func `a store from before the first rule is migrated by the block`() throws {
    let files = try OnlineStore()
    try files.make(5)
    var configuration = files.configuration()
    configuration.schemaVersion = 3
    let ran = Atomic(0)
    configuration.onlineMigration = .online(
      .rule(from: 2, OnlineV2.Reading.self, New.self) { _, _ in },
      otherwise: { migration, oldVersion in
        ran.add(Int(oldVersion), ordering: .relaxed)
        try migration.enumerate(OnlineV1.Reading.self, New.self) { old, new in
          new.level = Int(old.level) ?? -1
          new.label = "by the block"
        }
      })
    let plan = try Store.migrationPlan(for: configuration)
    #expect(plan.onlineObstacles.map(\.description).joined().contains("below 2"))
    let store = try Store(configuration)
    #expect(ran.load(ordering: .relaxed) == 1)
    #expect(store.objects(New.self).map(\.label) == Array(repeating: "by the block", count: 5))
  }

  @Test func `a backup is made before, and a way back is refused`() throws {
    let files = try OnlineStore()
    try files.make(5)
    var configuration = files.configuration()
    configuration.keepsPreviousGeneration = true
    // The plan did not say so.
    let plan = try Store.migrationPlan(for: configuration)
    #expect(plan.onlineObstacles.map(\.description).joined().contains("keepsPreviousGeneration"))
    let error = try #require(throws: StoreError.self) { try Store(configuration) }
    #expect(error.code == .cannotMigrateOnline)
    #expect(error.message.contains("converted in place"))
    #expect(try Store.schemaVersion(at: files.url) == 1)
    configuration.keepsPreviousGeneration = false
    let backup = files.url.appendingPathExtension("before")
    configuration.backup = .before(backup)
    let store = try Store(configuration)
    #expect(store.schemaVersion == 2)
    #expect(!store.canUndoMigration)
    // It said to set what the error above said must not be set.
    let undoing = try #require(throws: StoreError.self) { try store.undoMigration() }
    #expect(undoing.code == .undoNotPossible && undoing.recovery.contains("backup"))
    var old = files.old
    old.url = backup
    #expect(try Store(old).objects(OnlineV1.Reading.self).map(\.level).count == 5)
  }

  /// The past shape had the new name of the class that it links to, and the frozen declaration of
  /// the rule was refused.
  @Test func `a class that objects link to can be renamed in the same migration`() async throws {
    let files = try OnlineStore()
    try files.make(12)
    let store = try Store(
      Store.Configuration(
        url: files.url, models: [OnlineRenamed.Reading.self, OnlineRenamed.Post.self],
        schemaVersion: 2,
        migration: .online(
          .rule(from: 1, OnlineV1.Reading.self, OnlineRenamed.Reading.self) { old, new in
            new.label = "\(old.sensor) #\(old.number)"
          })))
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    let reading = try #require(
      store.object(ofType: OnlineRenamed.Reading.self, forPrimaryKey: 7))
    #expect(reading.label == "sensor 7 #7")
    #expect(reading.station?.code == "S1")
    #expect(try store.findings() == [])
  }

  @Test func `mistakes in the rules of a configuration are listed`() throws {
    let files = try OnlineStore()
    let configuration = configuration(
      files, OnlineStore.rule, OnlineStore.rule,
      .rule(from: 2, OnlineV1.Reading.self, OnlineV1.Reading.self) { _, _ in })
    let error = try #require(throws: StoreError.self) { try Store(configuration) }
    #expect(error.code == .invalidConfiguration)
    #expect(error.message.contains("declared twice"))
    #expect(error.message.contains("not below 2"))
    #expect(error.message.contains("not among the models"))
  }

  @Test func `a dry run converts a copy, and the store stays as it is`() throws {
    let files = try OnlineStore()
    try files.make(40)
    let run = try Store.dryRunMigration(files.configuration())
    #expect(run.objectsRewritten == 40)
    #expect(run.classes.map(\.className) == ["Reading"])
    #expect(try Store.schemaVersion(at: files.url) == 1)
    #expect(try Store(files.old).objects(OnlineV1.Reading.self).count == 40)
  }
}

private enum Values {
  enum Old {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var value: AnyValue
      var others: StoredList<Values.Old.Item>
    }
  }

  enum New {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var value: AnyValue
      var others: StoredList<Values.New.Item>
      var text: String = ""
    }
  }
}

private enum Numbers {
  enum Old {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var values: StoredList<Int>
    }
  }

  enum New {
    @Model("Item")
    final class Item {
      @PrimaryKey var number: Int
      var values: Int = 9
      var text: String = ""
    }
  }
}
