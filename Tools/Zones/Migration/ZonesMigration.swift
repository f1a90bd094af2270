public import Whimbrel

/// What the app's migration closure does to objects, a function a change.
///
/// Nothing here removes `coordinates` and `area`, renames `name` and `transitions`, makes
/// `comments` required or adds `isPopular`: the models say so, and the library sees to it.
public enum ZonesMigration {
  /// Version 2: degrees take the place of the coordinates' text.
  ///
  /// - Throws: ``CoordinatesError`` when the text cannot be read; the migration
  ///   then leaves the store as it was.
  public static func setPlace(of new: DynamicObject, from old: DynamicObject) throws {
    let text = try old["coordinates", as: String.self]
    let place = try Coordinates(iso6709: text)
    try new.set("latitude", to: place.latitude)
    try new.set("longitude", to: place.longitude)
  }

  /// Version 3: the countries of ``CountryNames``.
  ///
  /// - Returns: A link to each country by its code.
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

  /// Version 3: a zone's country is the first of its codes.
  ///
  /// A code that is not in the table leaves the zone without a country;
  /// `countryCodes` keeps it.
  public static func setCountry(
    of new: DynamicObject, from old: DynamicObject, among countries: [String: PropertyValue]
  ) throws {
    let codes = try old["countryCodes", as: String.self]
    let first = codes.prefix { $0 != "," }
    new["country"] = countries[String(first)] ?? .null
  }

  /// Version 5: a region for each area.
  ///
  /// - Returns: A link to each region by the area's raw value.
  public static func createRegions(in migration: Migration) throws -> [String: PropertyValue] {
    var links: [String: PropertyValue] = [:]
    for area in Area.allCases {
      let region = try migration.create(
        "Region", ["code": .int(Int64(area.code)), "name": .string(area.rawValue)])
      links[area.rawValue] = region.link
    }
    return links
  }

  /// Version 5: a zone's region takes the place of its area, which is the first part of its
  /// identifier.
  ///
  /// - Throws: ``UnknownAreaError`` when there is no such area; the migration then leaves the
  ///   store as it was.
  public static func setRegion(
    of new: DynamicObject, among regions: [String: PropertyValue]
  ) throws {
    let identifier = try new["identifier", as: String.self]
    let area = try Area(zoneIdentifier: identifier)
    try new.set("region", to: regions[area.rawValue] ?? .null)
  }

  /// Version 6: the number of a region's area becomes its primary key.
  public static func setCode(of new: DynamicObject) throws {
    let name = try new["name", as: String.self]
    guard let area = Area(rawValue: name) else { throw UnknownAreaError(zoneIdentifier: name) }
    try new.set("code", to: area.code)
  }
}
