/// The checksums of the file format.
///
/// The words of the input, 64 bits little-endian, are mixed one after the other
/// into a state by exclusive or, a multiplication by an odd number and a shift,
/// each of which can be undone: two inputs that differ in one word never give
/// the same 64 bits.
package enum Checksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return product ^ (product >> 29)
  }

  /// Mixes in the words from one offset to another.
  @inline(__always)
  private static func mix(
    _ state: UInt64, _ bytes: PageBytes, _ start: Int, _ end: Int
  ) -> UInt64 {
    var (state, offset) = (state, start)
    while offset < end {
      state = mix(state, UInt64(littleEndian: bytes.load(UInt64.self, at: offset)))
      offset &+= 8
    }
    return state
  }

  /// The checksum of 64 bits; bytes after the last whole word count as a word
  /// filled up with zeros, and the length counts too.
  package static func hash64(_ bytes: PageBytes, seed: UInt64 = 0) -> UInt64 {
    var state = mix(seed, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mix(state, UInt64(littleEndian: bytes.load(UInt64.self, at: offset)))
      offset += 8
    }
    if offset < bytes.count {
      var last: UInt64 = 0
      for position in offset..<bytes.count {
        last |= UInt64(bytes.load(UInt8.self, at: position)) << UInt64(8 * (position - offset))
      }
      state = mix(state, last)
    }
    return mix(state, 0)
  }

  /// The checksum of a record: 32 bits over the bytes, without the four that
  /// hold the checksum itself.
  ///
  /// - Parameter hole: the offset of the checksum, a multiple of four.
  package static func record(_ bytes: PageBytes, hole: Int, seed: UInt64) -> UInt32 {
    var state = mix(seed, UInt64(bytes.count))
    let end = bytes.count & ~7
    let holeWord = min(hole & ~7, end)
    let keep: UInt64 = hole & 4 == 0 ? 0xFFFF_FFFF_0000_0000 : 0x0000_0000_FFFF_FFFF
    state = mix(state, bytes, 0, holeWord)
    if holeWord < end {
      state = mix(state, UInt64(littleEndian: bytes.load(UInt64.self, at: holeWord)) & keep)
      state = mix(state, bytes, holeWord + 8, end)
    }
    state = mix(state, 0)
    return UInt32(truncatingIfNeeded: state ^ (state >> 32))
  }
}
