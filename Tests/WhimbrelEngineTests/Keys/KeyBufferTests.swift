import Testing
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

struct KeyBufferTests {
  @Test func `a key buffer holds what an array would`() {
    var generator = SeededGenerator(seed: 5)
    let buffer = KeyBuffer()
    var array: [UInt8] = []
    for _ in 0..<300 {
      if Int.random(in: 0..<40, using: &generator) == 0 {
        buffer.removeAll()
        array = []
      }
      let part = (0..<Int.random(in: 0..<300, using: &generator)).map {
        UInt8(truncatingIfNeeded: $0)
      }
      buffer.append(7)
      array.append(7)
      PageBytes.with(part) { buffer.append($0) }
      array += part
      #expect(buffer.count == array.count)
      #expect(buffer.bytes.isEqual(to: array))
    }
  }
}
