public import Foundation
public import Whimbrel

/// The schema in which areas became objects, and clocks began to change, frozen.
public enum SchemaV5 {
  /// A time zone with what its clocks do.
  @Model("Zone")
  public final class Zone {
    /// The name of the zone: `Europe/Andorra`.
    @PrimaryKey public var identifier: String
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
    public var transitions: StoredList<Transition>
  }

  /// A country with its zones.
  @Model("Country")
  public final class Country {
    /// Two capital letters of ISO 3166: `AD`.
    @PrimaryKey public var code: String
    /// The usual English name.
    public var name: String
    /// The zones whose most populous city is in it.
    @Inverse(of: \Zone.country) public var zones: LinkingObjects<Zone>
  }

  /// A part of the world.
  @Model("Region")
  public final class Region {
    /// The name, as in the identifiers of its zones but in small letters: `europe`.
    @PrimaryKey public var name: String
  }

  /// A change of a zone's clocks.
  @Model("Transition", .embedded)
  public final class Transition {
    /// When they change.
    public var date: Date
    /// The seconds that they are ahead of UTC then.
    public var offset: Int
    /// What that time is called: `CEST`.
    public var abbreviation: String
  }
}
