internal import Foundation

/// A pointer that appends bytes to memory with enough room.
///
/// Invariant: the creator provides room for everything that is appended.
@safe
struct TextPointer {
  /// The address of the next byte.
  private(set) var next: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) { unsafe next = unsafe start }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    // Safe: the creator provides room, see the invariant.
    unsafe next.pointee = byte
    unsafe next += 1
  }

  /// Appends the eight bytes of a word.
  @inline(__always)
  mutating func append(_ word: UInt64) {
    // Safe: the creator provides room, see the invariant.
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
    unsafe next += 8
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    // Safe: the creator provides room, see the invariant.
    unsafe memcpy(next, start, bytes.count)
    unsafe next += bytes.count
  }

  /// Appends the digits of a number, with leading zeros up to a width of at most 20.
  mutating func append(digits number: UInt64, width: Int = 1) {
    let length = max(Self.countOfDigits(number), width)
    var (position, rest) = (length, number)
    // Safe: the creator provides room, and the positions are less than `length`.
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

  @inline(__always)
  private static func countOfDigits(_ number: UInt64) -> Int {
    // 1233 / 4096 is slightly more than log₁₀ 2, so the estimate is the number of digits or one
    // less.
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
  /// The hexadecimal digits in lower case, then in upper case.
  private static let hexadecimal: StaticString = "0123456789abcdef0123456789ABCDEF"
  private static let base64: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The case of hexadecimal digits.
  enum LetterCase: Int {
    case lower = 0
    case upper = 16
  }

  /// Appends two hexadecimal digits per byte.
  mutating func append(hexadecimal bytes: UnsafeRawBufferPointer, _ letters: LetterCase) {
    for index in 0..<bytes.count {
      // Safe: the index is at most 15, plus 16 for upper case, and there are 32 digits.
      unsafe append(Self.hexadecimal.utf8Start[Int(bytes[index] >> 4) + letters.rawValue])
      unsafe append(Self.hexadecimal.utf8Start[Int(bytes[index] & 15) + letters.rawValue])
    }
  }

  /// Appends data in base 64 with padding.
  mutating func append(base64 data: UnsafeRawBufferPointer) {
    var position = 0
    // Safe: all positions are less than `data.count`.
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

  /// Appends the first of the four base 64 digits of 24 bits.
  @inline(__always)
  private mutating func append(_ bits: UInt32, digits count: Int) {
    for index in 0..<count {
      // Safe: the index has six bits, and there are 64 digits.
      unsafe append(Self.base64.utf8Start[Int(bits >> UInt32(18 - 6 * index) & 63)])
    }
  }
}
