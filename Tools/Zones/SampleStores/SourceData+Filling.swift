import Whimbrel

/// Each version of the app's models, filled from the tables.
extension SourceData {
  /// Adds the zones as version 1 declares them.
  func fillV1(_ store: Store) throws {
    for row in zones {
      try store.add(
        SchemaV1.Zone(
          name: row.identifier, countryCodes: row.joinedCountryCodes,
          coordinates: row.coordinates, comments: row.comments))
    }
  }

  /// Adds the zones as version 2 declares them.
  func fillV2(_ store: Store) throws {
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      try store.add(
        SchemaV2.Zone(
          name: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments))
    }
  }

  /// Adds the countries and zones as version 3 declares them.
  func fillV3(_ store: Store) throws {
    var byCode: [String: SchemaV3.Country] = [:]
    for row in countries {
      let country = SchemaV3.Country(code: row.code, name: row.name)
      try store.add(country)
      byCode[row.code] = country
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      try store.add(
        SchemaV3.Zone(
          identifier: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments,
          country: row.countryCodes.first.flatMap { byCode[$0] }))
    }
  }

  /// Adds the countries and zones as version 4 declares them.
  func fillV4(_ store: Store) throws {
    var byCode: [String: Country] = [:]
    for row in countries {
      let country = Country(code: row.code, name: row.name)
      try store.add(country)
      byCode[row.code] = country
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      try store.add(
        Zone(
          identifier: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments ?? "",
          country: row.countryCodes.first.flatMap { byCode[$0] },
          area: Area(zoneIdentifier: row.identifier)))
    }
  }
}
