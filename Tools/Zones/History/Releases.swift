public import Whimbrel

/// The earlier releases of the app. Each has its frozen models and the migration that it shipped,
/// from the release before.
public enum Releases {
  /// Versions 2 to 6, oldest first.
  public static let all = [v2, v3, v4, v5, v6]

  private static func release(
    _ sample: ZonesSampleStore, _ migration: @escaping MigrationBlock
  ) -> Store.Configuration {
    var configuration = sample.configuration(at: sample.url)
    configuration.identity = StoreIdentity()
    configuration.migration = migration
    return configuration
  }

  /// Version 2: degrees replace the text of coordinates.
  public static let v2 = release(.v2) { migration, _ in
    try migration.enumerateObjects(ofType: "Zone") { old, new in
      if let old, let new { try ZonesMigration.setPlace(of: new, from: old) }
    }
  }

  /// Version 3: adds countries, and renames `name` to `identifier`.
  public static let v3 = release(.v3) { migration, _ in
    try migration.renameProperty(onType: "Zone", from: "name", to: "identifier")
    let countries = try ZonesMigration.createCountries(in: migration)
    try migration.enumerateObjects(ofType: "Zone") { old, new in
      if let old, let new {
        try ZonesMigration.setCountry(of: new, from: old, among: countries)
      }
    }
  }

  /// Version 4: adds areas.
  public static let v4 = release(.v4) { migration, _ in
    try migration.enumerateObjects(ofType: "Zone") { _, new in
      guard let new else { return }
      let identifier = try new["identifier", as: String.self]
      try new.set("area", to: Area(zoneIdentifier: identifier))
    }
  }

  /// Version 5: regions replace areas, and transitions are added.
  public static let v5 = release(.v5) { migration, _ in
    var regions: [String: PropertyValue] = [:]
    for area in Area.allCases {
      let region = try migration.create("Region", ["name": .string(area.rawValue)])
      regions[area.rawValue] = region.link
    }
    try migration.enumerateObjects(ofType: "Zone") { old, new in
      guard let old, let new else { return }
      let area = try old["area", as: String.self]
      try new.set("region", to: regions[area] ?? .null)
    }
  }

  /// Version 6: transitions become clock changes, and regions get numbers.
  public static let v6 = release(.v6) { migration, _ in
    try migration.renameClass(from: "Transition", to: "ClockChange")
    try migration.renameProperty(onType: "Zone", from: "transitions", to: "clockChanges")
    try migration.enumerateObjects(ofType: "Region") { _, new in
      if let new { try ZonesMigration.setCode(of: new) }
    }
  }
}
