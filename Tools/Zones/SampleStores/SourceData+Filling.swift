import Whimbrel

/// Functions that fill a store of each schema version from the tables.
extension SourceData {
  func fillV1(_ store: Store) throws {
    for row in zones {
      try store.add(
        SchemaV1.Zone(
          name: row.identifier, countryCodes: row.joinedCountryCodes,
          coordinates: row.coordinates, comments: row.comments))
    }
  }

  func fillV2(_ store: Store) throws {
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      try store.add(
        SchemaV2.Zone(
          name: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments))
    }
  }

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

  func fillV4(_ store: Store) throws {
    var byCode: [String: SchemaV4.Country] = [:]
    for row in countries {
      let country = SchemaV4.Country(code: row.code, name: row.name)
      try store.add(country)
      byCode[row.code] = country
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      try store.add(
        SchemaV4.Zone(
          identifier: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments ?? "",
          country: row.countryCodes.first.flatMap { byCode[$0] },
          area: Area(zoneIdentifier: row.identifier)))
    }
  }

  func fillV5(_ store: Store) throws {
    var countriesByCode: [String: SchemaV5.Country] = [:]
    for row in countries {
      let country = SchemaV5.Country(code: row.code, name: row.name)
      try store.add(country)
      countriesByCode[row.code] = country
    }
    var regions: [Area: SchemaV5.Region] = [:]
    for area in Area.allCases {
      let region = SchemaV5.Region(name: area.rawValue)
      try store.add(region)
      regions[area] = region
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      let changes = ClockChanges.all[row.identifier] ?? []
      try store.add(
        SchemaV5.Zone(
          identifier: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments ?? "",
          country: row.countryCodes.first.flatMap { countriesByCode[$0] },
          region: regions[try Area(zoneIdentifier: row.identifier)],
          isPopular: ClockChanges.popularZones.contains(row.identifier),
          transitions: StoredList(
            changes.map {
              SchemaV5.Transition(date: $0.date, offset: $0.offset, abbreviation: $0.abbreviation)
            })))
    }
  }

  func fillV6(_ store: Store) throws {
    var countriesByCode: [String: SchemaV6.Country] = [:]
    for row in countries {
      let country = SchemaV6.Country(code: row.code, name: row.name)
      try store.add(country)
      countriesByCode[row.code] = country
    }
    var regions: [Area: SchemaV6.Region] = [:]
    for area in Area.allCases {
      let region = SchemaV6.Region(code: area.code, name: area.rawValue)
      try store.add(region)
      regions[area] = region
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      let changes = ClockChanges.all[row.identifier] ?? []
      try store.add(
        SchemaV6.Zone(
          identifier: row.identifier, countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments ?? "",
          country: row.countryCodes.first.flatMap { countriesByCode[$0] },
          region: regions[try Area(zoneIdentifier: row.identifier)],
          isPopular: ClockChanges.popularZones.contains(row.identifier),
          clockChanges: StoredList(
            changes.map {
              SchemaV6.ClockChange(date: $0.date, offset: $0.offset, abbreviation: $0.abbreviation)
            })))
    }
  }

  func fillV7(_ store: Store) throws {
    var countriesByCode: [String: Country] = [:]
    for row in countries {
      let country = Country(code: row.code, name: row.name)
      try store.add(country)
      countriesByCode[row.code] = country
    }
    var regions: [Area: Region] = [:]
    for area in Area.allCases {
      let region = Region(code: area.code, name: area.rawValue)
      try store.add(region)
      regions[area] = region
    }
    for row in zones {
      let place = try Coordinates(iso6709: row.coordinates)
      let changes = ClockChanges.all[row.identifier] ?? []
      try store.add(
        Zone(
          identifier: row.identifier, city: Zone.city(ofIdentifier: row.identifier),
          countryCodes: row.joinedCountryCodes,
          latitude: place.latitude, longitude: place.longitude, comments: row.comments ?? "",
          country: row.countryCodes.first.flatMap { countriesByCode[$0] },
          region: regions[try Area(zoneIdentifier: row.identifier)],
          isPopular: ClockChanges.popularZones.contains(row.identifier),
          clockChanges: StoredList(
            changes.map {
              ClockChange(date: $0.date, offset: $0.offset, abbreviation: $0.abbreviation)
            })))
    }
  }
}
