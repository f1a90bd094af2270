import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Keys of several values.
struct CompositeKeyTests {
  @Test(arguments: 1...8)
  func `the longest key fits into LMDB`(count: Int) {
    let limit = KeyEncoding.textLimit(parts: count)
    let long = PropertyValue.string(String(repeating: "\u{0}", count: 1_000))
    var key: [UInt8] = []
    for _ in 0..<count { KeyEncoding.append(part: long, textLimit: limit, to: &key) }
    KeyEncoding.append(ObjectID(rawValue: .max), to: &key)
    #expect(key.count <= 511)
    var numbers: [UInt8] = []
    for _ in 0..<count {
      KeyEncoding.append(part: .decimal(1), textLimit: limit, to: &numbers)
    }
    #expect(numbers.count + 8 <= 511)
    #expect(limit >= 50)
  }

  @Test func `one value has the key that it has in an index of its own`() {
    var generator = SeededGenerator(seed: 7)
    for type in PropertyType.scalars where type.canBeIndexed {
      for _ in 0..<50 {
        let value = RandomValues.value(type, using: &generator)
        var part: [UInt8] = []
        KeyEncoding.append(
          part: value, textLimit: KeyEncoding.textLimit(parts: 1), to: &part)
        var key: [UInt8] = []
        KeyEncoding.append(value, isOptional: true, to: &key)
        #expect(part == key)
        let found = PageBytes.with(part + [1, 2, 3]) {
          KeyEncoding.part(of: type, at: 0, in: $0).map { ($0.length, $0.isTruncated) }
        }
        #expect(found?.0 == part.count)
        #expect(found?.1 == KeyEncoding.isTruncated(value))
      }
    }
  }

  @Test func `what is no key has no parts`() {
    for bytes: [UInt8] in [[], [1], [1, 0x61], [1, 0x61, 0], [1, 0, 0xFF, 0x61]] {
      let part = PageBytes.with(bytes) { KeyEncoding.part(of: .string, at: 0, in: $0) == nil }
      #expect(part)
    }
    let isNone = PageBytes.with([1, 2, 3]) { KeyEncoding.part(of: .int, at: 0, in: $0) == nil }
    #expect(isNone)
  }
}
