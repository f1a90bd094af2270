internal import Foundation

/// The spellings of dates in queries: `2020-01-31`, Realm's `2020-01-31@12:00:00`, and ISO 8601
/// `2020-01-31T12:00:00.5+01:00`. A date without a time zone is in UTC.
enum QueryDate {
  /// Reads a date, and moves the position past it. Returns nil if there is no date, for example
  /// only a number.
  static func read(_ bytes: [UInt8], _ place: inout Int) throws(QueryProblem) -> Date? {
    var fields = QueryDateFields(bytes: bytes, place: place)
    guard let year = fields.take(4), fields.take("-"), let month = fields.take(2),
      fields.take("-"), let day = fields.take(2), !fields.isAtDigit
    else { return nil }
    let civil = CivilDay(year, month, day)
    guard civil.isReal, year > 0 else { throw invalid(place) }
    var seconds = civil.daysSince2001 * 86_400
    var fraction = 0.0
    if fields.isAtTime {
      guard let time = fields.time(), let zone = fields.zone() else { throw invalid(place) }
      seconds += time.seconds - zone
      fraction = time.fraction
    }
    place = fields.place
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  /// Returns a text that reads back as exactly the same date, or nil if there is none.
  static func text(of date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate
    guard -63_113_904_000..<252_423_993_600 ~= interval else { return nil }
    let whole = interval.rounded(.down)
    let second = Int(whole)
    let start = calendarText(second)
    for digits in 0...15 {
      let text = start + fractionText(interval - whole, digits) + "Z"
      let bytes = Array(text.utf8)
      var place = 0
      let read = try? read(bytes, &place)
      if read?.timeIntervalSinceReferenceDate.bitPattern == interval.bitPattern { return text }
    }
    return nil
  }

  private static func invalid(_ place: Int) -> QueryProblem {
    QueryProblem(
      place, "this date does not exist",
      "Write a date as '2020-01-31', '2020-01-31@12:00:00' or '2020-01-31T12:00:00Z'.")
  }
}

// MARK: - The calendar

extension QueryDate {
  private static func calendarText(_ second: Int) -> String {
    let civil = CivilDay(secondsSince2001: second)
    let rest = second - civil.daysSince2001 * 86_400
    return
      "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))T\(padded(rest / 3_600, 2)):"
      + "\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
  }

  private static func fractionText(_ fraction: Double, _ digits: Int) -> String {
    guard digits > 0 else { return "" }
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    // A fraction that rounds up to a whole second would change the second. It is limited to the
    // largest fraction below; `text(of:)` then tries more digits or does not find a text.
    return "." + padded(min(Int((fraction * Double(unit)).rounded()), unit - 1), digits)
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}

/// A reader of the parts of a date, from left to right.
private struct QueryDateFields {
  let bytes: [UInt8]
  var place: Int

  var byte: UInt8 { place < bytes.count ? bytes[place] : 0 }
  var isAtDigit: Bool { 0x30...0x39 ~= byte }

  /// Whether a time follows, and not a name that begins with T.
  var isAtTime: Bool {
    guard byte == UInt8(ascii: "@") || byte | 0x20 == UInt8(ascii: "t") else { return false }
    return place + 1 < bytes.count && 0x30...0x39 ~= bytes[place + 1]
  }

  /// Reads a number of exactly `count` digits.
  mutating func take(_ count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[place..<place + count] {
      guard 0x30...0x39 ~= byte else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    place += count
    return number
  }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  /// Reads a time: `@12:30`, `T12:30:00`, `T12:30:00.25`, or with nanoseconds
  /// `@12:30:00:250000000`.
  mutating func time() -> (seconds: Int, fraction: Double)? {
    place += 1
    guard let hour = take(2), hour < 24, take(":"), let minute = take(2), minute < 60 else {
      return nil
    }
    let seconds = hour * 3_600 + minute * 60
    guard take(":") else { return (seconds, 0) }
    guard let second = take(2), second < 60 else { return nil }
    if take(":") {
      guard let digits = takeDigits(), let nanoseconds = Int(digits), nanoseconds < 1_000_000_000
      else { return nil }
      return (seconds + second, Double(nanoseconds) / 1e9)
    }
    guard take(".") else { return (seconds + second, 0) }
    guard let digits = takeDigits(), let fraction = Double("0." + digits) else { return nil }
    return (seconds + second, fraction)
  }

  /// Reads 1 to 30 digits.
  private mutating func takeDigits() -> String? {
    let start = place
    while isAtDigit, place - start <= 30 { place += 1 }
    guard 1...30 ~= place - start else { return nil }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Reads a time zone: nothing, `Z`, `+01:00` or `+0100`. Returns its offset from UTC, in seconds.
  mutating func zone() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isBehind = byte == UInt8(ascii: "-")
    guard isBehind || byte == UInt8(ascii: "+") else { return 0 }
    place += 1
    guard let hours = take(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = take(2), minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (isBehind ? -1 : 1)
  }
}
