public import Foundation

/// The two tables of the tz database that the sample stores are made from.
public struct SourceData: Hashable, Sendable {
  /// A row of `zone1970.tab`.
  public struct ZoneRow: Hashable, Sendable {
    /// The countries that overlap the zone. The country of the most populous
    /// city comes first.
    public let countryCodes: [String]
    /// The principal location, as the file spells it.
    public let coordinates: String
    /// The name of the zone.
    public let identifier: String
    /// A comment that tells the zone from other zones of its country.
    public let comments: String?

    /// The country codes as the file spells them: `AD` or `CH,DE,LI`.
    public var joinedCountryCodes: String { countryCodes.joined(separator: ",") }
  }

  /// A row of `iso3166.tab`.
  public struct CountryRow: Hashable, Sendable {
    /// The code of two capital letters.
    public let code: String
    /// The usual English name.
    public let name: String
  }

  /// The zones, in the order of the file.
  public let zones: [ZoneRow]
  /// The countries, in the order of the file.
  public let countries: [CountryRow]
}

extension SourceData {
  /// Reads the tables `zone1970.tab` and `iso3166.tab` of a folder.
  public init(folder: URL) throws {
    func text(of name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    try self.init(
      zone1970: text(of: "zone1970.tab"),
      iso3166: text(of: "iso3166.tab"))
  }

  /// Parses the text of the two tables.
  public init(zone1970: String, iso3166: String) throws(TabFileError) {
    let zones = try TabFile(zone1970, columns: 3...4)
    let countries = try TabFile(iso3166, columns: 2...2)
    self.zones = zones.rows.map { row in
      ZoneRow(
        countryCodes: row.columns[0].split(separator: ",").map(String.init),
        coordinates: row.columns[1],
        identifier: row.columns[2],
        comments: row.columns.count > 3 ? row.columns[3] : nil)
    }
    self.countries = countries.rows.map { CountryRow(code: $0.columns[0], name: $0.columns[1]) }
  }
}
