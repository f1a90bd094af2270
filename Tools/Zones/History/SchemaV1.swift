public import Whimbrel

/// The schema of the app's first release, frozen.
public enum SchemaV1 {
  /// A time zone, as a row of the tz database's table.
  @Model("Zone")
  public final class Zone {
    /// The name of the zone: `Europe/Andorra`.
    @PrimaryKey public var name: String
    /// The codes of the countries that overlap the zone, separated by commas.
    public var countryCodes: String
    /// The principal location in a form of ISO 6709: `+4230+00131`.
    public var coordinates: String
    /// A comment that tells the zone from other zones of its country.
    public var comments: String?
  }
}
