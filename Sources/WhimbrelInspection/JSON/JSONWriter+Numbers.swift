internal import Foundation

extension JSONWriter {
  /// Appends a whole number of up to 64 bits.
  mutating func append(_ number: some FixedWidthInteger) {
    if number < 0 { append(byte: UInt8(ascii: "-")) }
    append(digits: UInt64(truncatingIfNeeded: number.magnitude))
  }

  /// Appends the digits of a number, with zeros in front up to a width of at most 20.
  mutating func append(digits number: UInt64, width: Int = 1) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var position = buffer.count
      var rest = number
      repeat {
        let next = rest / 10
        position -= 1
        // Safe: 64 bits have 20 digits at most.
        unsafe buffer[position] = 0x30 + UInt8(truncatingIfNeeded: rest &- next &* 10)
        rest = next
      } while rest > 0 || buffer.count - position < width
      unsafe append(raw: UnsafeBufferPointer(rebasing: buffer[position...]))
    }
  }

  /// Appends a floating-point number; see ``NumberText``.
  mutating func append(number: Double) {
    append(number, ShortDecimal(number.magnitude))
  }

  /// Appends a floating-point number; see ``NumberText``.
  mutating func append(number: Float) {
    append(number, ShortDecimal(number.magnitude))
  }

  private mutating func append<Value: DumpedNumber>(_ number: Value, _ short: ShortDecimal?) {
    if let short, !(number.isZero && number.sign == .minus) {
      if number < 0 { append(byte: UInt8(ascii: "-")) }
      append(digits: short.whole)
      append(byte: UInt8(ascii: "."))
      append(digits: short.decimals, width: max(short.places, 1))
    } else if let text = NumberText.special(number) {
      append(text)
    } else {
      append(raw: number.description.utf8)
    }
  }

  /// Appends a date; see ``DateText``.
  mutating func append(_ date: Date) {
    if let parts = DateParts(date) {
      append(byte: UInt8(ascii: "\""))
      append(parts)
      append(byte: UInt8(ascii: "\""))
    } else {
      append(number: date.timeIntervalSinceReferenceDate)
    }
  }

  /// Appends a date without quotes.
  mutating func append(_ parts: DateParts) {
    append(digits: UInt64(parts.year), width: 4)
    append(byte: UInt8(ascii: "-"))
    append(digits: UInt64(parts.month), width: 2)
    append(byte: UInt8(ascii: "-"))
    append(digits: UInt64(parts.day), width: 2)
    append(byte: UInt8(ascii: "T"))
    append(digits: UInt64(parts.second / 3_600), width: 2)
    append(byte: UInt8(ascii: ":"))
    append(digits: UInt64(parts.second / 60 % 60), width: 2)
    append(byte: UInt8(ascii: ":"))
    append(digits: UInt64(parts.second % 60), width: 2)
    if parts.decimals > 0 {
      append(byte: UInt8(ascii: "."))
      append(digits: UInt64(parts.decimals), width: parts.places)
    }
    append(byte: UInt8(ascii: "Z"))
  }
}
