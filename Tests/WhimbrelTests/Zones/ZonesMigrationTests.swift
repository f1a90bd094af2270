import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

struct ZonesMigrationTests {
  let expected: ZonesContents

  init() throws {
    expected = try ZonesContents(expectedFrom: SourceData(folder: ZonesSampleStore.sourceFolder))
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `every sample store migrates to version 4`(sample: ZonesSampleStore) throws {
    let copy = try SampleStore(copying: sample.url)
    let store = try Store(.zones(url: copy.url))
    #expect(store.schemaVersion == 4)
    let contents = ZonesContents(of: store)
    #expect(contents.firstDifferences(from: expected) == [])
    #expect(contents == expected)
    #expect(store.objects(Zone.self).count == 312)
    #expect(store.objects(Country.self).count == 249)
    #expect(try store.integrityFindings() == [])
  }

  @Test(arguments: ZonesSampleStore.allCases.dropLast())
  func `a migrated store has the schema of a new one`(sample: ZonesSampleStore) throws {
    let (copy, fresh) = (try SampleStore(copying: sample.url), try SampleStore())
    let migrated = try Store(.zones(url: copy.url))
    let new = try Store(.zones(url: fresh.url))
    #expect(migrated.schema == new.schema)
  }

  @Test(arguments: ZonesSampleStore.allCases.dropLast())
  func `each zone of a migrated store is found by its identifier`(sample: ZonesSampleStore) throws {
    let copy = try SampleStore(copying: sample.url)
    let store = try Store(.zones(url: copy.url))
    for (identifier, values) in expected.zones {
      let zone = try #require(store.object(ofType: Zone.self, forPrimaryKey: identifier))
      #expect(zone.country?.name == values.country.flatMap { expected.countries[$0] })
    }
    #expect(store.object(ofType: Zone.self, forPrimaryKey: "Mars/Olympus") == nil)
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `opening again calls no closure and changes no byte`(sample: ZonesSampleStore) throws {
    let copy = try SampleStore(copying: sample.url)
    _ = try Store(.zones(url: copy.url))
    let before = try Data(contentsOf: copy.url)

    var configuration = Store.Configuration.zones(url: copy.url)
    let counter = CallCounter()
    configuration.migration = { _, _ in counter.call() }
    let contents = ZonesContents(of: try Store(configuration))
    #expect(counter.count == 0)
    #expect(contents == expected)
    #expect(try Data(contentsOf: copy.url) == before)
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a plan says what will be done and changes no byte`(sample: ZonesSampleStore) throws {
    let copy = try SampleStore(copying: sample.url)
    let before = try Data(contentsOf: copy.url)
    let plan = try Store.migrationPlan(for: .zones(url: copy.url))
    #expect(plan.fromVersion == sample.version)
    #expect(plan.toVersion == 4)
    #expect(plan.changes.isEmpty == (sample.version == 4))
    #expect(try Data(contentsOf: copy.url) == before)
  }

  @Test(arguments: [
    ("latitude unreadable", "+4260+00131", "Europe/Andorra"),
    ("not a coordinate", "north", "Europe/Andorra"),
    ("an unknown area", "+4230+00131", "Nowhere/Andorra"),
  ])
  func `data that the closure cannot read leaves the store at its version`(
    reason: String, coordinates: String, name: String
  ) throws {
    let sample = ZonesSampleStore.v1
    let copy = try SampleStore(copying: sample.url)
    do {
      let store = try Store(sample.configuration(at: copy.url))
      try store.write {
        try store.add(
          SchemaV1.Zone(
            name: name, countryCodes: "AD", coordinates: coordinates, comments: nil),
          update: .all)
      }
    }
    #expect(throws: StoreError.self, "\(reason)") { try Store(.zones(url: copy.url)) }
    let store = try Store(sample.configuration(at: copy.url))
    #expect(store.schemaVersion == 1)
    let zone = try #require(store.object(ofType: SchemaV1.Zone.self, forPrimaryKey: name))
    #expect(zone.coordinates == coordinates)
  }

  @Test(arguments: ["", "ZZ", "ZZ,AD"])
  func `a zone of no known country migrates without one`(codes: String) throws {
    let sample = ZonesSampleStore.v2
    let copy = try SampleStore(copying: sample.url)
    do {
      let store = try Store(sample.configuration(at: copy.url))
      try store.write {
        let zone = try #require(
          store.object(ofType: SchemaV2.Zone.self, forPrimaryKey: "Europe/Andorra"))
        zone.countryCodes = codes
      }
    }
    let store = try Store(.zones(url: copy.url))
    let zone = try #require(store.object(ofType: Zone.self, forPrimaryKey: "Europe/Andorra"))
    #expect(zone.country == nil)
    #expect(zone.countryCodes == codes)
  }
}
