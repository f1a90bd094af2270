internal import WhimbrelEngine

/// A pattern of dates, times, places, network addresses and UUIDs, with one sign for each part:
/// `D.M.Y`. All other characters match themselves.
///
/// | sign | part |
/// |---|---|
/// | `Y` `y` | a year of four digits from 1900 to 2099, or of two digits |
/// | `M` `D` `m` `d` | month and day of one or two digits, or always two; `E`: day from the 13th |
/// | `N` `W` | the name of a month or a weekday, which stays |
/// | `H` `h` `S` | an hour of the day, an hour of half a day, and a minute or second |
/// | `F` | the decimals of a second, optional |
/// | `P` `Z` `z` | AM or PM, and an optional time zone without or with a space; they stay |
/// | `±` `a` `o` | a sign that stays, and the degrees of a latitude or longitude |
/// | `O` `R` | a byte of an address, and its optional port or prefix length, which stays |
/// | `x` `X` | a hexadecimal digit that is replaced, or that stays |
struct TextPattern {
  let signs: [Unicode.Scalar]
  /// Whether a match gets the same replacement in every text.
  let isIdentifier: Bool
  /// Whether a match must be the whole text.
  let isWhole: Bool

  private init(_ text: String, isIdentifier: Bool = false, isWhole: Bool = false) {
    signs = Array(text.unicodeScalars)
    (self.isIdentifier, self.isWhole) = (isIdentifier, isWhole)
  }

  private static let days = [
    // If a day could be a month, its replacement could be a month too.
    "D.M.Y", "d.m.y", "M/M/Y", "M/E/Y", "E/M/Y", "m/m/y", "m/E/y", "E/m/y", "M-M-Y", "M-E-Y",
    "E-M-Y", "m-m-y", "m-E-y", "E-m-y", "Y/m/d", "Y.m.d", "Ymd", "D N Y", "D. N Y", "D-N-Y",
  ]
  private static let namedDays = ["N D, Y", "N D Y", "N-D-Y"]

  /// The patterns that begin with a digit. A longer pattern comes before its own beginnings.
  static let ofDigits =
    (["Y-m-dTH:S:SFZ", "Y-m-dTH:SZ", "Y-m-d"] + days + ["h:S:SP", "h:SP", "H:S:SFz", "H:Sz"])
    .map { TextPattern($0) } + [TextPattern("O.O.O.OR", isIdentifier: true)]
  static let ofLetters =
    (namedDays + (days + namedDays).map { "W " + $0 }).map { TextPattern($0) }
  static let hexadecimal = [
    "xxxxxxxx-xxxx-Xxxx-Xxxx-xxxxxxxxxxxx", "xX:xx:xx:xx:xx:xx", "xX-xx-xx-xx-xx-xx",
    "xXxx.xxxx.xxxx",
  ].map { TextPattern($0, isIdentifier: true) }
  /// Places in the notation of ISO 6709. The degrees of a pole and of the 180th meridian stay,
  /// because there is only one value.
  static let places = [
    "±aS±oS", "±aSS±oSS", "±9000±oS", "±900000±oSS", "±aS±18000", "±aSS±1800000", "±9000±18000",
    "±900000±1800000",
  ].map { TextPattern($0, isWhole: true) }

  /// Returns the values that a part may have, and its number of digits.
  static func bounds(
    of sign: Unicode.Scalar
  ) -> (values: ClosedRange<UInt32>, widths: ClosedRange<Int>)? {
    switch sign {
    case "Y": (1900...2099, 4...4)
    case "y": (0...99, 2...2)
    case "M": (1...12, 1...2)
    case "m": (1...12, 2...2)
    case "D": (1...31, 1...2)
    case "d": (1...31, 2...2)
    case "E": (13...31, 2...2)
    case "H": (0...23, 1...2)
    case "h": (1...12, 1...2)
    case "S": (0...59, 2...2)
    case "a": (0...89, 2...2)
    case "o": (0...179, 3...3)
    case "O": (0...255, 1...3)
    default: nil
    }
  }
}

// MARK: - Taking

extension TextScanner {
  /// Takes a match of the first pattern that matches here.
  mutating func take(oneOf patterns: [TextPattern]) -> Bool {
    for pattern in patterns {
      if let match = PatternMatch(pattern, in: self) {
        add(match)
        position = match.end
        return true
      }
    }
    return false
  }

  private mutating func add(_ match: PatternMatch) {
    if match.isSpecial { return }
    let part = match.pattern.isIdentifier ? addIdentifier() : 0
    let letters = letterCase(of: match.digits.lazy.map(\.place)) ?? alphabets.lowerHexadecimal
    for digit in match.digits where !digit.stays {
      add(letters, digit.value, at: digit.place, part: part)
    }
    for field in match.fields {
      // The 29th to the 31st stay with their month, because another month may not have that day.
      if match.isLateDay, "DdEMm".unicodeScalars.contains(field.sign) { continue }
      let step: UInt32 = match.isLeapDay && "Yy".unicodeScalars.contains(field.sign) ? 4 : 1
      let bounds = field.bounds(isLeap: step == 4)
      let count = (bounds.upperBound - bounds.lowerBound) / step + 1
      let alphabet = alphabets.numbers(
        from: bounds.lowerBound, count: count, step: step, width: field.width)
      add(
        alphabet, (field.value - bounds.lowerBound) / step, at: field.start, part: part)
    }
  }
}

/// A match of a pattern at a position of a text.
private struct PatternMatch {
  let pattern: TextPattern
  private(set) var end: Int
  private(set) var fields: [Field] = []
  private(set) var digits: [(place: Int, value: UInt32, stays: Bool)] = []
  private var namedMonth: UInt32?

  struct Field {
    let sign: Unicode.Scalar
    let start: Int
    let width: Int
    let value: UInt32

    /// Returns the numbers that may replace this one: with as many digits and leading zeros.
    func bounds(isLeap: Bool) -> ClosedRange<UInt32> {
      switch sign {
      case "Y" where isLeap: return 1904...2096
      case "y" where isLeap: return 0...96
      case "E": return 13...28
      case "M", "m", "h": return value < 10 ? 1...9 : 10...12
      case "D", "d": return value < 10 ? 1...9 : 10...28
      case "H": return width == 1 ? 0...9 : 0...23
      case "O": return value < 10 ? 0...9 : value < 100 ? 10...99 : 100...255
      case "F": return 1...9
      default: return TextPattern.bounds(of: sign)?.values ?? 0...9
      }
    }
  }

  init?(_ pattern: TextPattern, in scanner: TextScanner) {
    self.pattern = pattern
    end = scanner.position
    for sign in pattern.signs {
      guard take(sign, scanner) else { return nil }
    }
    guard isBounded(scanner), isDay, isHexadecimal(scanner) else { return nil }
  }

  private mutating func take(_ sign: Unicode.Scalar, _ scanner: TextScanner) -> Bool {
    if let (values, widths) = TextPattern.bounds(of: sign) {
      let width = (0..<widths.upperBound).prefix { scanner.isDigit(end + $0) }.count
      guard widths.contains(width), let value = scanner.number(end, width), values.contains(value),
        sign != "O" || width == 1 || !scanner.has(end, "0")
      else { return false }
      fields.append(Field(sign: sign, start: end, width: width, value: value))
      end += width
      return true
    }
    switch sign {
    case "x", "X":
      guard let value = scanner.hexadecimal(end) else { return false }
      digits.append((end, value, sign == "X"))
      end += 1
    case "N", "W":
      guard let word = scanner.word(at: end, of: sign == "N" ? Self.months : Self.weekdays) else {
        return false
      }
      if sign == "N" { namedMonth = UInt32(word.index + 1) }
      end =
        scanner.has(word.end, ".") || sign == "W" && scanner.has(word.end, ",")
        ? word.end + 1 : word.end
    case "±":
      guard scanner.has(end, "+") || scanner.has(end, "-") else { return false }
      end += 1
    case "F":
      if scanner.has(end, "."), scanner.isDigit(end + 1) { takeDecimals(scanner) }
    case "P":
      let isHalf = scanner.has(end, " ") && [0x61, 0x70].contains(scanner.byte(end + 1) | 0x20)
      guard isHalf, scanner.byte(end + 2) | 0x20 == 0x6D else { return false }
      end += 3
    case "Z", "z": end = scanner.endOfZone(at: end, isSpaced: sign == "z")
    case "R": end = scanner.endOfPort(at: end)
    default:
      guard scanner.has(end, sign) else { return false }
      end += 1
    }
    return true
  }

  /// Takes the decimals of a second. Leading zeros stay.
  private mutating func takeDecimals(_ scanner: TextScanner) {
    end += 1
    while scanner.has(end, "0") { end += 1 }
    var sign: Unicode.Scalar = "F"
    while let value = scanner.number(end, 1) {
      fields.append(Field(sign: sign, start: end, width: 1, value: value))
      (sign, end) = ("f", end + 1)
    }
  }

  // MARK: Checking a match

  private func isBounded(_ scanner: TextScanner) -> Bool {
    if pattern.isWhole { return scanner.position == 0 && end == scanner.scalars.count }
    if scanner.isAlphanumeric(end) { return false }
    // The match is part of something longer, like 1.2.3 in 1.2.3.4.5.
    let signs: [Unicode.Scalar] = [".", ":"]
    return !signs.contains { sign in
      pattern.signs.contains(sign)
        && (scanner.has(end, sign) && (sign == ":" || scanner.isAlphanumeric(end + 1))
          || scanner.has(scanner.position - 1, sign) && scanner.isDigit(scanner.position - 2))
    }
  }

  private func value(_ signs: Set<Unicode.Scalar>) -> UInt32? {
    fields.first { signs.contains($0.sign) }?.value
  }

  /// The date of the match, or nil if it has no year or no month.
  private var day: (year: UInt32, month: UInt32, day: UInt32)? {
    guard let year = value(["Y"]) ?? value(["y"]).map({ 2000 + $0 }),
      let month = namedMonth ?? value(["M", "m"])
    else { return nil }
    // With two months, either one is the day, and both are at most 12: any day will do.
    return (year, month, value(["D", "d", "E"]) ?? 1)
  }

  private var isDay: Bool {
    guard let (year, month, day) = day else { return true }
    return CivilDay(Int(year), Int(month), Int(day)).isReal
  }

  var isLateDay: Bool { (day?.day ?? 0) > 28 }
  var isLeapDay: Bool { day.map { $0.day == 29 && $0.month == 2 } ?? false }

  /// Returns whether all hexadecimal digits have one case. With dots, at least one must be a
  /// letter, because decimal digits with dots are more often something else.
  private func isHexadecimal(_ scanner: TextScanner) -> Bool {
    if digits.isEmpty { return true }
    let places = digits.lazy.map(\.place)
    return scanner.letterCase(of: places) != nil
      && !(pattern.signs.contains(".") && places.allSatisfy(scanner.isDigit))
  }

  /// Whether the match is an address or UUID that does not identify a person, and therefore stays.
  var isSpecial: Bool {
    guard pattern.isIdentifier else { return false }
    if digits.isEmpty {
      return [[0, 0, 0, 0], [127, 0, 0, 1], [255, 255, 255, 255]].contains(fields.map(\.value))
    }
    return digits.allSatisfy { $0.value == 0 } || digits.allSatisfy { $0.value == 15 }
  }

  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
}

// MARK: - Looking

extension TextScanner {
  /// Whether the name of a month or a weekday begins here.
  var isAtDayName: Bool {
    word(at: position, of: PatternMatch.months) != nil
      || word(at: position, of: PatternMatch.weekdays) != nil
  }

  /// Returns the name at a position, in full or as its first three letters.
  fileprivate func word(at start: Int, of names: [String]) -> (index: Int, end: Int)? {
    var end = start
    while isLetter(end), end < start + 10 { end += 1 }
    guard end - start >= 3, !isAlphanumeric(end) else { return nil }
    let letters = (start..<end).map { byte($0) | 0x20 }
    let index = names.firstIndex { name in
      letters.elementsEqual(name.utf8) || letters.elementsEqual(name.utf8.prefix(3))
    }
    return index.map { ($0, end) }
  }

  /// Returns the end of `Z`, `+02:00` or `+0200`, or, after a space, of `GMT`, `UTC` or `+0200`.
  /// Returns `start` if there is no time zone.
  fileprivate func endOfZone(at start: Int, isSpaced: Bool) -> Int {
    if has(start, "Z") { return start + 1 }
    if isSpaced, !has(start, " ") { return start }
    let sign = isSpaced ? start + 1 : start
    if isSpaced {
      let name = String(decoding: (sign..<sign + 3).map { byte($0) | 0x20 }, as: UTF8.self)
      if name == "gmt" || name == "utc", !isAlphanumeric(sign + 3) { return sign + 3 }
    }
    guard has(sign, "+") || has(sign, "-"), number(sign + 1, 2) != nil else { return start }
    if !isSpaced, has(sign + 3, ":"), number(sign + 4, 2) != nil { return sign + 6 }
    return number(sign + 3, 2) != nil && !isAlphanumeric(sign + 5) ? sign + 5 : start
  }

  /// Returns the end of a port like `:8080` or a prefix length like `/24`, or `start` if there is
  /// neither.
  func endOfPort(at start: Int, longestPrefix: UInt32 = 32) -> Int {
    let isPort = has(start, ":")
    guard isPort || has(start, "/") else { return start }
    let width = (0..<6).prefix { isDigit(start + 1 + $0) }.count
    guard width > 0, width < 6, !isAlphanumeric(start + 1 + width),
      let value = number(start + 1, width), value <= (isPort ? 65_535 : longestPrefix)
    else { return start }
    return start + 1 + width
  }
}
