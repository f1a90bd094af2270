import Foundation
import Testing
import Whimbrel

/// Version 3 of an app, which needs no new rule: `label` is called `title`, and `stars` is new.
private enum Third {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    @Renamed(from: "label") var title: String = ""
    var level: Int = -1
    var stars: Int = 5
  }
}

/// Version 4, whose rule reads what version 3 has renamed and added.
private enum Fourth {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    @Renamed(from: "label") var title: String = ""
    var level: Int = -1
    var stars: Int = 5
    var size: Int = 0
  }
}

/// An app whose version 2 renamed a class without a rule.
private enum Linked {
  enum First {
    @Model("Sensor")
    final class Sensor {
      @PrimaryKey var name: String
    }

    @Model("Value")
    final class Value {
      var raw: Int
      var sensor: Sensor?
    }
  }

  enum Second {
    @Model("Probe", renamedFrom: "Sensor")
    final class Probe {
      @PrimaryKey var name: String
    }

    @Model("Value")
    final class Value {
      var raw: Int
      var sensor: Probe?
    }
  }

  enum Third {
    @Model("Value")
    final class Value {
      var raw: Int
      var exact: Double = 0
      var sensor: Second.Probe?
    }
  }
}

/// Rules of an app one of whose releases changed its models without a new rule.
struct RulelessReleaseTests {
  /// The rule of version 1 as version 3 has kept it.
  private static let first = MigrationRule.rule(
    from: 1, OnlineV1.Reading.self, Third.Reading.self
  ) { old, new in
    new.title = "\(old.sensor) #\(old.number)"
    if let level = Int(old.level) { new.level = level }
  }
  private static let second = MigrationRule.rule(
    from: 2, OnlineV2.Reading.self, Third.Reading.self
  ) { _, _ in }
  private static let third = MigrationRule.rule(
    from: 3, Third.Reading.self, Fourth.Reading.self
  ) { old, new in
    new.size = old.title.count + old.stars
  }

  // Stores that had skipped version 2 needed the rule to lead to version 3, and stores in which
  // objects of version 1 waited since version 2 needed it to lead to version 2. An app could open
  // only some of its stores.
  @Test(arguments: [[], [2], [3], [2, 3]] as [[Int]])
  func `a rule that leads beyond the next release serves every store`(
    _ opened: [Int]
  ) async throws {
    let files = try OnlineStore()
    try files.make(10)
    if opened.contains(2) { try Store(files.configuration()).close() }
    if opened.contains(3) {
      try Store(files.paused(Third.Reading.self, 3, [Self.first])).close()
    }
    let store = try Store(
      files.paused(Fourth.Reading.self, 4, [Self.first, Self.second, Self.third]))
    func expectReadings() throws {
      let readings = store.objects(Fourth.Reading.self)
      #expect(readings.map(\.number).sorted() == Array(1...10))
      for reading in readings {
        let number = reading.number
        #expect(reading.title == "sensor \(number % 10) #\(number)")
        #expect(reading.level == Int(OnlineStore.level(number)) ?? -1)
        #expect(reading.stars == 5)
        #expect(reading.size == reading.title.count + 5)
      }
      #expect(try store.findings() == [])
    }
    try expectReadings()
    #expect(try await store.transition.finish()?.activity == .finished)
    try store.refresh()
    try expectReadings()
  }

  // The error advised to make the changes in a block.
  @Test func `a store from before such a release needs an empty rule`() throws {
    let files = try OnlineStore()
    try files.make(3)
    try Store(files.configuration()).close()
    let next = files.paused(Fourth.Reading.self, 4, [Self.first, Self.third])
    let error = try #require(throws: StoreError.self) { try Store(next) }
    #expect(error.code == .cannotMigrateOnline)
    #expect(error.message.contains("the file has no property 'title'"))
    #expect(error.message.contains("Add a rule from version 2"))
    #expect(try Store.schemaVersion(at: files.url) == 2)
  }

  // The article named properties only, and stores that skipped version 2 could not be opened.
  @Test(arguments: [false, true], [false, true])
  func `a renamed class that a declaration links to needs an empty rule in stores that skip it`(
    _ skips: Bool, _ isComplete: Bool
  ) throws {
    let files = try OnlineStore()
    let first: [any Model.Type] = [Linked.First.Value.self, Linked.First.Sensor.self]
    let old = try Store(.init(url: files.url, models: first, schemaVersion: 1))
    try old.write {
      try old.add(Linked.First.Value(raw: 3, sensor: Linked.First.Sensor(name: "A")))
    }
    try old.close()
    if !skips {
      let second: [any Model.Type] = [Linked.Second.Value.self, Linked.Second.Probe.self]
      try Store(.init(url: files.url, models: second, schemaVersion: 2)).close()
    }
    var rules = [
      MigrationRule.rule(from: 2, Linked.Second.Value.self, Linked.Third.Value.self) { old, new in
        new.exact = Double(old.raw)
      }
    ]
    if isComplete {
      rules.append(.rule(from: 1, Linked.First.Value.self, Linked.Second.Value.self) { _, _ in })
    }
    let configuration = Store.Configuration(
      url: files.url, models: [Linked.Third.Value.self, Linked.Second.Probe.self],
      schemaVersion: 3, migration: .online(rules))
    if skips, !isComplete {
      let error = try #require(throws: StoreError.self) { try Store(configuration) }
      #expect(error.message.contains("Add a rule from version 1"))
    } else {
      let value = try #require(try Store(configuration).objects(Linked.Third.Value.self).first)
      #expect(value.exact == 3)
      #expect(value.sensor?.name == "A")
    }
  }
}
