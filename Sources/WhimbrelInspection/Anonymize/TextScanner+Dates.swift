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
  private func isDay(_ year: UInt32, _ month: UInt32, _ day: UInt32) -> Bool {
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

  /// Takes hours, minutes and perhaps seconds.
  mutating func takeTime() -> Bool {
    guard let hour = number(position, 2), hour < 24, has(position + 2, ":"),
      let minute = number(position + 3, 2), minute < 60
    else { return false }
    let second = has(position + 5, ":") ? number(position + 6, 2) : nil
    let end = position + (second == nil ? 5 : 8)
    guard (second ?? 0) < 60, !has(end, ":"), !isAlphanumeric(end) || has(end, "Z") else {
      return false
    }
    let sixty = alphabets.numbers(from: 0, count: 60, width: 2)
    add(alphabets.numbers(from: 0, count: 24, width: 2), hour, at: position)
    add(sixty, minute, at: position + 3)
    if let second { add(sixty, second, at: position + 6) }
    position = end
    return true
  }
}
