import Foundation
import Testing
import Whimbrel

private enum Before {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    var raw: Double
  }
  @Model
  final class Station {
    @PrimaryKey var code: String
  }
}

/// The next version, with links, embedded objects and inverses that are new.
private enum After {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    var calibrated: Double = 0
    var previous: Reading?
    var stations: StoredList<Station>
    var origin: Origin?
    var anything: AnyValue
    @Inverse(of: \Reading.previous) var next: LinkingObjects<Reading>
  }
  @Model
  final class Station {
    @PrimaryKey var code: String
    var first: Reading?
    var origins: StoredList<Origin>
    @Inverse(of: \Reading.stations) var readings: LinkingObjects<Reading>
  }
  @Model(.embedded)
  final class Origin {
    var city: String
  }
}

/// Links that an online migration adds, while objects are not yet converted.
///
/// The index of the new links counted as unfinished, as if objects that were not yet converted had
/// such links. Inverses stayed empty, deleted objects were still linked to, and no new property
/// could own an embedded object.
struct NewLinkTests {
  private let folder: TestFolder
  private let store: Store

  init() throws {
    folder = try TestFolder()
    let url = folder.url.appending(path: "links.whimbrel")
    let old = try Store(
      Store.Configuration(
        url: url, models: [Before.Reading.self, Before.Station.self], schemaVersion: 1))
    try old.write {
      for number in 0..<20 { try old.add(Before.Reading(number: number, raw: Double(number))) }
      try old.add(Before.Station(code: "A"))
    }
    try old.close()
    var migration = OnlineMigration.online(
      .rule(from: 1, Before.Reading.self, After.Reading.self) { old, new in
        new.calibrated = old.raw * 2
      })
    migration.startsPaused = true
    store = try Store(
      Store.Configuration(
        url: url, models: [After.Reading.self, After.Station.self, After.Origin.self],
        schemaVersion: 2, migration: migration))
  }

  private func reading(_ number: Int) throws -> After.Reading {
    try #require(store.object(ofType: After.Reading.self, forPrimaryKey: number))
  }

  private func station() throws -> After.Station {
    try #require(store.object(ofType: After.Station.self, forPrimaryKey: "A"))
  }

  @Test func `a new link has its inverse, and is nil after its object is deleted`() async throws {
    let (one, two, station) = (try reading(1), try reading(2), try station())
    try store.write {
      one.previous = two
      one.stations.append(station)
      one.anything = .object(two)
      station.first = two
    }
    #expect(two.next.map(\.number) == [1])
    #expect(station.readings.map(\.number) == [1])
    #expect(store.objects(After.Reading.self).where { $0.previous.calibrated == 4 }.count == 1)
    try store.write { try store.delete(two) }
    #expect(one.previous == nil && station.first == nil && one.anything == .none)
    #expect(try store.findings() == [])
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    #expect(station.readings.map(\.number) == [1])
    #expect(store.objects(After.Reading.self).where { $0.calibrated > 0 }.count == 18)
    #expect(try store.findings() == [])
  }

  @Test func `a new property owns embedded objects of a new class`() async throws {
    try store.write {
      try reading(3).origin = After.Origin(city: "Oslo")
      try station().origins.append(After.Origin(city: "Bergen"))
    }
    #expect(try reading(3).origin?.city == "Oslo")
    try store.write {
      try reading(3).origin = nil
      try reading(4).origin = After.Origin(city: "Narvik")
    }
    #expect(store.objects(After.Origin.self).map(\.city) == ["Bergen", "Narvik"])
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    #expect(try reading(4).origin?.city == "Narvik")
    #expect(try store.findings() == [])
  }
}
