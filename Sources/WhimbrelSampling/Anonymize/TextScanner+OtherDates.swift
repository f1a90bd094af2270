/// Days that are not written as ISO 8601 has them.
extension TextScanner {
  /// Takes a day as people write it, which becomes another of the calendar in the same form:
  /// `31.12.2024`, `12/31/2024`, `5-11-2024`, `31.12.24`, `2024/12/31`, `20241231`, `5 Nov 2024`.
  ///
  /// From the 29th on, day and month stay, and the year becomes another.
  mutating func takeOtherDate() -> Bool {
    takeNumericDate() || takeYearFirstDate() || takeDayOfNamedMonth()
  }

  // MARK: Numbers only

  private mutating func takeNumericDate() -> Bool {
    let first = Field(self, at: position)
    guard let first, let separator = separator(at: first.end),
      let second = Field(self, at: first.end + 1), has(second.end, separator),
      let year = year(at: second.end + 1, isShortAllowed: first.width == 2 && second.width == 2),
      !(separator == "." && has(year.end, ".") && isDigit(year.end + 1))
    else { return false }
    guard let order = order(first, second, separator) else { return false }
    switch order {
    case .either:
      addSmall(first, upTo: 12)
      addSmall(second, upTo: 12)
      addYear(year, isLeap: false)
    case .known(let day, let month):
      guard isDay(month.value, day.value, year) else { return false }
      if day.value < 29 {
        addSmall(month, upTo: 12)
        // A day up to the 12th could be a month where the order is not said.
        addSmall(day, upTo: 28, from: separator == "." ? 1 : 13)
      }
      addYear(year, isLeap: day.value == 29 && month.value == 2)
    }
    position = year.end
    return true
  }

  /// Which of two numbers is the day.
  private enum Order {
    case either
    case known(day: Field, month: Field)
  }

  private func order(_ first: Field, _ second: Field, _ separator: Unicode.Scalar) -> Order? {
    let (isFirstMonth, isSecondMonth) = (
      (1...12).contains(first.value), (1...12).contains(second.value)
    )
    if separator == "." { return isSecondMonth ? .known(day: first, month: second) : nil }
    if isFirstMonth, isSecondMonth { return .either }
    if isSecondMonth { return .known(day: first, month: second) }
    return isFirstMonth ? .known(day: second, month: first) : nil
  }

  private mutating func takeYearFirstDate() -> Bool {
    guard let year = year(at: position, isShortAllowed: false, isBounded: false) else {
      return false
    }
    let separator = separator(at: year.end)
    let gap = separator == nil ? 0 : 1
    let month = Field(self, at: year.end + gap, width: 2)
    guard separator != "-", let month, let day = Field(self, at: month.end + gap, width: 2),
      separator == nil || separator.map({ has(month.end, $0) }) == true,
      !isAlphanumeric(day.end), isDay(month.value, day.value, year)
    else { return false }
    if day.value < 29 {
      addSmall(month, upTo: 12)
      addSmall(day, upTo: 28)
    }
    addYear(year, isLeap: day.value == 29 && month.value == 2)
    position = day.end
    return true
  }

  // MARK: Names of months

  private mutating func takeDayOfNamedMonth() -> Bool {
    guard let day = Field(self, at: position) else { return false }
    var next = day.end
    if has(next, ".") { next += 1 }
    guard let gap = separatorOfWords(at: next), let month = month(at: next + gap) else {
      return false
    }
    var end = month.end
    if has(end, ".") || has(end, ",") { end += 1 }
    guard let space = separatorOfWords(at: end),
      let year = year(at: end + space, isShortAllowed: false),
      isDay(month.number, day.value, year)
    else { return false }
    if day.value < 29 { addSmall(day, upTo: 28) }
    addYear(year, isLeap: day.value == 29 && month.number == 2)
    position = year.end
    return true
  }

  /// Takes a day that begins with a word: `Nov 5, 2024`; the name of a weekday before a day stays.
  mutating func takeNamedDate() -> Bool {
    if let weekday = word(at: position, of: Self.weekdays) {
      var end = weekday.end
      if has(end, ",") || has(end, ".") { end += 1 }
      guard has(end, " ") else { return false }
      let start = position
      position = end + 1
      if takeOtherDate() || takeNamedDate() { return true }
      position = start
      return false
    }
    guard let month = month(at: position) else { return false }
    var next = month.end
    if has(next, ".") { next += 1 }
    guard let gap = separatorOfWords(at: next), let day = Field(self, at: next + gap) else {
      return false
    }
    var end = day.end
    if has(end, ",") { end += 1 }
    guard let space = separatorOfWords(at: end),
      let year = year(at: end + space, isShortAllowed: false),
      isDay(month.number, day.value, year)
    else { return false }
    if day.value < 29 { addSmall(day, upTo: 28) }
    addYear(year, isLeap: day.value == 29 && month.number == 2)
    position = year.end
    return true
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private func month(at start: Int) -> (number: UInt32, end: Int)? {
    word(at: start, of: Self.months).map { (UInt32($0.index + 1), $0.end) }
  }

  /// Which of some names stands at a place, in full or with its first three letters.
  private func word(at start: Int, of names: [String]) -> (index: Int, end: Int)? {
    var end = start
    while isLetter(end), end < start + 10 { end += 1 }
    guard end - start >= 3, !isAlphanumeric(end) else { return nil }
    let letters = (start..<end).map { byte($0) | 0x20 }
    let index = names.firstIndex { name in
      letters.elementsEqual(name.utf8) || letters.elementsEqual(name.utf8.prefix(3))
    }
    return index.map { ($0, end) }
  }
}

// MARK: - Parts

extension TextScanner {
  /// A number of one or two digits.
  fileprivate struct Field {
    let start: Int
    let width: Int
    let value: UInt32

    var end: Int { start + width }

    init?(_ scanner: TextScanner, at start: Int, width: Int? = nil) {
      let found = width ?? (scanner.isDigit(start + 1) ? 2 : 1)
      guard let value = scanner.number(start, found),
        width != nil || !scanner.isDigit(start + found)
      else { return nil }
      (self.start, self.width, self.value) = (start, found, value)
    }
  }

  fileprivate struct Year {
    let start: Int
    let value: UInt32
    let isShort: Bool

    var end: Int { start + (isShort ? 2 : 4) }
  }

  /// - Parameter isBounded: whether no digit and no letter may follow.
  fileprivate func year(
    at start: Int, isShortAllowed: Bool, isBounded: Bool = true
  ) -> Year? {
    if let value = number(start, 4), (1900...2099).contains(value),
      !isBounded || !isAlphanumeric(start + 4)
    {
      return Year(start: start, value: value, isShort: false)
    }
    guard isShortAllowed, let value = number(start, 2), !isAlphanumeric(start + 2) else {
      return nil
    }
    return Year(start: start, value: value, isShort: true)
  }

  fileprivate func separator(at index: Int) -> Unicode.Scalar? {
    [".", "/", "-"].first { has(index, $0) }
  }

  /// How long what stands between words of a date is.
  fileprivate func separatorOfWords(at index: Int) -> Int? {
    has(index, " ") || has(index, "-") ? 1 : nil
  }

  fileprivate func isDay(_ month: UInt32, _ day: UInt32, _ year: Year) -> Bool {
    guard (1...12).contains(month), (1...31).contains(day) else { return false }
    return isDay(year.isShort ? 2000 + year.value : year.value, month, day)
  }

  /// Adds a number, which keeps its width and does not get or lose a leading zero.
  fileprivate mutating func addSmall(_ field: Field, upTo last: UInt32, from least: UInt32 = 1) {
    let bounds: ClosedRange<UInt32>
    if field.value < 10 { bounds = 1...9 } else { bounds = max(10, least)...last }
    // Where the order of day and month is not said, a small day cannot be told from a month.
    guard bounds.contains(field.value) else { return }
    let alphabet = alphabets.numbers(
      from: bounds.lowerBound, count: UInt32(bounds.count), width: field.width)
    add(alphabet, field.value - bounds.lowerBound, at: field.start)
  }

  /// Adds a year; one that a 29th of February has stays a leap year.
  fileprivate mutating func addYear(_ year: Year, isLeap: Bool) {
    let first: UInt32 = year.isShort ? 0 : isLeap ? 1904 : 1900
    let step: UInt32 = isLeap ? 4 : 1
    let count: UInt32 = year.isShort ? 100 / step : isLeap ? 49 : 200
    let alphabet = alphabets.numbers(
      from: first, count: count, step: step, width: year.isShort ? 2 : 4)
    add(alphabet, (year.value - first) / step, at: year.start)
  }
}
