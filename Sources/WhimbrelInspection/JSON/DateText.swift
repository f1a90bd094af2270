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
    guard let parts = DateParts(date) else { return nil }
    var writer = JSONWriter()
    writer.append(upTo: 40) { $0.append(parts) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The text of a date for people, which any has.
  static func words(_ date: Date) -> String {
    iso8601(date) ?? "\(date.timeIntervalSinceReferenceDate) s since 2001"
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

// MARK: - Reading

extension DateText {
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
    let days = CivilDay(values[0], values[1], values[2]).daysSince2001
    // A day that the month does not have comes back as another one.
    guard (1...9_999).contains(values[0]),
      CivilDay(daysSince2001: days) == CivilDay(values[0], values[1], values[2]),
      values[3] < 24, values[4] < 60, values[5] < 60
    else { return nil }
    let time = values[3] * 3_600 + values[4] * 60 + values[5]
    return days * 86_400 + time
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
