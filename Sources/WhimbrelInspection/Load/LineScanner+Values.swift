internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

extension ValueForm {
  /// Whether values are stored as a number of at most 64 bits. Links are not included.
  @inline(__always)
  var hasBits: Bool { hasOneSize && self != .uuid && self != .objectId && self != .link }
}

/// The kind of names that links to a class use, for reading without the JSON parser.
enum LinkedKeys {
  /// Object IDs, or keys that only the parser can read.
  case unknown
  /// Integer keys that are the object IDs.
  case clustered
  /// Texts.
  case texts(KeyDirectory)
}

extension LineScanner {
  /// Reads a value that is stored as a number of at most 64 bits, except a link.
  @inline(__always)
  mutating func readBits(_ form: ValueForm) -> UInt64? {
    switch form {
    case .bool: skip("true") ? 1 : skip("false") ? 0 : nil
    case .int8: readInteger(Int8.self)
    case .int16: readInteger(Int16.self)
    case .int32: readInteger(Int32.self)
    case .int: readInteger(Int64.self)
    case .uint8: readInteger(UInt8.self)
    case .uint16: readInteger(UInt16.self)
    case .uint32: readInteger(UInt32.self)
    case .float: readFloat().map { UInt64($0.bitPattern) }
    case .double: readDouble()?.bitPattern
    case .date: readDate()?.bitPattern
    case .link, .uuid, .objectId, .text, .data, .elements, .other: nil
    }
  }

  @inline(__always)
  private mutating func readInteger<Value: FixedWidthInteger>(_ type: Value.Type) -> UInt64? {
    guard let number = readInteger(), Value(exactly: number) != nil else { return nil }
    return UInt64(bitPattern: number)
  }

  /// Reads a link to an object: `{"link":17}`, `{"key":5}` or `{"key":"AD"}`.
  mutating func readLink(_ target: LinkedKeys) -> UInt64? {
    if skip(#"{"link":"#) {
      guard let id = readUnsigned(), skip(UInt8(ascii: "}")) else { return nil }
      return id
    }
    guard skip(#"{"key":"#) else { return nil }
    let id: ObjectID?
    switch target {
    case .unknown: return nil
    case .clustered: id = readInteger().map(ObjectID.init(clusteredKey:))
    case .texts(let directory): id = readText().flatMap { directory.object($0.bytes) }
    }
    guard let id, skip(UInt8(ascii: "}")) else { return nil }
    return id.rawValue
  }

  /// Reads `2025-05-01T12:30:00` as seconds since 2001-01-01.
  @inline(__always)
  mutating func readSeconds() -> Int? {
    guard let year = readPair(), let yearOfCentury = readPair(), skip(UInt8(ascii: "-")),
      let month = readPair(), skip(UInt8(ascii: "-")), let day = readPair(),
      skip(UInt8(ascii: "T")), let hour = readPair(), skip(UInt8(ascii: ":")),
      let minute = readPair(), skip(UInt8(ascii: ":")), let second = readPair()
    else { return nil }
    let civil = CivilDay(year * 100 + yearOfCentury, month, day)
    guard civil.year > 0, civil.isReal, hour < 24, minute < 60, second < 60 else { return nil }
    return civil.daysSince2001 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// Reads `"2025-05-01T12:30:00.25Z"` as seconds since 2001-01-01.
  private mutating func readDate() -> Double? {
    guard skip(UInt8(ascii: "\"")), let whole = readSeconds() else { return nil }
    var decimals = Digits()
    if skip(UInt8(ascii: ".")) {
      decimals = readDigits()
      if decimals.count == 0 { return nil }
    }
    guard skip(UInt8(ascii: "Z")), skip(UInt8(ascii: "\"")), decimals.count <= 6 else {
      return nil
    }
    // Both are at most 2⁵³ and thus exact, so the quotient is correctly rounded.
    let power = Self.powersOf10[decimals.count]
    let digits = whole * Int(power) + Int(decimals.value)
    return digits.magnitude <= 1 << 53 ? Double(digits) / power : nil
  }

  @inline(__always)
  private mutating func readPair() -> Int? {
    guard bytes.contains(offset: position, count: 2) else { return nil }
    let first = bytes.load(UInt8.self, at: position) &- 0x30
    let second = bytes.load(UInt8.self, at: position + 1) &- 0x30
    guard first < 10, second < 10 else { return nil }
    position += 2
    return Int(first) * 10 + Int(second)
  }
}

// MARK: - Bytes

extension LineScanner {
  /// Reads a fixed number of hexadecimal digits, at most 16.
  private mutating func readHexadecimal(_ count: Int) -> UInt64? {
    guard bytes.contains(offset: position, count: count) else { return nil }
    var number: UInt64 = 0
    for index in 0..<count {
      let byte = bytes.load(UInt8.self, at: position + index)
      let (digit, letter) = (byte &- 0x30, (byte | 0x20) &- UInt8(ascii: "a"))
      guard digit < 10 || letter < 6 else { return nil }
      number = number << 4 | UInt64(digit < 10 ? digit : letter + 10)
    }
    position += count
    return number
  }

  mutating func readObjectId() -> ObjectId? {
    guard skip(UInt8(ascii: "\"")), let high = readHexadecimal(16), let low = readHexadecimal(8),
      skip(UInt8(ascii: "\""))
    else { return nil }
    return ObjectId(high: high, low: UInt32(low))
  }

  mutating func readUUID() -> UUID? {
    let dash = UInt8(ascii: "-")
    guard skip(UInt8(ascii: "\"")), let a = readHexadecimal(8), skip(dash),
      let b = readHexadecimal(4), skip(dash), let c = readHexadecimal(4), skip(dash),
      let d = readHexadecimal(4), skip(dash), let e = readHexadecimal(12),
      skip(UInt8(ascii: "\""))
    else { return nil }
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    let (x, y) = (a << 32 | b << 16 | c, d << 48 | e)
    return UUID(
      uuid: (
        byte(x, 0), byte(x, 1), byte(x, 2), byte(x, 3), byte(x, 4), byte(x, 5), byte(x, 6),
        byte(x, 7), byte(y, 0), byte(y, 1), byte(y, 2), byte(y, 3), byte(y, 4), byte(y, 5),
        byte(y, 6), byte(y, 7)
      ))
  }

  /// Reads a string in base 64 with padding. Refuses text whose unused bits are not zero.
  mutating func readBase64(into buffer: inout ByteBuffer) -> Bool {
    guard let text = readText(), text.bytes.count % 4 == 0 else { return false }
    let digits = text.bytes
    var padding = 0
    while padding < 2, padding < digits.count,
      digits.load(UInt8.self, at: digits.count - 1 - padding) == UInt8(ascii: "=")
    {
      padding += 1
    }
    buffer.reset(zeros: digits.count / 4 * 3)
    let values = Self.base64Values
    func decode(at start: Int, _ count: Int) -> UInt32? {
      var bits: UInt32 = 0
      for index in 0..<count {
        let value = values[Int(digits.load(UInt8.self, at: start + index))]
        if value > 63 { return nil }
        bits = bits << 6 | UInt32(value)
      }
      return bits << UInt32(6 * (4 - count))
    }
    for group in 0..<digits.count / 4 {
      let spare = group == digits.count / 4 - 1 ? padding : 0
      guard let bits = decode(at: group * 4, 4 - spare), bits & (1 << UInt32(8 * spare) - 1) == 0
      else { return false }
      buffer.store(UInt8(truncatingIfNeeded: bits >> 16), at: group * 3)
      buffer.store(UInt8(truncatingIfNeeded: bits >> 8), at: group * 3 + 1)
      buffer.store(UInt8(truncatingIfNeeded: bits), at: group * 3 + 2)
    }
    buffer.removeLast(padding)
    return true
  }

  /// The value of each byte as a digit of base 64, or 64 for other bytes.
  private static let base64Values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
}
