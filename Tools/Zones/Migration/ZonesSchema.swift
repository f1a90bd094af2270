public import Foundation
public import Whimbrel

extension Store.Configuration {
  /// The sample app's store, at the schema version of this release.
  ///
  /// A file of any earlier version reaches it in one step, versions skipped or
  /// not, by ``ZonesMigration``.
  public static func zones(url: URL) -> Store.Configuration {
    Store.Configuration(
      url: url,
      models: [Zone.self, Country.self],
      schemaVersion: 4,
      migration: { migration, oldVersion in
        var countries: [String: PropertyValue] = [:]
        if oldVersion < 3 {
          countries = try ZonesMigration.createCountries(in: migration)
        }
        try migration.enumerateObjects(ofType: "Zone") { old, new in
          guard let old, let new else { return }
          if oldVersion < 2 { try ZonesMigration.setPlace(of: new, from: old) }
          if oldVersion < 3 { try ZonesMigration.setCountry(of: new, from: old, among: countries) }
          let identifier = try new["identifier", as: String.self]
          try new.set("area", to: Area(zoneIdentifier: identifier))
        }
      })
  }
}
