internal import Foundation

/// Writes bytes into memory that is known to have room for them.
///
/// Invariant: who makes one gives it room for all that is written through it.
@safe
struct TextPointer {
  /// Where the next byte goes.
  private(set) var next: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) { unsafe next = unsafe start }

  /// Appends a byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    // Safe: there is room.
    unsafe next.pointee = byte
    unsafe next += 1
  }

  /// Appends the eight bytes of a word.
  @inline(__always)
  mutating func append(_ word: UInt64) {
    // Safe: there is room.
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
    unsafe next += 8
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    // Safe: there is room.
    unsafe memcpy(next, start, bytes.count)
    unsafe next += bytes.count
  }

  /// Appends the digits of a number, with zeros in front up to a width of at most 20.
  mutating func append(digits number: UInt64, width: Int = 1) {
    let length = max(Self.countOfDigits(number), width)
    var (position, rest) = (length, number)
    // Safe: there is room.
    while position > 1 {
      let higher = rest / 100
      let pair = UInt32(truncatingIfNeeded: rest &- higher &* 100)
      position -= 2
      unsafe next[position] = 0x30 + UInt8(truncatingIfNeeded: pair / 10)
      unsafe next[position + 1] = 0x30 + UInt8(truncatingIfNeeded: pair % 10)
      rest = higher
    }
    if position > 0 { unsafe next[0] = 0x30 + UInt8(truncatingIfNeeded: rest) }
    unsafe next += length
  }

  /// How many digits a number has.
  @inline(__always)
  private static func countOfDigits(_ number: UInt64) -> Int {
    // 1233 / 4096 is a little more than the logarithm of 2 to the base 10, so the estimate is
    // the count or one less.
    let estimate = ((64 - number.leadingZeroBitCount) * 1_233) >> 12
    return number >= powersOf10[estimate] ? estimate + 1 : max(estimate, 1)
  }

  private static let powersOf10: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// Appends two digits.
  @inline(__always)
  mutating func append(pair number: Int) {
    append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}

// MARK: - Digits of bytes

extension TextPointer {
  /// The digits of hexadecimal numbers, the first 16 in lower case.
  private static let hexadecimal: StaticString = "0123456789abcdef0123456789ABCDEF"
  private static let base64: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Which letters hexadecimal digits have.
  enum LetterCase: Int {
    case lower = 0
    case upper = 16
  }

  /// Appends two hexadecimal digits for each byte.
  mutating func append(hexadecimal bytes: UnsafeRawBufferPointer, _ letters: LetterCase) {
    for index in 0..<bytes.count {
      // Safe: there are 16 digits of each case.
      unsafe append(Self.hexadecimal.utf8Start[Int(bytes[index] >> 4) + letters.rawValue])
      unsafe append(Self.hexadecimal.utf8Start[Int(bytes[index] & 15) + letters.rawValue])
    }
  }

  /// Appends data in base 64: four bytes for three, and for what is left.
  mutating func append(base64 data: UnsafeRawBufferPointer) {
    var position = 0
    // Safe: the positions lie inside.
    while position + 3 <= data.count {
      let (a, b, c) = unsafe (data[position], data[position + 1], data[position + 2])
      append(UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c), digits: 4)
      position += 3
    }
    let rest = data.count - position
    guard rest > 0 else { return }
    let second = unsafe rest > 1 ? UInt32(data[position + 1]) : 0
    unsafe append(UInt32(data[position]) << 16 | second << 8, digits: rest + 1)
    for _ in rest..<3 { append(UInt8(ascii: "=")) }
  }

  /// Appends the first of the four digits of 24 bits.
  @inline(__always)
  private mutating func append(_ bits: UInt32, digits count: Int) {
    for index in 0..<count {
      // Safe: there are 64 digits.
      unsafe append(Self.base64.utf8Start[Int(bits >> UInt32(18 - 6 * index) & 63)])
    }
  }
}
