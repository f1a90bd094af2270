extension TextScanner {
  /// Takes a run of digits. Leading zeros stay, and the first other digit does not become zero.
  ///
  /// A number of 19 or 20 digits stays on its side of the greatest `Int64` or `UInt64`, and after a
  /// minus sign on its side of the least `Int64`. So a program that parses it succeeds or fails as
  /// before.
  mutating func takeNumber(part: Int) {
    let limits = has(position - 1, "-") ? Self.negativeLimits : Self.limits
    var end = position
    while isDigit(end) { end += 1 }
    while position < end, byte(position) == 0x30 { position += 1 }
    let limit = limits[end - position] ?? []
    var isAtLimit = !limit.isEmpty
    let start = position
    while position < end {
      let digit = UInt32(byte(position)) - 0x30
      let least: UInt32 = position == start ? 1 : 0
      if isAtLimit {
        let bound = limit[position - start]
        isAtLimit = digit == bound
        if digit < bound {
          let alphabet = alphabets.numbers(from: least, count: bound - least, width: 1)
          add(alphabet, digit - least, at: position, part: part)
        } else if digit > bound {
          let alphabet = alphabets.numbers(from: bound + 1, count: 9 - bound, width: 1)
          add(alphabet, digit - bound - 1, at: position, part: part)
        }
      } else {
        let alphabet = least == 1 ? alphabets.leadingDigit : alphabets.digit
        add(alphabet, digit - least, at: position, part: part)
      }
      position += 1
    }
  }

  /// The digits of the greatest numbers, by their count.
  private static let limits = [19: digits(Int64.max.magnitude), 20: digits(UInt64.max)]

  /// The digits of the greatest numbers after a minus sign, by their count.
  private static let negativeLimits = [19: digits(Int64.min.magnitude), 20: digits(UInt64.max)]

  private static func digits(_ number: UInt64) -> [UInt32] {
    String(number).utf8.map { UInt32($0) - 0x30 }
  }

  /// Takes a text that is a number with an exponent. The `e` and the exponent stay.
  mutating func takeExponent() -> Bool {
    guard position == 0 || position == 1 && (has(0, "-") || has(0, "+")) else { return false }
    var end = position
    while isDigit(end) || has(end, ".") { end += 1 }
    guard byte(end) | 0x20 == 0x65 else { return false }
    let first = has(end + 1, "+") || has(end + 1, "-") ? end + 2 : end + 1
    guard (first + 1...first + 3).contains(scalars.count),
      (first..<scalars.count).allSatisfy(isDigit)
    else { return false }
    while position < end {
      if isDigit(position) { takeNumber(part: 0) } else { position += 1 }
    }
    position = scalars.count
    return true
  }
}
