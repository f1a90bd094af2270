public import Whimbrel

/// The steps of the app's migrations, one function for each change.
///
/// No function here removes `coordinates` and `area`, renames `name` and `transitions`, makes
/// `comments` required or adds `isPopular`. The models declare these changes, and the library makes
/// them.
public enum ZonesMigration {
  /// Replaces the text of coordinates by degrees, for version 2.
  ///
  /// - Throws: ``CoordinatesError`` when the text cannot be parsed. The migration then leaves the
  ///   store unchanged.
  public static func setPlace(of new: DynamicObject, from old: DynamicObject) throws {
    let text = try old["coordinates", as: String.self]
    let place = try Coordinates(iso6709: text)
    try new.set("latitude", to: place.latitude)
    try new.set("longitude", to: place.longitude)
  }

  /// Creates the countries of ``CountryNames``, for version 3.
  ///
  /// - Returns: A link to each country, by its code.
  public static func createCountries(
    in migration: Migration
  ) throws -> [String: PropertyValue] {
    var links: [String: PropertyValue] = [:]
    for (code, name) in CountryNames.all {
      let country = try migration.create(
        "Country", ["code": .string(code), "name": .string(name)])
      links[code] = country.link
    }
    return links
  }

  /// Links a zone to the country of its first code, for version 3.
  ///
  /// A zone whose code is not in the table gets no country; `countryCodes` keeps the code.
  public static func setCountry(
    of new: DynamicObject, from old: DynamicObject, among countries: [String: PropertyValue]
  ) throws {
    let codes = try old["countryCodes", as: String.self]
    let first = codes.prefix { $0 != "," }
    new["country"] = countries[String(first)] ?? .null
  }

  /// Creates a region for each area, for version 5.
  ///
  /// - Returns: A link to each region, by the raw value of its area.
  public static func createRegions(in migration: Migration) throws -> [String: PropertyValue] {
    var links: [String: PropertyValue] = [:]
    for area in Area.allCases {
      let region = try migration.create(
        "Region", ["code": .int(Int64(area.code)), "name": .string(area.rawValue)])
      links[area.rawValue] = region.link
    }
    return links
  }

  /// Links a zone to its region, for version 5. The region replaces the area, which is the first
  /// part of the identifier.
  ///
  /// - Throws: ``UnknownAreaError`` when there is no such area. The migration then leaves the store
  ///   unchanged.
  public static func setRegion(
    of new: DynamicObject, among regions: [String: PropertyValue]
  ) throws {
    let identifier = try new["identifier", as: String.self]
    let area = try Area(zoneIdentifier: identifier)
    try new.set("region", to: regions[area.rawValue] ?? .null)
  }

  /// Sets the primary key of a region to the number of its area, for version 6.
  public static func setCode(of new: DynamicObject) throws {
    let name = try new["name", as: String.self]
    guard let area = Area(rawValue: name) else { throw UnknownAreaError(zoneIdentifier: name) }
    try new.set("code", to: area.code)
  }

  /// Sets the city of a zone, for version 7. The app's online rule does the same.
  public static func setCity(of new: DynamicObject) throws {
    let identifier = try new["identifier", as: String.self]
    try new.set("city", to: Zone.city(ofIdentifier: identifier))
  }
}
