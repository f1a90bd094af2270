public import Foundation
public import Whimbrel

extension Store.Configuration {
  /// Returns the configuration of the sample app's store, at the schema version of this release.
  ///
  /// A file of version 6 opens at once: a rule gives each zone its city while the app runs.
  /// ``ZonesMigration`` brings a file of any earlier version to this one in one step, even if
  /// releases were skipped.
  public static func zones(url: URL) -> Store.Configuration {
    Store.Configuration(
      url: url,
      models: [Zone.self, Country.self, Region.self, ClockChange.self],
      schemaVersion: 7,
      migration: .online(
        .rule(from: 6, SchemaV6.Zone.self, Zone.self) { old, new in
          new.city = Zone.city(ofIdentifier: old.identifier)
        },
        otherwise: { migration, oldVersion in
          if oldVersion == 5 {
            try migration.renameClass(from: "Transition", to: "ClockChange")
            try migration.enumerateObjects(ofType: "Region") { _, new in
              if let new { try ZonesMigration.setCode(of: new) }
            }
          }
          let countries =
            oldVersion < 3 ? try ZonesMigration.createCountries(in: migration) : [:]
          let regions =
            oldVersion < 5 ? try ZonesMigration.createRegions(in: migration) : [:]
          try migration.enumerateObjects(ofType: "Zone") { old, new in
            guard let old, let new else { return }
            if oldVersion < 2 { try ZonesMigration.setPlace(of: new, from: old) }
            if oldVersion < 3 {
              try ZonesMigration.setCountry(of: new, from: old, among: countries)
            }
            if oldVersion < 5 { try ZonesMigration.setRegion(of: new, among: regions) }
            try ZonesMigration.setCity(of: new)
          }
        }))
  }
}
