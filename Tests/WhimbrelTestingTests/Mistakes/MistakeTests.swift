import Foundation
import Testing
import Whimbrel
import WhimbrelInspection
import WhimbrelTesting
import Zones

/// Mistakes that apps make, in copies of the sample app: each is found, and the failure says what it
/// is.
struct MistakeTests {
  private static func sample(_ version: Int) throws -> SampleStore {
    try SampleStore("Zones.v\(version)", in: ZonesSampleStore.folder)
  }

  private static func configuration(
    _ models: [any Model.Type], _ version: SchemaVersion, _ migration: MigrationBlock? = nil
  ) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: models, schemaVersion: version, migration: migration)
  }

  @Test func `a forgotten rename is found`() throws {
    expectFailure("Zones.v1", "'Zone'", "nothing gives 'identifier' a value") {
      try Self.sample(1).migrate(with: Self.configuration([ForgottenRename.Zone.self], 2))
    }
  }

  @Test func `a missing default is found`() throws {
    expectFailure("Zones.v1", "'Zone'", "'population'", "declare a default value") {
      try Self.sample(1).migrate(with: Self.configuration([MissingDefault.Zone.self], 2))
    }
  }

  /// From version 2 to 3 the countries are made; who comes from 1 gets none.
  @Test func `a step that assumes the one before is found`() throws {
    var mistaken = Releases.v3
    mistaken.migration = { migration, oldVersion in
      try migration.renameProperty(onType: "Zone", from: "name", to: "identifier")
      let countries =
        oldVersion == 2 ? try ZonesMigration.createCountries(in: migration) : [:]
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        if oldVersion < 2 { try ZonesMigration.setPlace(of: new, from: old) }
        try ZonesMigration.setCountry(of: new, from: old, among: countries)
      }
    }
    expectFailure("Zones.v1", "release by release", "Country") {
      try Self.sample(1).expectMigration(with: mistaken, after: [Releases.v2])
    }
    // Nothing is wrong with what it is meant for.
    try Self.sample(2).expectMigration(with: mistaken)
  }

  @Test func `objects that a block drops are missed`() throws {
    var mistaken = Releases.v2
    mistaken.migration = { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        try ZonesMigration.setPlace(of: new, from: old)
        if try old["comments", as: String?.self] == nil { try migration.delete(new) }
      }
    }
    expectFailure("Expected 312", "'Zone'") {
      try Self.sample(1).migrate(with: mistaken) { store in
        store.expectCount(of: SchemaV2.Zone.self, 312)
      }
    }
    expectFailure("No 'Zone' has the primary key 'Europe/Andorra'") {
      try Self.sample(1).migrate(with: mistaken) { store in
        store.expectObject(SchemaV2.Zone.self, "Europe/Andorra")
      }
    }
  }

  @Test func `a wrong value is shown beside the expected one`() throws {
    expectFailure("Zone 'Europe/Andorra'", "latitude", "expected 43.0, but found 42.5") {
      try Self.sample(2).migrate(with: Releases.v2) { store in
        store.expectObject(SchemaV2.Zone.self, "Europe/Andorra", ["latitude": 43.0])
      }
    }
  }

  // MARK: Schemas

  /// A folder with the schemas and the stores of versions 1 and 2.
  private func makeHistory() throws -> (
    history: SchemaHistory, samples: [SampleStore], TemporaryStoreFile
  ) {
    let place = try TemporaryStoreFile()
    let folder = place.url.deletingLastPathComponent()
    let history = SchemaHistory("Zones", in: folder)
    let samples = try [1, 2].map(Self.sample)
    for (sample, models) in zip(
      samples, [[SchemaV1.Zone.self], [SchemaV2.Zone.self]] as [[any Model.Type]])
    {
      let schema = SchemaExport(of: Self.configuration(models, sample.schemaVersion))
      try schema.json().write(to: history.url(of: sample.schemaVersion))
    }
    return (history, samples, place)
  }

  @Test func `models that have changed without a new version are found`() throws {
    let (history, samples, place) = try makeHistory()
    let changed = Self.configuration([ChangedModel.Zone.self], 1)
    expectFailure("Zones.v1.json", "isPopular", "'schemaVersion' to 2", "WHIMBREL_RECORD=1") {
      try history.expectComplete(for: changed, samples: [samples[0]])
    }
    withExtendedLifetime(place) {}
  }

  @Test func `a version without a schema is found`() throws {
    let (history, samples, place) = try makeHistory()
    expectFailure("Version 3", "Zones.v3.json", "WHIMBREL_RECORD=1") {
      try history.expectComplete(
        for: Self.configuration([SchemaV3.Zone.self, SchemaV3.Country.self], 3), samples: samples)
    }
    withExtendedLifetime(place) {}
  }

  @Test func `a version without a sample store is found`() throws {
    let (history, samples, place) = try makeHistory()
    expectFailure("Version 1 has no sample store", "Zones.v1.whimbrel") {
      try history.expectComplete(
        for: Self.configuration([SchemaV2.Zone.self], 2), samples: [samples[1]])
    }
    withExtendedLifetime(place) {}
  }

  @Test func `a changed schema of a release is found`() throws {
    let (history, samples, place) = try makeHistory()
    let changed = SchemaExport(of: Self.configuration([ChangedModel.Zone.self], 1))
    try changed.json().write(to: history.url(of: 1))
    expectFailure("Zones.v1.json", "isPopular", "Restore the file") {
      try history.expectComplete(for: Self.configuration([SchemaV2.Zone.self], 2), samples: samples)
    }
    withExtendedLifetime(place) {}
  }

  @Test func `a complete history passes`() throws {
    let (history, samples, place) = try makeHistory()
    try history.expectComplete(for: Self.configuration([SchemaV2.Zone.self], 2), samples: samples)
    withExtendedLifetime(place) {}
  }

  // MARK: Samples and coverage

  @Test func `a missing sample is an error that names those that are there`() throws {
    let error = try #require(throws: SampleStoreError.self) { try Self.sample(9) }
    #expect("\(error)".contains("There is no sample store 'Zones.v9'"))
    #expect("\(error)".contains("Zones.v1.whimbrel, Zones.v2.whimbrel"))
  }

  @Test func `a sample whose name has another version is an error`() throws {
    let place = try TemporaryStoreFile(named: "Zones.v3.whimbrel")
    try FileManager.default.copyItem(at: Self.sample(2).url, to: place.url)
    #expect(throws: SampleStoreError.wrongVersion("Zones.v3", named: 3, found: 2)) {
      try SampleStore(url: place.url)
    }
  }

  @Test func `samples that cover too little fail with what to add`() throws {
    expectFailure("of the schema's facets", "Zone.comments", "add ") {
      try expectCoverage(of: [Self.sample(2)], with: Releases.v2, atLeast: 0.99)
    }
  }

  /// 0.57 times 100 is 56.99…: the failure said "56 %".
  @Test(arguments: [(0.57, "57 %"), (0.58, "58 %"), (0.999, "100 %"), (0.9, "90 %")])
  func `the expected share is shown as it was written`(share: Double, text: String) throws {
    expectFailure("but \(text) are expected") {
      try expectCoverage(of: [Self.sample(2)], with: Releases.v2, atLeast: share)
    }
  }

  @Test func `a migration without marks is said to reach none`() throws {
    expectFailure("No sample store reaches the mark 'zones read'", "Reached marks: none.") {
      try expectCoverage(
        of: [Self.sample(2)], with: Releases.v2, atLeast: 0, marks: ["zones read"])
    }
  }

  @Test func `a mark that no sample reaches is named`() throws {
    var reporting = Releases.v2
    let migration = reporting.migration
    reporting.migration = { old, version in
      old.report("zones read")
      try migration?(old, version)
    }
    expectFailure("No sample store reaches the mark 'zones without a place'", "'zones read'") {
      try expectCoverage(
        of: [Self.sample(1)], with: reporting, atLeast: 0,
        marks: ["zones read", "zones without a place"])
    }
  }

  @Test func `a migration that differs after an interruption is found`() throws {
    // What a block has done elsewhere is not undone with it.
    let place = try TemporaryStoreFile()
    var mistaken = Releases.v2
    mistaken.migration = { migration, _ in
      let wasHere = FileManager.default.fileExists(atPath: place.url.path)
      try Data().write(to: place.url)
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        try ZonesMigration.setPlace(of: new, from: old)
        if wasHere, try old["comments", as: String?.self] == nil { try migration.delete(new) }
      }
    }
    expectFailure("Zones.v1", "migrating another copy of it gives other objects", "- Zone") {
      try Self.sample(1).expectSurvival(of: [.failing], with: mistaken)
    }
  }
}
