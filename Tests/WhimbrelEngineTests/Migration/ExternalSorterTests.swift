import Foundation
import Testing
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

struct ExternalSorterTests {
  @Test(arguments: [1_000, 1 << 20], 1...10 as ClosedRange<UInt64>)
  func `strings come out in the order of their bytes`(memory: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var strings: [[UInt8]] = []
    var sorter = ExternalSorter(memory: memory)
    let path = FileManager.default.temporaryDirectory.appending(path: "sorter").path
    for _ in 0..<500 {
      // Many of them agree in their first eight bytes, or are shorter.
      let string = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        UInt8([0, 0, 0, 1, 255].randomElement(using: &random) ?? 0)
      }
      strings.append(string)
      try sorter.add(string, spillingBeside: path)
    }
    #expect(sorter.count == strings.count)
    var sorted: [[UInt8]] = []
    try sorter.drain(spillingBeside: path) { sorted.append($0.array) }
    #expect(sorted == strings.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(sorter.count == 0)
  }
}
