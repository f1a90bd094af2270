public import Foundation
public import Whimbrel

/// A time zone, as this release declares it.
@Model
public final class Zone {
  /// The name of the zone: `Europe/Andorra`.
  @PrimaryKey @Renamed(from: "name") public var identifier: String
  /// The codes of the countries that overlap the zone, parted by commas.
  public var countryCodes: String
  /// Degrees north of the equator.
  public var latitude: Double
  /// Degrees east of Greenwich.
  public var longitude: Double
  /// What sets the zone apart from others of its country.
  public var comments: String = ""
  /// The country of the zone's most populous city.
  public var country: Country?
  /// The part of the world.
  public var region: Region?
  /// Whether the app offers the zone first.
  public var isPopular: Bool = false
  /// When the zone's clocks were seen to change.
  @Renamed(from: "transitions") public var clockChanges: StoredList<ClockChange>
}

/// A country and its zones.
@Model
public final class Country {
  /// Two capital letters of ISO 3166: `AD`.
  @PrimaryKey public var code: String
  /// The usual English name.
  public var name: String
  /// The zones whose most populous city is in it.
  @Inverse(of: \Zone.country) public var zones: LinkingObjects<Zone>
}

/// A part of the world.
@Model
public final class Region {
  /// The number of its ``Area``.
  @PrimaryKey public var code: Int
  /// The name, as in the identifiers of its zones but in small letters: `europe`.
  @Indexed public var name: String
}

/// A change of a zone's clocks.
@Model(.embedded)
public final class ClockChange {
  /// When they change.
  public var date: Date
  /// The seconds that they are ahead of UTC then.
  public var offset: Int
  /// What that time is called: `CEST`.
  public var abbreviation: String
}
