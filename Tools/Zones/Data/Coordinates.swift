/// A place on the globe, in degrees.
public struct Coordinates: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Parses the ISO 6709 forms that the tz database uses: `±DDMM±DDDMM` and `±DDMMSS±DDDMMSS`.
  ///
  /// ```swift
  /// let andorra = try Coordinates(iso6709: "+4230+00131")
  /// andorra.latitude    // 42.5
  /// andorra.longitude   // 1.5166666666666666
  /// ```
  ///
  /// - Throws: ``CoordinatesError`` when the text has another form, or a part of
  ///   it is out of range.
  public init(iso6709 text: String) throws(CoordinatesError) {
    let bytes = Array(text.utf8)
    let widths: (latitude: Int, longitude: Int)
    switch bytes.count {
    case 11: widths = (5, 6)
    case 15: widths = (7, 8)
    default: throw CoordinatesError(text: text, reason: .form)
    }
    latitude = try Self.degrees(
      bytes.prefix(widths.latitude), degreeDigits: 2, limit: 90, of: text)
    longitude = try Self.degrees(
      bytes.suffix(widths.longitude), degreeDigits: 3, limit: 180, of: text)
  }

  /// Parses a sign, degrees, two digits of minutes and two optional digits of seconds.
  private static func degrees(
    _ part: ArraySlice<UInt8>, degreeDigits: Int, limit: Int, of text: String
  ) throws(CoordinatesError) -> Double {
    let sign: Double
    switch part.first {
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: throw CoordinatesError(text: text, reason: .form)
    }
    var digits = part.dropFirst()
    guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
      throw CoordinatesError(text: text, reason: .form)
    }
    func number(_ count: Int) -> Int {
      defer { digits = digits.dropFirst(count) }
      return digits.prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let (degrees, minutes, seconds) = (number(degreeDigits), number(2), number(2))
    // Whole seconds and one division, so that each number is rounded only once.
    let total = degrees * 3600 + minutes * 60 + seconds
    guard minutes < 60, seconds < 60, total <= limit * 3600 else {
      throw CoordinatesError(text: text, reason: .range)
    }
    return sign * Double(total) / 3600
  }
}

/// An error: coordinates are not in an ISO 6709 form that the tz database uses.
public struct CoordinatesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A reason for the error.
  public enum Reason: Hashable, Sendable {
    /// The text is neither `±DDMM±DDDMM` nor `±DDMMSS±DDDMMSS`.
    case form
    /// Degrees, minutes or seconds are too large.
    case range
  }

  /// The text that could not be parsed.
  public let text: String
  /// The reason for the error.
  public let reason: Reason

  /// A sentence for people.
  public var description: String {
    switch reason {
    case .form:
      "Could not read the coordinates '\(text)': the form is neither ±DDMM±DDDMM nor "
        + "±DDMMSS±DDDMMSS."
    case .range:
      "Could not read the coordinates '\(text)': degrees, minutes or seconds are too large."
    }
  }
}
