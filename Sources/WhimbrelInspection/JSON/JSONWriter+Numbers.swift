internal import Foundation
internal import WhimbrelEngine

extension JSONWriter {
  /// Appends an integer of at most 64 bits.
  mutating func append(_ number: some FixedWidthInteger) {
    append(upTo: 21) { pointer in
      if number < 0 { pointer.append(UInt8(ascii: "-")) }
      pointer.append(digits: UInt64(truncatingIfNeeded: number.magnitude))
    }
  }

  /// The limit up to which all integers are exact as `Double`. JavaScript and `jq` read all numbers
  /// as `Double`.
  static let largestExact: UInt64 = 1 << 53

  /// Appends an integer of at most 64 bits. Beyond 2⁵³ it is a string of digits, so that no reader
  /// rounds it.
  @inline(__always)
  package mutating func append(exact number: some FixedWidthInteger) {
    let isQuoted = UInt64(truncatingIfNeeded: number.magnitude) > Self.largestExact
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    append(number)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
  }

  /// Appends a floating-point number. See ``NumberText``.
  mutating func append(number: Double) {
    append(number, ShortDecimal(number.magnitude))
  }

  /// Appends a floating-point number. See ``NumberText``.
  mutating func append(number: Float) {
    append(number, ShortDecimal(number.magnitude))
  }

  private mutating func append<Value: CodableFloatingPoint>(_ number: Value, _ short: ShortDecimal?)
  {
    if let short, !(number.isZero && number.sign == .minus) {
      append(upTo: 32) { pointer in
        if number < 0 { pointer.append(UInt8(ascii: "-")) }
        pointer.append(digits: short.whole)
        pointer.append(UInt8(ascii: "."))
        pointer.append(digits: short.decimals, width: max(short.places, 1))
      }
    } else if let text = NumberText.special(number) {
      append(text)
    } else {
      append(raw: number.description.utf8)
    }
  }

  /// Appends a date. See ``DateText``.
  mutating func append(_ date: Date) {
    guard let parts = DateParts(date) else {
      return append(number: date.timeIntervalSinceReferenceDate)
    }
    append(upTo: 64) { pointer in
      pointer.append(UInt8(ascii: "\""))
      pointer.append(parts)
      pointer.append(UInt8(ascii: "\""))
    }
  }
}

extension TextPointer {
  /// Appends a date, in at most 40 bytes.
  mutating func append(_ parts: DateParts) {
    append(digits: UInt64(parts.year), width: 4)
    append(UInt8(ascii: "-"))
    append(pair: parts.month)
    append(UInt8(ascii: "-"))
    append(pair: parts.day)
    append(UInt8(ascii: "T"))
    append(pair: parts.second / 3_600)
    append(UInt8(ascii: ":"))
    append(pair: parts.second / 60 % 60)
    append(UInt8(ascii: ":"))
    append(pair: parts.second % 60)
    if parts.decimals > 0 {
      append(UInt8(ascii: "."))
      append(digits: UInt64(parts.decimals), width: parts.places)
    }
    append(UInt8(ascii: "Z"))
  }
}
