import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

/// What the app's migration makes of objects, compared with what the tables say.
struct ZonesMigrationTests {
  @Test(arguments: ZonesSampleStore.allCases)
  func `every value of every zone is there`(sample: ZonesSampleStore) throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let expected = try ZonesContents(expectedFrom: data, in: sample)
    try SampleStore(url: sample.url).migrate(with: .zones(url: sample.url)) { store in
      let contents = ZonesContents(of: store)
      #expect(contents.firstDifferences(from: expected) == [])
      #expect(contents == expected)
      for identifier in expected.zones.keys {
        #expect(store.object(ofType: Zone.self, forPrimaryKey: identifier) != nil)
      }
      #expect(store.object(ofType: Zone.self, forPrimaryKey: "Mars/Olympus") == nil)
    }
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a plan says what will be done and changes no byte`(sample: ZonesSampleStore) throws {
    let copy = try TemporaryStoreFile(copying: sample.url)
    let before = try Data(contentsOf: copy.url)
    let plan = try Store.migrationPlan(for: .zones(url: copy.url))
    #expect(plan.fromVersion == sample.version)
    #expect(plan.toVersion == 7)
    #expect(plan.changes.isEmpty == (sample.version == 7))
    // The rule converts what version 6 has; the closure migrates what is older.
    #expect(plan.canRunOnline == (sample.version >= 6))
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
    let copy = try TemporaryStoreFile(copying: sample.url)
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
    store.expectObject(SchemaV1.Zone.self, name, ["coordinates": .string(coordinates)])
  }

  @Test(arguments: ["", "ZZ", "ZZ,AD"])
  func `a zone of no known country migrates without one`(codes: String) throws {
    let sample = ZonesSampleStore.v2
    let copy = try TemporaryStoreFile(copying: sample.url)
    do {
      let store = try Store(sample.configuration(at: copy.url))
      try store.write {
        let zone = try #require(
          store.object(ofType: SchemaV2.Zone.self, forPrimaryKey: "Europe/Andorra"))
        zone.countryCodes = codes
      }
    }
    let store = try Store(.zones(url: copy.url))
    store.expectObject(
      Zone.self, "Europe/Andorra", ["country": .null, "countryCodes": .string(codes)])
  }
}
