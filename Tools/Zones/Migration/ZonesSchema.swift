public import Foundation
public import Whimbrel

extension Store.Configuration {
  /// Returns the configuration of the sample app's store, at the schema version of this release.
  ///
  /// ``ZonesMigration`` brings a file of any earlier version to it in one step,
  /// even if releases were skipped.
  public static func zones(url: URL) -> Store.Configuration {
    Store.Configuration(
      url: url,
      models: [Zone.self, Country.self, Region.self, ClockChange.self],
      schemaVersion: 6,
      migration: { migration, oldVersion in
        if oldVersion == 5 {
          try migration.renameClass(from: "Transition", to: "ClockChange")
          try migration.enumerateObjects(ofType: "Region") { _, new in
            if let new { try ZonesMigration.setCode(of: new) }
          }
          return
        }
        let countries =
          oldVersion < 3 ? try ZonesMigration.createCountries(in: migration) : [:]
        let regions = try ZonesMigration.createRegions(in: migration)
        try migration.enumerateObjects(ofType: "Zone") { old, new in
          guard let old, let new else { return }
          if oldVersion < 2 { try ZonesMigration.setPlace(of: new, from: old) }
          if oldVersion < 3 { try ZonesMigration.setCountry(of: new, from: old, among: countries) }
          try ZonesMigration.setRegion(of: new, among: regions)
        }
      })
  }
}
