public import Whimbrel

/// The schema in which degrees took the place of the coordinates' text, frozen.
public enum SchemaV2 {
  /// A time zone and its place.
  @Model("Zone")
  public final class Zone {
    /// The name of the zone: `Europe/Andorra`.
    @PrimaryKey public var name: String
    /// The codes of the countries that overlap the zone, parted by commas.
    public var countryCodes: String
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// What sets the zone apart from others of its country.
    public var comments: String?
  }
}
