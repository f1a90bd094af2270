import Foundation
import Whimbrel
import Zones

/// Everything that a store of the app's current schema holds.
struct ZonesContents: Equatable {
  struct ZoneValues: Equatable {
    var city: String
    var countryCodes: String
    var latitude: Double
    var longitude: Double
    var comments: String
    var country: String?
    var region: String?
    var isPopular: Bool
    var clockChanges: [String]
  }

  var zones: [String: ZoneValues] = [:]
  var countries: [String: String] = [:]
  var regions: [Int: String] = [:]

  /// What the tables say, worked out without any store.
  ///
  /// - Parameter sample: the store that was migrated: clock changes are known since version 5.
  init(expectedFrom data: SourceData, in sample: ZonesSampleStore) throws {
    let isNew = sample.version >= 5
    for row in data.zones {
      let place = try Coordinates(iso6709: row.coordinates)
      let changes = isNew ? ClockChanges.all[row.identifier] ?? [] : []
      zones[row.identifier] = ZoneValues(
        city: Zone.city(ofIdentifier: row.identifier), countryCodes: row.joinedCountryCodes,
        latitude: place.latitude,
        longitude: place.longitude, comments: row.comments ?? "",
        country: row.countryCodes.first, region: try Area(zoneIdentifier: row.identifier).rawValue,
        isPopular: isNew && ClockChanges.popularZones.contains(row.identifier),
        clockChanges: changes.map { "\($0.date) \($0.offset) \($0.abbreviation)" })
    }
    for row in data.countries { countries[row.code] = row.name }
    for area in Area.allCases { regions[area.code] = area.rawValue }
  }

  /// What a store holds.
  init(of store: Store) {
    for zone in store.objects(Zone.self) {
      zones[zone.identifier] = ZoneValues(
        city: zone.city, countryCodes: zone.countryCodes, latitude: zone.latitude,
        longitude: zone.longitude,
        comments: zone.comments, country: zone.country?.code, region: zone.region?.name,
        isPopular: zone.isPopular,
        clockChanges: zone.clockChanges.map { "\($0.date) \($0.offset) \($0.abbreviation)" })
    }
    for country in store.objects(Country.self) { countries[country.code] = country.name }
    for region in store.objects(Region.self) { regions[region.code] = region.name }
  }

  /// The first zones that differ: a short message where the whole is long.
  func firstDifferences(from other: ZonesContents) -> [String] {
    let names = Set(zones.keys).union(other.zones.keys).sorted()
    return Array(names.filter { zones[$0] != other.zones[$0] }.prefix(5))
  }
}
