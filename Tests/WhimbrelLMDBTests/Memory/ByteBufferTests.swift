import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct ByteBufferTests {
  @Test(arguments: [0, 9, 10, -1, -10, 1_234_567_890, .max, .min] as [Int64])
  func `numbers are written as text`(number: Int64) {
    var buffer = ByteBuffer(capacity: 16)
    buffer.append(decimal: number)
    #expect(buffer.bytes.text == String(number))
  }

  @Test(arguments: 0..<TestRun.count(20, long: 300) as Range<UInt64>)
  func `a buffer holds what an array would`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = ByteBuffer(capacity: random.number(0..<40))
    var oracle: [UInt8] = []
    for _ in 0..<200 {
      let bytes = random.bytes(random.number(0..<60))
      switch random.number(0..<11) {
      case 0:
        buffer.append(bytes)
        oracle += bytes
      case 1:
        unsafe Data(bytes).withUnsafeBytes { unsafe buffer.append(PageBytes($0)) }
        oracle += bytes
      case 2:
        PageBytes.with(bytes) { buffer.append($0) }
        oracle += bytes
      case 3:
        let text = String(decoding: bytes, as: UTF8.self)
        PageBytes.with(text) { buffer.append($0) }
        oracle += Array(text.utf8)
      case 4:
        buffer.padToMultipleOf8()
        while oracle.count % 8 != 0 { oracle.append(0) }
      case 5 where oracle.count >= 8:
        let offset = random.number(0..<oracle.count - 7)
        let number = random.next()
        buffer.store(number.littleEndian, at: offset)
        for byte in 0..<8 {
          oracle[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
        }
      case 6 where !oracle.isEmpty:
        let (bit, isSet) = (random.number(0..<oracle.count * 8), random.chance(50))
        buffer.setBit(bit, isSet, from: 0)
        if isSet {
          oracle[bit / 8] |= 1 << UInt8(bit % 8)
        } else {
          oracle[bit / 8] &= ~(1 << UInt8(bit % 8))
        }
      case 9:
        let number = Int64(truncatingIfNeeded: random.next()) >> Int64(random.number(0..<64))
        buffer.append(decimal: number)
        oracle += Array(String(number).utf8)
      case 10 where oracle.count >= 60 && !bytes.isEmpty:
        let start = random.number(0..<bytes.count)
        let offset = random.number(0..<oracle.count - bytes.count + 1)
        let count = bytes.count - start
        PageBytes.with(bytes) {
          buffer.overwrite(at: offset, from: $0, at: start, count: count)
        }
        oracle.replaceSubrange(offset..<offset + count, with: bytes[start...])
      case 7 where random.chance(10):
        buffer.reset(zeros: bytes.count)
        oracle = [UInt8](repeating: 0, count: bytes.count)
      case 8 where random.chance(10):
        PageBytes.with(bytes) { buffer.reset(copying: $0) }
        oracle = bytes
      default:
        buffer.appendZeros(bytes.count)
        oracle += [UInt8](repeating: 0, count: bytes.count)
      }
      #expect(buffer.count == oracle.count)
      #expect(buffer.bytes.isEqual(to: oracle))
    }
    #expect(buffer.bytes.array == oracle, "seed \(seed)")
  }

  @Test func `a buffer made of an array is a copy of it`() {
    #expect(ByteBuffer([]).bytes.array.isEmpty)
    #expect(ByteBuffer([1, 2, 3]).bytes.array == [1, 2, 3])
  }

  // A handle of an object reads the record in the buffer, also after it was padded and written. The
  // padding of a full buffer moved the bytes.
  @Test(arguments: [16, 17, 250, 1_024])
  func `padding leaves bytes in place`(capacity: Int) {
    for length in 0..<3_000 {
      var buffer = ByteBuffer(capacity: capacity)
      buffer.appendZeros(length)
      let start = unsafe buffer.base
      buffer.padToMultipleOf8()
      let isInPlace = unsafe buffer.base == start
      #expect(isInPlace, "\(length) bytes")
    }
  }
}
