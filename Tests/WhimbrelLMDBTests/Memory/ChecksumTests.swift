import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct ChecksumTests {
  private static func record(_ bytes: [UInt8], hole: Int = 4, seed: UInt64 = 7) -> UInt32 {
    PageBytes.with(bytes) { Checksum.record($0, hole: hole, seed: seed) }
  }

  @Test(arguments: [8, 16, 24, 64, 200, 1_024], [4, 0])
  func `a changed bit changes the sum, except in the hole`(size: Int, hole: Int) {
    var random = SeededGenerator(seed: UInt64(size))
    var bytes = random.bytes(size)
    let sum = Self.record(bytes, hole: hole)
    for bit in 0..<size * 8 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let isInHole = (hole..<hole + 4).contains(bit / 8)
      #expect((Self.record(bytes, hole: hole) == sum) == isInHole, "bit \(bit)")
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test func `another seed, length or order gives another sum`() {
    var random = SeededGenerator(seed: 1)
    let bytes = random.bytes(64)
    let sum = Self.record(bytes)
    #expect(Self.record(bytes, seed: 8) != sum)
    #expect(Self.record(bytes + [UInt8](repeating: 0, count: 8)) != sum)
    var swapped = bytes
    for offset in 0..<8 { swapped.swapAt(16 + offset, 24 + offset) }
    #expect(Self.record(swapped) != sum)
  }

  @Test func `the sums are those of the file format`() {
    #expect(
      Self.record((0..<24).map(UInt8.init), seed: 0) == Self.reference((0..<24).map(UInt8.init)))
    let hash = PageBytes.with(Array("Europe/Andorra".utf8)) { Checksum.hash64($0) }
    #expect(hash == PageBytes.with(Array("Europe/Andorra".utf8)) { Checksum.hash64($0, seed: 0) })
  }

  /// The checksum once more, as the format is described.
  private static func reference(_ bytes: [UInt8]) -> UInt32 {
    func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
      let product = (state ^ word).multipliedReportingOverflow(by: 0x9E37_79B9_7F4A_7C15)
      return product.partialValue ^ (product.partialValue >> 29)
    }
    var bytes = bytes
    bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    var state = mix(0, UInt64(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 8) {
      state = mix(state, bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    state = mix(state, 0)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }

  @Test(arguments: [0, 4, 84])
  func `the checksums of four records at once are those of each`(hole: Int) {
    var random = SeededGenerator(seed: UInt64(hole))
    for first in 0..<24 {
      // Some are as long as others, some too short for the hole.
      let sizes = [8 * first, 8 * (23 - first), 8 * (first / 2), first]
      let arrays = sizes.map { random.bytes($0) }
      let buffers = (0..<4).map { ByteBufferHolder(arrays[$0]) }
      let inputs = (0..<4).map { Checksum.Input(buffers[$0].bytes, seed: UInt64($0 + first)) }
      let sums = Checksum.records(inputs[0], inputs[1], inputs[2], inputs[3], hole: hole)
      let expected = (0..<4).map {
        Self.record(arrays[$0], hole: hole, seed: UInt64($0 + first))
      }
      #expect([sums.0, sums.1, sums.2, sums.3] == expected)
      withExtendedLifetime(buffers) {}
    }
  }

  /// Keeps bytes in their place.
  private final class ByteBufferHolder {
    private let buffer: ByteBuffer
    var bytes: PageBytes { buffer.bytes }
    init(_ array: [UInt8]) { buffer = ByteBuffer(array) }
  }

  @Test func `a hash takes in every byte, whatever the length`() {
    for size in 0..<40 {
      var random = SeededGenerator(seed: UInt64(size) + 100)
      var bytes = random.bytes(size)
      let hash = PageBytes.with(bytes) { Checksum.hash64($0) }
      for bit in 0..<size * 8 {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(PageBytes.with(bytes) { Checksum.hash64($0) } != hash)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      }
      #expect(PageBytes.with(bytes + [0]) { Checksum.hash64($0) } != hash)
    }
  }
}
