import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

/// A device that took every release, beside one that skipped some: both must
/// end with the same store.
struct StepwiseMigrationTests {
  @Test func `every release in turn gives what skipping them gives`() throws {
    let (copy, other) = (
      try SampleStore(copying: ZonesSampleStore.v1.url),
      try SampleStore(copying: ZonesSampleStore.v1.url)
    )
    for sample in ZonesSampleStore.allCases.dropFirst() {
      let store = try Store(Self.release(sample, at: copy.url))
      #expect(store.schemaVersion == sample.version)
    }
    let stepwise = try Store(.zones(url: copy.url))
    let direct = try Store(.zones(url: other.url))
    #expect(ZonesContents(of: stepwise) == ZonesContents(of: direct))
    #expect(stepwise.schema == direct.schema)
  }

  @Test(arguments: [
    [ZonesSampleStore.v1, .v2], [.v1, .v2, .v3], [.v2, .v3],
  ])
  func `a store of a release equals the sample store of its version`(
    releases: [ZonesSampleStore]
  ) throws {
    let (first, last) = (try #require(releases.first), try #require(releases.last))
    let (copy, other) = (
      try SampleStore(copying: first.url), try SampleStore(copying: last.url)
    )
    for release in releases.dropFirst() { _ = try Store(Self.release(release, at: copy.url)) }
    let expected = try Store(last.configuration(at: other.url))
    let migrated = try Store(last.configuration(at: copy.url))
    #expect(migrated.schema == expected.schema)
    if last == .v2 {
      #expect(Self.values(ofV2: migrated) == Self.values(ofV2: expected))
      #expect(Self.values(ofV2: migrated).count == 312)
    } else {
      #expect(Self.values(ofV3: migrated) == Self.values(ofV3: expected))
      #expect(Self.values(ofV3: migrated).count == 312 + 249)
    }
  }

  /// What leads from version 3 to 4.
  static func setAreas(_ migration: Migration, _ oldVersion: SchemaVersion) throws {
    try migration.enumerateObjects(ofType: "Zone") { _, new in
      guard let new else { return }
      let identifier = try new["identifier", as: String.self]
      try new.set("area", to: Area(zoneIdentifier: identifier))
    }
  }

  /// A release with the closure that it had then: only its own step.
  static func release(_ release: ZonesSampleStore, at url: URL) -> Store.Configuration {
    guard release != .v4 else { return .zones(url: url) }
    var configuration = release.configuration(at: url)
    configuration.identity = StoreIdentity()
    configuration.migration = { migration, _ in
      var countries: [String: PropertyValue] = [:]
      if release == .v3 {
        try migration.renameProperty(onType: "Zone", from: "name", to: "identifier")
        countries = try ZonesMigration.createCountries(in: migration)
      }
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        if release == .v2 {
          try ZonesMigration.setPlace(of: new, from: old)
        } else {
          try ZonesMigration.setCountry(of: new, from: old, among: countries)
        }
      }
    }
    return configuration
  }

  /// Every property of every zone, a line a zone.
  static func values(ofV2 store: Store) -> Set<String> {
    Set(
      store.objects(SchemaV2.Zone.self).map { zone in
        "\(zone.name) \(zone.countryCodes) \(zone.latitude) \(zone.longitude) "
          + "\(String(reflecting: zone.comments))"
      })
  }

  /// Every property of every zone and country, a line an object.
  static func values(ofV3 store: Store) -> Set<String> {
    let zones = store.objects(SchemaV3.Zone.self).map { zone in
      "\(zone.identifier) \(zone.countryCodes) \(zone.latitude) \(zone.longitude) "
        + "\(String(reflecting: zone.comments)) \(zone.country?.code ?? "none")"
    }
    let countries = store.objects(SchemaV3.Country.self).map { "\($0.code) \($0.name)" }
    return Set(zones + countries)
  }
}
