/// A day of the proleptic Gregorian calendar.
///
/// The algorithms are Howard Hinnant's `days_from_civil` and `civil_from_days`: see
/// https://howardhinnant.github.io/date_algorithms.html
package struct CivilDay: Equatable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// The number of days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  package init(_ year: Int, _ month: Int, _ day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the day that is a number of days after 2001-01-01, or before it if the number is
  /// negative.
  package init(daysSince2001 days: Int) {
    let shifted = days + Self.referenceDay + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates the day of a second, counted from the start of 2001.
  package init(secondsSince2001 second: Int) {
    self.init(daysSince2001: (second >= 0 ? second : second - 86_399) / 86_400)
  }

  /// Whether the day exists in the calendar. A day beyond the end of its month does not.
  package var isReal: Bool { CivilDay(daysSince2001: daysSince2001) == self }

  /// The number of days since 2001-01-01. A day beyond the end of its month counts as a day of the
  /// next month.
  package var daysSince2001: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - Self.referenceDay
  }
}
