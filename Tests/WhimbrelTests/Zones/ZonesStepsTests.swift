import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

/// The sample app's migration in steps beside the one closure that it has.
struct ZonesStepsTests {
  /// The sample app's store, with a step for each release.
  private static func steps(url: URL) -> Store.Configuration {
    Store.Configuration(
      url: url, models: [Zone.self, Country.self], schemaVersion: 4,
      migration: .steps([
        .step(to: 2, models: [SchemaV2.Zone.self]) { migration, _ in
          try migration.enumerateObjects(ofType: "Zone") { old, new in
            guard let old, let new else { return }
            try ZonesMigration.setPlace(of: new, from: old)
          }
        },
        .step(to: 3, models: [SchemaV3.Zone.self, SchemaV3.Country.self]) { migration, _ in
          try migration.renameProperty(onType: "Zone", from: "name", to: "identifier")
          let countries = try ZonesMigration.createCountries(in: migration)
          try migration.enumerateObjects(ofType: "Zone") { old, new in
            guard let old, let new else { return }
            try ZonesMigration.setCountry(of: new, from: old, among: countries)
          }
        },
        .step(to: 4, models: [Zone.self, Country.self]) { migration, oldVersion in
          try StepwiseMigrationTests.setAreas(migration, oldVersion)
        },
      ]))
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `steps and the single closure reach the same state`(sample: ZonesSampleStore) throws {
    let (copy, other) = (
      try SampleStore(copying: sample.url), try SampleStore(copying: sample.url)
    )
    let stepwise = try Store(Self.steps(url: copy.url))
    let direct = try Store(.zones(url: other.url))
    #expect(stepwise.schemaVersion == 4)
    // The schema has the indexes and the defaults.
    #expect(stepwise.schema == direct.schema)
    let contents = ZonesContents(of: stepwise)
    #expect(contents.firstDifferences(from: ZonesContents(of: direct)) == [])
    #expect(contents == ZonesContents(of: direct))
    #expect(contents.zones.count == 312 && contents.countries.count == 249)
    #expect(stepwise.migrationHistory.count == 4 - Int(sample.version))
    for identifier in contents.zones.keys {
      #expect(stepwise.object(ofType: Zone.self, forPrimaryKey: identifier) != nil)
    }
    #expect(try stepwise.integrityFindings() == [])
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a dry run of steps says what they do`(sample: ZonesSampleStore) throws {
    let copy = try SampleStore(copying: sample.url)
    let plan = try Store.migrationPlan(for: Self.steps(url: copy.url))
    let run = try Store.dryRunMigration(Self.steps(url: copy.url))
    #expect(run.plan.changes == plan.changes && run.plan.remainingSteps == plan.remainingSteps)
    #expect([run.plan.toVersion] + plan.remainingSteps == Array(min(sample.version + 1, 4)...4))
    #expect(run.nextSteps.map(\.plan.toVersion) == plan.remainingSteps)
    let store = try Store(Self.steps(url: copy.url))
    let rewritten = ([run] + run.nextSteps).map(\.objectsRewritten)
    #expect(store.migrationHistory.map(\.objects) == (sample == .v4 ? [] : rewritten))
  }

  @Test func `a new store needs no step`() throws {
    let place = try SampleStore()
    let store = try Store(Self.steps(url: place.url))
    #expect(store.schemaVersion == 4 && store.migrationHistory.isEmpty)
  }
}
