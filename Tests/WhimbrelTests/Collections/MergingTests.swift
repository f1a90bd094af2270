import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Many elements of a set or a map that come at once are merged with those that are there.
@Suite struct MergingTests {
  /// Texts of all lengths; long ones are stored outside of the elements.
  private func text(_ number: Int) -> String {
    number.isMultiple(of: 7) ? "\(number)" + String(repeating: "é", count: 700) : "\(number)"
  }

  @Test(arguments: UInt64(1)...TestRun.count(4, long: 60))
  func `sets and maps hold what Swift's hold`(seed: UInt64) throws {
    var random = WhimbrelTesting.SeededGenerator(seed: seed)
    let test = try CollectionStore()
    let sets = test.sets
    var (ints, texts): (Set<Int>, Set<String>) = ([], [])
    var names: [String: String] = [:]
    for _ in 0..<12 {
      let size = [1, 3, 40, 900].randomElement(using: &random) ?? 1
      let range = random.happens(percent: 50) ? 0..<2_000 : 0..<(1 << 40)
      let numbers = (0..<random.number(1..<size + 1)).map { _ in random.number(range) }
      let newTexts = numbers.map(text)
      let entries = numbers.map { ("key \($0 % 3_000)", text($0)) }
      try test.store.write {
        switch random.number(0..<5) {
        case 0:
          sets.ints = StoredSet(numbers)
          sets.texts = StoredSet(newTexts)
          sets.names = StoredMap(Dictionary(entries) { $1 })
          (ints, texts, names) = (Set(numbers), Set(newTexts), Dictionary(entries) { $1 })
        case 1:
          sets.ints.subtract(numbers)
          ints.subtract(numbers)
          for (key, _) in entries.prefix(50) {
            sets.names[key] = nil
            names[key] = nil
          }
        default:
          sets.ints.formUnion(numbers)
          sets.texts.formUnion(newTexts)
          sets.names.merge(entries) { $0.count < $1.count ? $0 + "+" : $1 }
          ints.formUnion(numbers)
          texts.formUnion(newTexts)
          names.merge(entries) { $0.count < $1.count ? $0 + "+" : $1 }
        }
      }
      #expect(Array(sets.ints) == ints.sorted(), "seed \(seed)")
      #expect(Set(sets.texts) == texts && sets.texts.count == texts.count, "seed \(seed)")
      #expect(sets.names.keys == names.keys.sorted(), "seed \(seed)")
      #expect(sets.names.allSatisfy { names[$0.key] == $0.value }, "seed \(seed)")
    }
    try test.place.expectWhole()
  }

  @Test func `links that are merged and replaced are known, and those of deleted objects go`()
    throws
  {
    let test = try CollectionStore()
    let sets = test.sets
    try test.store.write {
      let friends = (0..<1_500).map { Friend(name: "\($0)") }
      sets.friends.formUnion(friends)
      sets.friendsByName.merge(friends.map { ($0.name, $0) }) { $1 }
      // Half of the keys lead to other friends now.
      sets.friendsByName.merge(friends.prefix(750).map { ($0.name, friends[1_000]) }) { $1 }
      sets.friends.formUnion(friends)
      try test.store.delete(friends[1_000])
      try test.store.delete(friends[3])
    }
    #expect(sets.friends.count == 1_498)
    #expect(sets.friendsByName.count == 749)
    #expect(sets.friendsByName.allSatisfy { $0.key == $0.value.name })
    try test.place.expectWhole()
    try test.store.write {
      sets.friends.removeAll()
      sets.friendsByName.removeAll()
      try test.store.delete(test.store.objects(Friend.self))
    }
    try test.place.expectWhole()
  }

  @Test func `the last spelling of a key counts, and a key occurs once`() throws {
    let test = try CollectionStore()
    let numbers = test.sets.numbers
    try test.store.write {
      numbers.merge([("caf\u{E9}", 1), ("b", 2), ("cafe\u{301}", 3)]) { $0 + $1 }
    }
    #expect(numbers.count == 2 && numbers["caf\u{E9}"] == 4)
    let last = try #require(numbers.keys.last)
    #expect(last.unicodeScalars.elementsEqual("cafe\u{301}".unicodeScalars))
    try test.place.expectWhole()
  }

  #if os(Linux)
    /// Sets the peak of the memory of this process back to what it uses now.
    private static func resetPeakMemory() throws {
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    /// The highest number of bytes in memory since the peak was set back.
    private static func peakMemory() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber))) << 10
    }

    @Test(.takesLong) func `texts that are merged into a set do not read all its long texts`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        let test = try CollectionStore()
        let long = String(repeating: "x", count: 500_000)
        try test.store.write {
          for number in 0..<200 { test.sets.texts.insert("\(number) \(long)") }
        }
        try Self.resetPeakMemory()
        let before = try Self.peakMemory()
        try test.store.write { test.sets.texts.formUnion((0..<10).map { "new \($0)" }) }
        #expect(try Self.peakMemory() - before < 50_000_000)
        #expect(test.sets.texts.count == 210)
        let newTexts = test.sets.texts.filter { $0.hasPrefix("new") }
        #expect(newTexts == (0..<10).map { "new \($0)" })
        try test.place.expectWhole()
      }
    }
  #endif
}
