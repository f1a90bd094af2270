/// The checksums of the file format.
///
/// The input is mixed into a state in 64-bit little-endian words. Each step is an exclusive or, a
/// multiplication by an odd number and a shift, all of which are invertible. Two inputs that differ
/// in a single word therefore never have the same 64-bit checksum.
package enum Checksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return product ^ (product >> 29)
  }

  /// Mixes in the words between two offsets.
  @inline(__always)
  private static func mix(
    _ state: UInt64, _ bytes: PageBytes, _ start: Int, _ end: Int
  ) -> UInt64 {
    var (state, offset) = (state, start)
    while offset < end {
      state = mix(state, word(bytes, offset))
      offset &+= 8
    }
    return state
  }

  /// Returns the 64-bit checksum. Bytes after the last whole word count as a word padded with
  /// zeros, and the length is included.
  package static func hash64(_ bytes: PageBytes, seed: UInt64 = 0) -> UInt64 {
    var state = mix(seed, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mix(state, UInt64(littleEndian: bytes.load(UInt64.self, at: offset)))
      offset += 8
    }
    if offset < bytes.count { state = mix(state, lastWord(bytes, offset)) }
    return mix(state, 0)
  }

  /// Returns the bytes from an offset to the end, fewer than eight, padded with zeros.
  @inline(__always)
  private static func lastWord(_ bytes: PageBytes, _ offset: Int) -> UInt64 {
    if bytes.count >= 8 {
      return word(bytes, bytes.count - 8) >> UInt64(8 * (8 - (bytes.count - offset)))
    }
    var last: UInt64 = 0
    for position in offset..<bytes.count {
      last |= UInt64(bytes.load(UInt8.self, at: position)) << UInt64(8 * (position - offset))
    }
    return last
  }

  /// Returns the 32-bit checksum of a record, without the four bytes of the checksum itself.
  ///
  /// - Parameter hole: The offset of the checksum, a multiple of four.
  package static func record(_ bytes: PageBytes, hole: Int, seed: UInt64) -> UInt32 {
    finish(begin(bytes, hole, seed), bytes, from: (hole & ~7) &+ 8)
  }

  /// Mixes in all words up to and including the one with the hole.
  @inline(__always)
  private static func begin(_ bytes: PageBytes, _ hole: Int, _ seed: UInt64) -> UInt64 {
    var state = mix(seed, UInt64(bytes.count))
    let end = bytes.count & ~7
    let holeWord = min(hole & ~7, end)
    let keep: UInt64 = hole & 4 == 0 ? 0xFFFF_FFFF_0000_0000 : 0x0000_0000_FFFF_FFFF
    state = mix(state, bytes, 0, holeWord)
    if holeWord < end { state = mix(state, word(bytes, holeWord) & keep) }
    return state
  }

  /// Mixes in the words from an offset to the end. Bytes after the last whole word count as a word
  /// padded with zeros.
  @inline(__always)
  private static func finish(_ state: UInt64, _ bytes: PageBytes, from start: Int) -> UInt32 {
    let end = bytes.count & ~7
    var state = mix(state, bytes, start, end)
    if end < bytes.count { state = mix(state, lastWord(bytes, end)) }
    state = mix(state, 0)
    return UInt32(truncatingIfNeeded: state ^ (state >> 32))
  }

  @inline(__always)
  private static func word(_ bytes: PageBytes, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.load(UInt64.self, at: offset))
  }
}

// MARK: - Several at once

extension Checksum {
  /// A record and the seed of its checksum.
  package struct Input {
    let bytes: PageBytes
    let seed: UInt64

    package init(_ bytes: PageBytes, seed: UInt64) {
      (self.bytes, self.seed) = (bytes, seed)
    }
  }

  /// Returns the checksums of four records, each equal to that of ``record(_:hole:seed:)``.
  ///
  /// Within one record each multiplication waits for the previous one. Interleaving four records
  /// keeps the processor busy meanwhile.
  package static func records(
    _ a: Input, _ b: Input, _ c: Input, _ d: Input, hole: Int
  ) -> (UInt32, UInt32, UInt32, UInt32) {
    var (first, second) = (begin(a.bytes, hole, a.seed), begin(b.bytes, hole, b.seed))
    var (third, fourth) = (begin(c.bytes, hole, c.seed), begin(d.bytes, hole, d.seed))
    let end = min(a.bytes.count, b.bytes.count, c.bytes.count, d.bytes.count) & ~7
    var offset = (hole & ~7) &+ 8
    while offset < end {
      first = mix(first, word(a.bytes, offset))
      second = mix(second, word(b.bytes, offset))
      third = mix(third, word(c.bytes, offset))
      fourth = mix(fourth, word(d.bytes, offset))
      offset &+= 8
    }
    return (
      finish(first, a.bytes, from: offset), finish(second, b.bytes, from: offset),
      finish(third, c.bytes, from: offset), finish(fourth, d.bytes, from: offset)
    )
  }
}
