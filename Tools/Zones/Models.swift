public import Foundation
public import Whimbrel

/// A time zone.
@Model
public final class Zone {
  /// The name of the zone: `Europe/Andorra`.
  @PrimaryKey @Renamed(from: "name") public var identifier: String
  /// The city that the zone is named after: `Buenos Aires`. See ``city(ofIdentifier:)``.
  @Indexed public var city: String = ""
  /// The codes of the countries that overlap the zone, separated by commas.
  public var countryCodes: String
  /// Degrees north of the equator.
  public var latitude: Double
  /// Degrees east of Greenwich.
  public var longitude: Double
  /// A comment that tells the zone from other zones of its country.
  public var comments: String = ""
  /// The country of the zone's most populous city.
  public var country: Country?
  /// The part of the world.
  public var region: Region?
  /// Whether the app offers the zone first.
  public var isPopular: Bool = false
  /// The known clock changes of the zone.
  @Renamed(from: "transitions") public var clockChanges: StoredList<ClockChange>
}

/// A country and its zones.
@Model
public final class Country {
  /// Two capital letters of ISO 3166: `AD`.
  @PrimaryKey public var code: String
  /// The usual English name.
  public var name: String
  /// The zones whose most populous city is in the country.
  @Inverse(of: \Zone.country) public var zones: LinkingObjects<Zone>
}

/// A part of the world.
@Model
public final class Region {
  /// The number of its ``Area``.
  @PrimaryKey public var code: Int
  /// The name, in lower case: `europe`.
  @Indexed public var name: String
}

/// A change of a zone's clocks.
@Model(.embedded)
public final class ClockChange {
  /// The time of the change.
  public var date: Date
  /// The offset from UTC after the change, in seconds; positive is ahead of UTC.
  public var offset: Int
  /// The abbreviation of local time after the change: `CEST`.
  public var abbreviation: String
}
