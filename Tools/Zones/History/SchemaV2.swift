public import Whimbrel

/// The schema in which degrees replaced the text of coordinates, frozen.
public enum SchemaV2 {
  /// A time zone and its place.
  @Model("Zone")
  public final class Zone {
    /// The name of the zone: `Europe/Andorra`.
    @PrimaryKey public var name: String
    /// The codes of the countries that overlap the zone, separated by commas.
    public var countryCodes: String
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// A comment that tells the zone from other zones of its country.
    public var comments: String?
  }
}
