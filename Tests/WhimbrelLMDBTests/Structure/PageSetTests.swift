import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct PageSetTests {
  @Test func `a group of pages is added as its pages are, and the last known one is returned`()
    throws
  {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let capacity = UInt64.random(in: 3..<300, using: &random)
      let (grouped, single) = try (
        FileStructure.PageSet(capacity: capacity), FileStructure.PageSet(capacity: capacity)
      )
      for _ in 0..<20 {
        let first = UInt64.random(in: 0..<capacity, using: &random)
        var group = FileStructure.PageSet.Group(first)
        var pages: Set<UInt64> = [first]
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let next = UInt64.random(in: 0..<capacity, using: &random)
          if group.append(next) { pages.insert(next) }
        }
        let known = pages.filter(single.contains)
        for page in pages { #expect(single.insert(page) == !known.contains(page)) }
        #expect(grouped.insert(group) == known.max())
      }
      for page in 0..<capacity { #expect(grouped.contains(page) == single.contains(page)) }
    }
  }

  @Test func `pages of different words do not belong to one group`() {
    var group = FileStructure.PageSet.Group(63)
    let (sameWord, nextWord) = (group.append(0), group.append(64))
    #expect(sameWord)
    #expect(!nextWord)
  }
}
