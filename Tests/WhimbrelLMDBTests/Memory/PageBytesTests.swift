import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct PageBytesTests {
  @Test func `numbers are read at any offset`() {
    let bytes = (0..<32).map(UInt8.init)
    PageBytes.with(bytes) { page in
      for offset in 0...24 {
        let expected = bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) {
          $0 << 8 | UInt64($1)
        }
        #expect(UInt64(littleEndian: page.load(UInt64.self, at: offset)) == expected)
        #expect(page.loadBigEndian(at: offset) == expected.byteSwapped)
      }
    }
  }

  @Test(
    arguments: [0, 1, 9, 10, 11, Int.max, -1, Int.min], [0, 1, 9, 10, 11, Int.max, -1, Int.min])
  func `a slice lies inside or is nil`(offset: Int, count: Int) {
    let bytes = (0..<10).map(UInt8.init)
    PageBytes.with(bytes) { page in
      let fits = offset >= 0 && count >= 0 && offset <= 10 && count <= 10 && offset + count <= 10
      let slice = page.slice(at: offset, count: count)
      #expect((slice != nil) == fits)
      #expect(page.contains(offset: offset, count: count) == fits)
      if fits { #expect(slice?.array == Array(bytes[offset..<offset + count])) }
    }
  }

  @Test func `bits are counted from the lowest of byte 8`() {
    for bit in 0..<64 {
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes[8 + bit / 8] = 1 << UInt8(bit % 8)
      PageBytes.with(bytes) { page in
        for other in 0..<64 { #expect(page.hasBit(other) == (other == bit)) }
      }
    }
  }

  @Test func `text that is not UTF-8 is mended`() {
    PageBytes.with([0x61, 0xFF, 0x62]) { #expect($0.text == "a\u{FFFD}b") }
    PageBytes.with([]) { page in
      #expect(page.text == "" && page.data.isEmpty && page.array.isEmpty)
      #expect(page.isEqual(to: []) && page.hasPrefix([]) && !page.hasPrefix([1]))
    }
  }

  @Test func `equality and prefixes are byte by byte`() {
    PageBytes.with([1, 2, 3]) { page in
      #expect(
        page.isEqual(to: [1, 2, 3]) && !page.isEqual(to: [1, 2]) && !page.isEqual(to: [1, 2, 4]))
      #expect(page.hasPrefix([1, 2]) && !page.hasPrefix([2]) && !page.hasPrefix([1, 2, 3, 4]))
      PageBytes.with([1, 2, 3]) { #expect(page.isEqual(to: $0)) }
      PageBytes.with([1, 2]) { #expect(!page.isEqual(to: $0)) }
    }
  }
}
