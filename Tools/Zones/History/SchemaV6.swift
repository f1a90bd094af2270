public import Foundation
public import Whimbrel

/// The schema that renamed transitions to clock changes and numbered regions, frozen.
public enum SchemaV6 {
  /// A time zone with its clock changes.
  @Model("Zone")
  public final class Zone {
    /// The name of the zone: `Europe/Andorra`.
    @PrimaryKey public var identifier: String
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
    public var clockChanges: StoredList<ClockChange>
  }

  /// A country with its zones.
  @Model("Country")
  public final class Country {
    /// Two capital letters of ISO 3166: `AD`.
    @PrimaryKey public var code: String
    /// The usual English name.
    public var name: String
    /// The zones whose most populous city is in the country.
    @Inverse(of: \Zone.country) public var zones: LinkingObjects<Zone>
  }

  /// A part of the world.
  @Model("Region")
  public final class Region {
    /// The number of its area.
    @PrimaryKey public var code: Int
    /// The name, in lower case: `europe`.
    @Indexed public var name: String
  }

  /// A change of a zone's clocks.
  @Model("ClockChange", .embedded)
  public final class ClockChange {
    /// The time of the change.
    public var date: Date
    /// The offset from UTC after the change, in seconds; positive is ahead of UTC.
    public var offset: Int
    /// The abbreviation of local time after the change: `CEST`.
    public var abbreviation: String
  }
}
