public import Whimbrel

/// The schema that added areas, frozen.
public enum SchemaV4 {
  /// A time zone with its part of the world.
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
    @Indexed public var area: Area
    /// Whether the app offers the zone first.
    public var isPopular: Bool = false
  }

  /// A country.
  @Model("Country")
  public final class Country {
    /// Two capital letters of ISO 3166: `AD`.
    @PrimaryKey public var code: String
    /// The usual English name.
    public var name: String
  }
}
