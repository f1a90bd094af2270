public import Whimbrel

/// A time zone, as version 4 of the app's schema declares it.
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
  @Indexed public var area: Area
  /// Whether the app offers the zone first.
  public var isPopular: Bool = false
}

/// A country, as versions 3 and 4 of the app's schema declare it.
@Model
public final class Country {
  /// Two capital letters of ISO 3166: `AD`.
  @PrimaryKey public var code: String
  /// The usual English name.
  public var name: String
}
