import Testing
import Whimbrel
import WhimbrelTesting

/// Random changes of lists, against arrays.
@Suite struct RandomListTests {
  @Test(arguments: 0..<10) func `lists are what arrays are`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try CollectionStore()
    let (ints, parts) = (test.holder.ints, test.holder.parts)
    var (expectedInts, expectedParts): ([Int], [String]) = ([], [])
    for _ in 0..<30 {
      var (newInts, newParts) = (expectedInts, expectedParts)
      let isRolledBack = random.happens(percent: 20)
      do {
        try test.store.write {
          for _ in 0..<random.number(1..<20) {
            change(&newInts, ints, &random, { $0 }, name: { $0 })
            change(&newParts, parts, &random, { Part(name: "\($0)") }, name: { "\($0)" })
          }
          #expect(Array(ints) == newInts && parts.map(\.name) == newParts, "seed \(seed)")
          if isRolledBack { throw RollBack() }
        }
        (expectedInts, expectedParts) = (newInts, newParts)
      } catch is RollBack {}
      #expect(Array(ints) == expectedInts, "seed \(seed)")
      #expect(parts.map(\.name) == expectedParts, "seed \(seed)")
      #expect(ints.indices.allSatisfy { ints[$0] == expectedInts[$0] }, "seed \(seed)")
      #expect(test.store.objects(Part.self).count == expectedParts.count, "seed \(seed)")
    }
    try test.place.expectWhole()
  }

  /// Does one thing to a list and to an array of what its elements are named.
  private func change<Element: CollectionElement, Name>(
    _ expected: inout [Name], _ list: StoredList<Element>, _ random: inout SeededGenerator,
    _ make: (Int) -> Element, name: (Int) -> Name
  ) {
    let count = expected.count
    let number = random.number(0..<1_000)
    let position = random.number(0..<count + 1)
    let (first, second) = (random.number(0..<max(count, 1)), random.number(0..<max(count, 1)))
    let end = min(count, position + random.number(0..<30))
    switch random.number(0..<10) {
    case 0, 1:
      let more = Array(0..<random.number(0..<60))
      list.append(objectsIn: more.map(make))
      expected += more.map(name)
    case 2, 3:
      list.insert(make(number), at: position)
      expected.insert(name(number), at: position)
    case 4 where count > 0:
      list.remove(at: first)
      expected.remove(at: first)
    case 5:
      list.replaceSubrange(position..<end, with: [make(number), make(number + 1)])
      expected.replaceSubrange(position..<end, with: [name(number), name(number + 1)])
    case 6 where count > 0:
      list.swapAt(first, second)
      expected.swapAt(first, second)
    case 7 where count > 0:
      list.move(from: first, to: second)
      expected.insert(expected.remove(at: first), at: second)
    case 8 where count > 0:
      list[first] = make(number)
      expected[first] = name(number)
    case 9:
      list.removeSubrange(position..<end)
      expected.removeSubrange(position..<end)
    default:
      list.reverse()
      expected.reverse()
    }
  }
}
