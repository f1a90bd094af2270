internal import Foundation
internal import WhimbrelEngine

/// A date as ISO 8601 has it.
///
/// The text of the parts leads back to the date: in front of the second and behind it stand the
/// digits of the shortest text of its seconds, or their complement before 2001.
package struct DateParts {
  let year: Int
  let month: Int
  let day: Int
  /// The second of the day.
  let second: Int
  /// The decimals of the second as a whole number.
  let decimals: Int
  /// How many digits the decimals have.
  let places: Int

  /// The parts of a date, or nil outside of the years 1 to 9999, for what is written with an
  /// exponent, and for the negative zero.
  init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let number = Self.split(seconds.magnitude) else { return nil }
    var (whole, decimals) = (number.whole, number.decimals)
    if seconds.sign == .minus {
      if seconds.isZero { return nil }
      // The decimals count forward from the second before.
      whole = decimals == 0 ? -whole : -whole - 1
      decimals = decimals == 0 ? 0 : number.scale - decimals
    }
    let civil = CivilDay(secondsSince2001: whole)
    guard (1...9_999).contains(civil.year) else { return nil }
    (year, month, day) = (civil.year, civil.month, civil.day)
    second = whole - civil.daysSince2001 * 86_400
    self.decimals = decimals
    places = number.places
  }

  /// The digits of a number of seconds; the scale is ten to the power of the places.
  private static func split(
    _ seconds: Double
  ) -> (whole: Int, decimals: Int, places: Int, scale: Int)? {
    guard seconds < 1e12 else { return nil }
    if let short = ShortDecimal(seconds) {
      return (Int(short.whole), Int(short.decimals), short.places, Int(short.scale))
    }
    let parts = seconds.description.split(separator: ".")
    guard parts.count == 2, let whole = Int(parts[0]), let decimals = Int(parts[1]),
      parts[1].count <= 17
    else { return nil }
    let scale = (0..<parts[1].count).reduce(1) { scale, _ in scale * 10 }
    return (whole, decimals, parts[1].count, scale)
  }
}
