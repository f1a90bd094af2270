import Foundation
import Synchronization
import Whimbrel
import Zones

/// Everything that a store of the sample app's current schema holds.
struct ZonesContents: Equatable {
  struct ZoneValues: Equatable {
    var countryCodes: String
    var latitude: Double
    var longitude: Double
    var comments: String
    var country: String?
    var area: Area
    var isPopular: Bool
  }

  var zones: [String: ZoneValues] = [:]
  var countries: [String: String] = [:]

  /// What the tables say, worked out without any store.
  init(expectedFrom data: SourceData) throws {
    for row in data.zones {
      let place = try Coordinates(iso6709: row.coordinates)
      zones[row.identifier] = ZoneValues(
        countryCodes: row.joinedCountryCodes, latitude: place.latitude,
        longitude: place.longitude, comments: row.comments ?? "",
        country: row.countryCodes.first, area: try Area(zoneIdentifier: row.identifier),
        isPopular: false)
    }
    for row in data.countries { countries[row.code] = row.name }
  }

  /// What a store holds.
  init(of store: Store) {
    for zone in store.objects(Zone.self) {
      zones[zone.identifier] = ZoneValues(
        countryCodes: zone.countryCodes, latitude: zone.latitude, longitude: zone.longitude,
        comments: zone.comments, country: zone.country?.code, area: zone.area,
        isPopular: zone.isPopular)
    }
    for country in store.objects(Country.self) { countries[country.code] = country.name }
  }

  /// The first zones that differ: a short message where the whole is long.
  func firstDifferences(from other: ZonesContents) -> [String] {
    let names = Set(zones.keys).union(other.zones.keys).sorted()
    return Array(names.filter { zones[$0] != other.zones[$0] }.prefix(5))
  }
}

/// Counts calls of a closure that may run anywhere.
final class CallCounter: Sendable {
  private let calls = Mutex(0)

  var count: Int { calls.withLock { $0 } }

  func call() { calls.withLock { $0 += 1 } }
}
