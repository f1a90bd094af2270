import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

@Suite struct PropertyPositionsTests {
  @Test func `each name has its position, also if others look like it`() {
    var random = SeededGenerator(seed: 5)
    for count in [0, 1, 5, 60, 300] {
      // Many have the same length, first byte and last byte.
      var names: [String] = []
      while names.count < count {
        let name = "a\(Int.random(in: 0..<900, using: &random))e"
        if !names.contains(name) { names.append(name) }
      }
      let positions = PropertyPositions(names)
      for (position, name) in names.enumerated() { #expect(positions[name] == position) }
      #expect(positions["a900e"] == nil && positions[""] == nil && positions["é"] == nil)
    }
  }

  @Test func `a name is found in each of its forms`() {
    let positions = PropertyPositions(["e", "caf\u{E9}", ""])
    #expect(positions["cafe\u{301}"] == 1 && positions["caf\u{E9}"] == 1)
    #expect(positions["e"] == 0 && positions[""] == 2 && positions["cafe"] == nil)
  }
}
