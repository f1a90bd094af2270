extension TextScanner {
  /// Takes a day as ISO 8601 has it, with the time behind it if there is one: it becomes another
  /// that the calendar has, between 1900 and 2099.
  mutating func takeDate() -> Bool {
    guard let year = number(position, 4), let month = number(position + 5, 2),
      let day = number(position + 8, 2), has(position + 4, "-"), has(position + 7, "-"),
      !isAlphanumeric(position + 10) || has(position + 10, "T"),
      (1900...2099).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return false }
    guard isDay(year, month, day) else { return false }
    addMonth(month, day)
    addDay(month, day)
    if month == 2, day == 29 {
      // One of the leap years from 1904 to 2096.
      let years = alphabets.numbers(from: 1904, count: 49, step: 4, width: 4)
      add(years, (year - 1904) / 4, at: position)
    } else {
      let years = alphabets.numbers(from: 1900, count: 200, width: 4)
      add(years, year - 1900, at: position)
    }
    position += 10
    takeTimeOfDate()
    return true
  }

  /// Whether a month has a day.
  func isDay(_ year: UInt32, _ month: UInt32, _ day: UInt32) -> Bool {
    switch month {
    case 2: day <= 28 || day == 29 && year % 4 == 0 && year != 1900
    case 4, 6, 9, 11: day <= 30
    default: day <= 31
    }
  }

  /// Adds the place of a month, which becomes one that has the day too, whatever the day becomes.
  private mutating func addMonth(_ month: UInt32, _ day: UInt32) {
    let start = position + 5
    switch day {
    case ...28: add(alphabets.numbers(from: 1, count: 12, width: 2), month - 1, at: start)
    case 29, 30:
      if month < 3 { return }
      add(alphabets.numbers(from: 3, count: 10, width: 2), month - 3, at: start)
    default:
      // The long ones: every other until July, and every other from August.
      let first: UInt32 = month < 8 ? 1 : 8
      let months = alphabets.numbers(from: first, count: month < 8 ? 4 : 3, step: 2, width: 2)
      add(months, (month - first) / 2, at: start)
    }
  }

  private mutating func addDay(_ month: UInt32, _ day: UInt32) {
    let start = position + 8
    switch day {
    case ...28: add(alphabets.numbers(from: 1, count: 28, width: 2), day - 1, at: start)
    case 29, 30:
      if month == 2 { return }
      add(alphabets.numbers(from: 29, count: 2, width: 2), day - 29, at: start)
    default: break
    }
  }

  private mutating func takeTimeOfDate() {
    guard has(position, "T") else { return }
    position += 1
    guard takeTime() else { return }
    if has(position, "."), isDigit(position + 1) {
      position += 1
      takeNumber(part: 0)
    }
    if has(position, "Z") { position += 1 }
    if has(position, "+") || has(position, "-"), number(position + 1, 2) != nil,
      has(position + 3, ":"), number(position + 4, 2) != nil
    {
      position += 6
    }
  }

  /// Takes hours, minutes and perhaps seconds; `PM`, `GMT` and an offset behind them stay.
  mutating func takeTime() -> Bool {
    let width = isDigit(position + 1) ? 2 : 1
    let minutes = position + width + 1
    guard let hour = number(position, width), hour < 24, has(minutes - 1, ":"),
      let minute = number(minutes, 2), minute < 60
    else { return false }
    let second = has(minutes + 2, ":") ? number(minutes + 3, 2) : nil
    let end = minutes + (second == nil ? 2 : 5)
    guard (second ?? 0) < 60, !has(end, ":"), !isAlphanumeric(end) || has(end, "Z") else {
      return false
    }
    let suffix = suffixOfTime(at: end)
    let sixty = alphabets.numbers(from: 0, count: 60, width: 2)
    addHour(hour, width, isHalfDay: suffix.isHalfDay)
    add(sixty, minute, at: minutes)
    if let second { add(sixty, second, at: minutes + 3) }
    position = end + suffix.length
    return true
  }

  private mutating func addHour(_ hour: UInt32, _ width: Int, isHalfDay: Bool) {
    // The hours from 1 to 12 are those that both clocks have.
    let bounds: ClosedRange<UInt32>
    switch (width, isHalfDay) {
    case (1, true): bounds = 1...9
    case (1, false): bounds = 0...9
    case (_, true): bounds = hour < 10 ? 1...9 : 10...12
    case (_, false): bounds = 0...23
    }
    guard bounds.contains(hour) else { return }
    let alphabet = alphabets.numbers(
      from: bounds.lowerBound, count: UInt32(bounds.count), width: width)
    add(alphabet, hour - bounds.lowerBound, at: position)
  }

  /// What behind a time belongs to it.
  private func suffixOfTime(at end: Int) -> (length: Int, isHalfDay: Bool) {
    let start = has(end, " ") ? end + 1 : end
    let letters = (0..<4).prefix { isLetter(start + $0) }.map { byte(start + $0) | 0x20 }
    let word = String(decoding: letters, as: UTF8.self)
    if !isAlphanumeric(start + letters.count), start > end {
      if word == "am" || word == "pm" { return (start - end + 2, true) }
      if word == "gmt" || word == "utc" { return (start - end + 3, false) }
    }
    let isOffset =
      start > end && (has(start, "+") || has(start, "-")) && number(start + 1, 4) != nil
      && !isAlphanumeric(start + 5)
    return (isOffset ? start - end + 5 : 0, false)
  }
}
