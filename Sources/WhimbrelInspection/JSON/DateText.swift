package import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Dates as text without loss: ISO 8601 with as many decimals as needed, such as
/// `2025-05-01T12:30:00.25Z`.
///
/// A `Date` is a floating-point number of seconds since 2001. The text has the decimals of its
/// shortest decimal form. Dates outside the years 1 to 9999, and dates whose shortest form has an
/// exponent, are written as that number instead.
package enum DateText {
  /// Returns the text of a date, or nil if no text reads back as the date.
  static func iso8601(_ date: Date) -> String? {
    guard let parts = DateParts(date) else { return nil }
    var writer = JSONWriter()
    writer.append(upTo: 40) { $0.append(parts) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns the text of any date for people.
  static func words(_ date: Date) -> String {
    iso8601(date) ?? "\(date.timeIntervalSinceReferenceDate) s since 2001"
  }

  /// Reads a date in this form of ISO 8601. Returns nil for other text.
  package static func date(iso8601 text: String) -> Date? {
    let bytes = Array(text.utf8)
    let seconds = PageBytes.with(bytes) { bytes in
      var scanner = LineScanner(bytes)
      return scanner.readSeconds()
    }
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), let whole = seconds else {
      return nil
    }
    let rest = bytes[19..<(bytes.count - 1)]
    if rest.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: "."), let scale = power(of10: digits.count), !digits.isEmpty,
      let decimals = number(digits)
    else { return nil }
    // Before 2001 the decimals count towards zero: -3 s plus 0.25 s is "-2.75". Parsing the text
    // rounds once; adding the parts as numbers would round twice.
    guard whole < 0, decimals > 0 else {
      return date("\(whole).\(padded(decimals, to: digits.count))")
    }
    return date("-\(-whole - 1).\(padded(scale - decimals, to: digits.count))")
  }

  private static func date(_ text: String) -> Date? {
    Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

// MARK: - Reading

extension DateText {
  /// Reads at most 17 decimal digits.
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

/// The parts of a date in ISO 8601.
///
/// They read back as the same date: they contain the digits of the shortest decimal form of its
/// seconds, or their complement before 2001.
package struct DateParts {
  let year: Int
  let month: Int
  let day: Int
  /// The second of the day.
  let second: Int
  /// The decimals of the second as an integer.
  let decimals: Int
  /// The number of decimals.
  let places: Int

  /// Splits a date. Returns nil for a date outside the years 1 to 9999, for a number of seconds
  /// that needs an exponent, and for negative zero.
  init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let number = Self.split(seconds.magnitude) else { return nil }
    var (whole, decimals) = (number.whole, number.decimals)
    if seconds.sign == .minus {
      if seconds.isZero { return nil }
      // Decimals count forward in time, so before 2001 they start at the second below.
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

  /// Splits a number of seconds into its digits. `scale` is ten to the power of `places`.
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
