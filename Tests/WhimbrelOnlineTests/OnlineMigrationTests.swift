import Foundation
import Testing
import Whimbrel

struct OnlineMigrationTests {
  @Test func `objects that are not converted yet read as their rule makes them`() throws {
    let files = try OnlineStore()
    try files.make(300)
    let store = try Store(files.configuration())
    #expect(store.schemaVersion == 2)
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings.count == 300)
    var problems: [String] = []
    var number = 0
    for reading in readings {
      number += 1
      problems += OnlineStore.problems(of: reading, number)
    }
    #expect(number == 300)
    #expect(problems == [])
    for number in [1, 50, 99, 300] {
      let found = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)
      #expect(found.map { OnlineStore.problems(of: $0, number) } == [])
    }
    let stations = store.objects(OnlineV2.Station.self)
    #expect(stations.map { $0.readings.count }.reduce(0, +) == 300)
    try store.refresh()
  }

  @Test func `queries, sorts and sums of unconverted objects see converted values`() throws {
    let files = try OnlineStore()
    try files.make(200)
    let store = try Store(files.configuration())
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings.where { $0.calibrated > 90 }.count == 20)
    #expect(readings.where { $0.calibrated == 50 }.map(\.number) == [100])
    #expect(readings.where { $0.level == -1 }.count == (1...200).count { $0 % 7 == 3 })
    #expect(readings.where { $0.sensor == "sensor 3" && $0.level >= 50 }.count == 9)
    #expect(readings.where { $0.label.contains("#17") }.count == 10)
    #expect(readings.sorted(by: \.calibrated, ascending: false).first?.number == 200)
    #expect(readings.sorted(by: \.calibrated).limit(3).map(\.number) == [1, 2, 3])
    #expect(readings.sum(of: \.calibrated) == (1...200).reduce(0) { $0 + Double($1) / 2 })
    #expect(readings.max(of: \.calibrated) == 100)
    #expect(readings.where { $0.tags.contains("three") }.count == 66)
    try store.refresh()
  }

  @Test func `a write stores the object converted, and its index entries are right`() throws {
    let files = try OnlineStore()
    try files.make(100)
    let store = try Store(files.configuration())
    try store.write {
      for number in stride(from: 1, through: 100, by: 2) {
        let reading = try #require(
          store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number))
        reading.isChecked = true
      }
      for number in stride(from: 10, through: 100, by: 10) {
        let reading = try #require(
          store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number))
        if number % 20 == 0 { try store.delete(reading) } else { reading.tags.append("more") }
      }
    }
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings.count == 95)
    #expect(readings.where { $0.isChecked }.count == 50)
    #expect(readings.where { $0.tags.contains("more") }.map(\.number) == [10, 30, 50, 70, 90])
    #expect(try store.findings().isEmpty)
  }

  @Test func `finish converts all objects and ends the transition`() async throws {
    let files = try OnlineStore()
    try files.make(1_000)
    let store = try Store(files.configuration())
    let progress = try await store.transition.finish()
    #expect(progress?.activity == .finished)
    #expect(progress?.unsetCount == (1...1_000).count { $0 % 7 == 3 })
    try store.refresh()
    var problems: [String] = []
    for (place, reading) in store.objects(OnlineV2.Reading.self).enumerated() {
      problems += OnlineStore.problems(of: reading, place + 1)
    }
    #expect(problems == [])
    #expect(try store.findings().isEmpty)
    let explanation = try store.objects(OnlineV2.Reading.self).where { $0.calibrated == 50 }
      .explain()
    #expect(!explanation.isScan)
    #expect(store.migrationHistory.last?.objects == 1_000)
    try store.close()
    let again = try Store(files.configuration())
    #expect(again.transition.progress == nil)
    #expect(again.objects(OnlineV2.Reading.self).count == 1_000)
  }

  /// What was converted in memory must not be seen once the object is stored.
  @Test func `a long text that a rule made is not seen after the app has set another`() throws {
    let files = try OnlineStore()
    try files.make(22)
    let store = try Store(files.configuration())
    let reading = try #require(store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 22))
    #expect(reading.label.count > 1_000)
    let text = String(repeating: "other ", count: 500)
    try store.write { reading.label = text }
    #expect(reading.label == text)
    let again = try #require(store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 22))
    #expect(again.label == text)
    #expect(Array(again.tags) == Array(reading.tags))
    #expect(try store.findings() == [])
  }

  @Test func `objects that their rule cannot convert can be deleted`() throws {
    let files = try OnlineStore()
    try files.make(9)
    var configuration = files.configuration()
    configuration.onlineMigration = .online(
      .rule(from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self) { _, new in new.number = 1 })
    configuration.onlineMigration?.startsPaused = true
    let store = try Store(configuration)
    try store.write { try store.delete(store.objects(OnlineV2.Reading.self)) }
    #expect(store.objects(OnlineV2.Reading.self).isEmpty)
    #expect(try store.findings() == [])
  }
}
