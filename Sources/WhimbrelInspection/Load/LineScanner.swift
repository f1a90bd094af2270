internal import WhimbrelLMDB

/// A scanner for the bytes of a line, for values in the exact form that a dump writes.
///
/// It reports no errors. On anything unexpected the caller reads the line again with
/// ``JSONParser``, which accepts all of JSON and explains problems.
struct LineScanner {
  let bytes: PageBytes
  var position = 0

  init(_ bytes: PageBytes) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, or 0 at the end. No line contains the byte 0.
  @inline(__always)
  var current: UInt8 { position < bytes.count ? bytes.load(UInt8.self, at: position) : 0 }

  /// Skips a byte if it is next. Returns whether it did.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// Skips bytes if they are next. Returns whether it did.
  @inline(__always)
  mutating func skip(_ expected: PageBytes) -> Bool {
    guard let found = bytes.slice(at: position, count: expected.count),
      found.isEqual(to: expected)
    else { return false }
    position += expected.count
    return true
  }

  /// Skips bytes if they are next. Returns whether it did.
  mutating func skip(_ expected: [UInt8]) -> Bool {
    PageBytes.with(expected) { skip($0) }
  }

  /// Skips ASCII text if it is next. Returns whether it did.
  @inline(__always)
  mutating func skip(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard bytes.contains(offset: position, count: count) else { return false }
    for index in 0..<count {
      // Safe: the index is less than the number of code units.
      let byte = unsafe expected.utf8Start[index]
      if bytes.load(UInt8.self, at: position + index) != byte { return false }
    }
    position += count
    return true
  }
}

// MARK: - Numbers

extension LineScanner {
  /// A run of digits. The value is exact if there are at most 19.
  struct Digits {
    var value: UInt64 = 0
    var count = 0
  }

  /// Reads all following digits, as a continuation of `before`.
  @inline(__always)
  mutating func readDigits(after before: Digits = Digits()) -> Digits {
    var digits = before
    while position < bytes.count {
      let digit = bytes.load(UInt8.self, at: position) &- 0x30
      if digit > 9 { break }
      digits.value = digits.value &* 10 &+ UInt64(digit)
      digits.count += 1
      position += 1
    }
    return digits
  }

  /// Whether the next byte may follow an integer. (Not a decimal point or an exponent.)
  @inline(__always)
  private var isBehindInteger: Bool {
    let byte = current
    return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// Reads an unsigned integer, which is in quotes if it exceeds 2⁵³. Returns nil for anything
  /// else.
  @inline(__always)
  mutating func readUnsigned() -> UInt64? {
    let isQuoted = skip(UInt8(ascii: "\""))
    guard let number = readMagnitude(), isEnd(isQuoted, of: number) else { return nil }
    return number
  }

  /// Returns whether an integer may end here. Exactly the integers beyond 2⁵³ have quotes.
  @inline(__always)
  private mutating func isEnd(_ isQuoted: Bool, of magnitude: UInt64) -> Bool {
    if isQuoted, magnitude <= JSONWriter.largestExact || !skip(UInt8(ascii: "\"")) { return false }
    return isBehindInteger
  }

  @inline(__always)
  private mutating func readMagnitude() -> UInt64? {
    let start = position
    let digits = readDigits()
    guard digits.count > 0, digits.count == 1 || bytes.load(UInt8.self, at: start) != 0x30 else {
      return nil
    }
    if digits.count < 20 { return digits.value }
    // 20 digits starting with 1 are at least 10¹⁹. A lower value has overflowed.
    guard digits.count == 20, bytes.load(UInt8.self, at: start) == 0x31,
      digits.value >= 10_000_000_000_000_000_000
    else { return nil }
    return digits.value
  }

  /// Reads an integer, which is in quotes if it exceeds 2⁵³. Returns nil for anything else.
  @inline(__always)
  mutating func readInteger() -> Int64? {
    let isQuoted = skip(UInt8(ascii: "\""))
    let isNegative = skip(UInt8(ascii: "-"))
    guard let magnitude = readMagnitude(), magnitude <= UInt64(Int64.max),
      isEnd(isQuoted, of: magnitude)
    else { return nil }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// Reads a decimal number without exponent as digits divided by a power of ten. Returns nil for
  /// other numbers.
  ///
  /// If both operands are exact in the target type, the division is correctly rounded, so the
  /// result is the nearest value of the type.
  ///
  /// - Parameters:
  ///   - limit: The limit up to which the type holds all integers.
  ///   - maximumPlaces: The exponent of the greatest power of ten that the type holds exactly.
  mutating func readQuotient(
    limit: UInt64, maximumPlaces: Int
  ) -> (isNegative: Bool, digits: UInt64, places: Int)? {
    let isNegative = skip(UInt8(ascii: "-"))
    let start = position
    var digits = readDigits()
    let whole = digits.count
    guard whole > 0, whole == 1 || bytes.load(UInt8.self, at: start) != 0x30 else { return nil }
    if skip(UInt8(ascii: ".")) {
      digits = readDigits(after: digits)
      if digits.count == whole { return nil }
    }
    let places = digits.count - whole
    guard isBehindInteger, digits.count < 20, digits.value <= limit, places <= maximumPlaces else {
      return nil
    }
    return (isNegative, digits.value, places)
  }

  /// The powers of ten that are exact as `Double`.
  static let powersOf10: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number whose `Double` needs one division only, see
  /// ``readQuotient(limit:maximumPlaces:)``.
  @inline(__always)
  mutating func readDouble() -> Double? {
    guard let number = readQuotient(limit: 1 << 53, maximumPlaces: 22) else { return nil }
    let magnitude = Double(number.digits) / Self.powersOf10[number.places]
    return number.isNegative ? -magnitude : magnitude
  }

  /// Reads a number whose `Float` needs one division only, see
  /// ``readQuotient(limit:maximumPlaces:)``.
  @inline(__always)
  mutating func readFloat() -> Float? {
    guard let number = readQuotient(limit: 1 << 24, maximumPlaces: 10) else { return nil }
    let magnitude = Float(number.digits) / Float(Self.powersOf10[number.places])
    return number.isNegative ? -magnitude : magnitude
  }
}

// MARK: - Strings

extension LineScanner {
  /// The content of a string without escapes.
  struct Text {
    let bytes: PageBytes
    let isASCII: Bool
  }

  /// Reads a string without escapes. Returns nil for other strings.
  @inline(__always)
  mutating func readText() -> Text? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = position
    var seen: UInt64 = 0
    while position + 8 <= bytes.count {
      let word = bytes.load(UInt64.self, at: position)
      if TextScan.hasEscape(word) { break }
      seen |= word
      position += 8
    }
    while position < bytes.count {
      let byte = bytes.load(UInt8.self, at: position)
      if byte == UInt8(ascii: "\"") {
        guard let text = bytes.slice(at: start, count: position - start) else { return nil }
        position += 1
        return Text(bytes: text, isASCII: seen & TextScan.highBits == 0)
      }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
      seen |= UInt64(byte)
      position += 1
    }
    return nil
  }

  /// Skips a value of any kind. Returns false if there is none.
  mutating func skipValue() -> Bool {
    var scan = JSONValueScan()
    while !isAtEnd, scan.takes(current) { position += 1 }
    return scan.isComplete
  }
}
