internal import Foundation

/// Dates as text without loss: ISO 8601 with as many decimals as it takes, such
/// as `2025-05-01T12:30:00.25Z`.
///
/// A `Date` is a floating-point number of seconds since 2001, so the decimals
/// are those of its shortest decimal form. Dates outside of the years 1 to 9999,
/// and those with an exponent in that form, have no such text: they are written
/// as that number.
enum DateText {
  /// The text of a date, or nil when it has none that leads back to it.
  static func iso8601(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let text = spelled(seconds), let back = Self.date(iso8601: text),
      back.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern
    else { return nil }
    return text
  }

  /// The text of a date for people, which any has.
  static func words(_ date: Date) -> String {
    iso8601(date) ?? "\(date.timeIntervalSinceReferenceDate) s since 2001"
  }

  private static func spelled(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let parts = seconds.magnitude.description.split(separator: ".")
    guard parts.count == 2, var whole = Int(parts[0]), var decimals = Int(parts[1]),
      let scale = power(of10: parts[1].count)
    else { return nil }
    if seconds < 0 {
      // The decimals count forward from the second before.
      whole = decimals == 0 ? -whole : -whole - 1
      decimals = decimals == 0 ? 0 : scale - decimals
    }
    guard let time = clock(secondsSince2001: whole) else { return nil }
    if decimals == 0 { return time + "Z" }
    return "\(time).\(padded(decimals, to: parts[1].count))Z"
  }

  /// Reads a text, or returns nil when it is none of ISO 8601 in this form.
  static func date(iso8601 text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      let whole = secondsSince2001(bytes[..<19])
    else { return nil }
    let rest = bytes[19..<(bytes.count - 1)]
    if rest.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: "."), let scale = power(of10: digits.count), !digits.isEmpty,
      let decimals = number(digits)
    else { return nil }
    guard whole < 0, decimals > 0 else {
      return seconds("\(whole).\(padded(decimals, to: digits.count))")
    }
    return seconds("-\(-whole - 1).\(padded(scale - decimals, to: digits.count))")
  }

  private static func seconds(_ text: String) -> Date? {
    Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

// MARK: - The calendar

extension DateText {
  /// 2001-01-01, in days since 1970-01-01.
  private static let referenceDay = 11_323

  /// The date and the time of day of a second, or nil outside of the years 1 to
  /// 9999.
  private static func clock(secondsSince2001 seconds: Int) -> String? {
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - day * 86_400
    let (year, month, dayOfMonth) = civil(daysSince1970: day + referenceDay)
    guard (1...9_999).contains(year), (0..<86_400).contains(second) else { return nil }
    let date = "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(dayOfMonth, to: 2))"
    let hour = padded(second / 3_600, to: 2)
    let minute = padded(second / 60 % 60, to: 2)
    return "\(date)T\(hour):\(minute):\(padded(second % 60, to: 2))"
  }

  /// Reads `YYYY-MM-DDTHH:MM:SS`.
  private static func secondsSince2001(_ bytes: ArraySlice<UInt8>) -> Int? {
    let marks = zip([4, 7, 10, 13, 16], "--T::".utf8)
    guard bytes.count == 19, marks.allSatisfy({ bytes[bytes.startIndex + $0] == $1 }) else {
      return nil
    }
    let fields =
      bytes.split(omittingEmptySubsequences: false) { "-T:".utf8.contains($0) }.map(number)
    guard fields.count == 6, !fields.contains(nil) else { return nil }
    let values = fields.compactMap(\.self)
    let days = days(year: values[0], month: values[1], day: values[2])
    // A day that the month does not have comes back as another one.
    guard (1...9_999).contains(values[0]),
      civil(daysSince1970: days) == (values[0], values[1], values[2]),
      values[3] < 24, values[4] < 60, values[5] < 60
    else { return nil }
    let time = values[3] * 3_600 + values[4] * 60 + values[5]
    return (days - referenceDay) * 86_400 + time
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar.
  ///
  /// The algorithm is Howard Hinnant's `days_from_civil`, see
  /// https://howardhinnant.github.io/date_algorithms.html
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The inverse of ``days(year:month:day:)``.
  private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Reads up to 17 decimal digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...17).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static func power(of10 exponent: Int) -> Int? {
    guard exponent <= 17 else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
