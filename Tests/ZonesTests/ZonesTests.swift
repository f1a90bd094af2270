import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting
import Zones

/// What the app's tests say of its migrations: all of it.
@Suite(.keepsStores) struct ZonesTests {
  /// A store of each release, as it is on devices.
  static let samples = Result { try SampleStore.all(in: ZonesSampleStore.folder) }

  @Test(arguments: try ZonesTests.samples.get())
  func `a store of any release becomes one of this`(sample: SampleStore) throws {
    try sample.expectMigration(with: .zones(url: sample.url), after: Releases.all)
  }

  @Test(arguments: try ZonesTests.samples.get())
  func `the zones are those that they were`(sample: SampleStore) throws {
    try sample.migrate(with: .zones(url: sample.url)) { store in
      store.expectCount(of: Zone.self, 312)
      store.expectCount(of: Country.self, 249)
      store.expectCount(of: Region.self, 9)
      store.expectObject(
        Zone.self, "Europe/Andorra",
        ["latitude": 42.5, "country": "AD", "comments": "", "region": 7, "city": "Andorra"])
      let cities = store.objects(Zone.self).where { $0.city == "Buenos Aires" }
      #expect(cities.map(\.identifier) == ["America/Argentina/Buenos_Aires"])
      let andorra = try #require(store.object(ofType: Country.self, forPrimaryKey: "AD"))
      #expect(andorra.zones.map(\.identifier) == ["Europe/Andorra"])
    }
  }

  /// Interrupting takes seconds for each: every third one, unless there is time for all. The last is
  /// version 6, whose zones a rule converts.
  static let interrupted = samples.map { samples in
    return samples.enumerated().filter { TestRun.isLong || $0.offset % 3 == 2 }.map(\.element)
  }

  @Test(.takesLong, arguments: try ZonesTests.interrupted.get())
  func `an interrupted migration loses nothing`(sample: SampleStore) throws {
    try sample.expectSurvival(with: .zones(url: sample.url))
  }

  @Test func `every version has its schema and its sample store`() throws {
    try SchemaHistory("Zones").expectComplete(
      for: .zones(url: ZonesSampleStore.folder), samples: Self.samples.get())
  }

  @Test func `the sample stores have of everything something`() throws {
    try expectCoverage(
      of: Self.samples.get(), with: .zones(url: ZonesSampleStore.folder), atLeast: 0.5)
  }
}
