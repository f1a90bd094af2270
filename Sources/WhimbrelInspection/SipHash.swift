/// SipHash-2-4 by Aumasson and Bernstein: a keyed hash that reveals neither its key nor its results
/// for other input.
///
/// It is the pseudorandom function behind all replaced values. It is the reference algorithm with a
/// result of 64 or 128 bits, tested against the authors' vectors. Words are hashed as their
/// little-endian bytes.
package struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var wordCount: UInt64 = 0
  private let width: Width

  /// The size of the result: 64 or 128 bits.
  package enum Width {
    case narrow, wide
  }

  /// Two words: a key, or a wide result. A wide result can be the key of another hash.
  package struct Key: Hashable, Sendable {
    package var first: UInt64
    package var second: UInt64

    package init(_ first: UInt64, _ second: UInt64) {
      self.first = first
      self.second = second
    }
  }

  package init(_ key: Key, _ width: Width = .narrow) {
    self.width = width
    v0 = key.first ^ 0x736f_6d65_7073_6575
    v1 = key.second ^ 0x646f_7261_6e64_6f6d
    v2 = key.first ^ 0x6c79_6765_6e65_7261
    v3 = key.second ^ 0x7465_6462_7974_6573
    if width == .wide { v1 ^= 0xee }
  }

  /// Adds the next eight bytes.
  @inline(__always)
  package mutating func append(_ word: UInt64) {
    v3 ^= word
    mix()
    mix()
    v0 ^= word
    wordCount &+= 1
  }

  /// Returns the 64-bit hash.
  ///
  /// - Parameters:
  ///   - tail: The bytes after the last whole word, at most seven.
  ///   - tailCount: The number of these bytes.
  package consuming func result(tail: UInt64 = 0, tailCount: UInt64 = 0) -> UInt64 {
    takeEnd(tail, tailCount)
    return v0 ^ v1 ^ v2 ^ v3
  }

  /// Returns the 128-bit hash. The hash must have been created with ``Width/wide``.
  package consuming func wideResult(tail: UInt64 = 0, tailCount: UInt64 = 0) -> Key {
    takeEnd(tail, tailCount)
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { mix() }
    return Key(first, v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func takeEnd(_ tail: UInt64, _ tailCount: UInt64) {
    append((wordCount &* 8 &+ tailCount) << 56 | tail)
    v2 ^= width == .wide ? 0xee : 0xff
    for _ in 0..<4 { mix() }
  }

  @inline(__always)
  private mutating func mix() {
    v0 &+= v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 &+= v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 &+= v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }
}

extension SipHash {
  /// Returns the 64-bit hash of bytes.
  package static func hash(_ bytes: some Sequence<UInt8>, _ key: Key) -> UInt64 {
    var hash = SipHash(key)
    let (tail, count) = hash.append(contentsOf: bytes)
    return hash.result(tail: tail, tailCount: count)
  }

  /// Returns the 128-bit hash of bytes.
  package static func wideHash(_ bytes: some Sequence<UInt8>, _ key: Key) -> Key {
    var hash = SipHash(key, .wide)
    let (tail, count) = hash.append(contentsOf: bytes)
    return hash.wideResult(tail: tail, tailCount: count)
  }

  /// Adds bytes. Returns the bytes after the last whole word.
  private mutating func append(
    contentsOf bytes: some Sequence<UInt8>
  ) -> (tail: UInt64, count: UInt64) {
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * count)
      count += 1
      if count == 8 {
        append(word)
        (word, count) = (0, 0)
      }
    }
    return (word, count)
  }
}
