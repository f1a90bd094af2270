import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Texts longer than a key can be are found, and sorted, by all of them.
struct LongTextIndexTests {
  /// Texts around the limit of a key, many of which have the same beginning.
  private static let texts: [String] = {
    var generator = SeededGenerator(seed: 7)
    var texts: [String] = []
    for length in [397, 398, 399, 400, 401, 402, 700, 2_000] {
      let start = String(repeating: "x", count: length)
      texts += [start, start + "b", start + "a", start + "\u{0}", start + "\u{0}a", start + "é"]
    }
    return texts.shuffled(using: &generator)
  }()

  private func shop() throws -> QueryShop {
    try QueryShop(3 * Self.texts.count) { number in
      ["name": .string(Self.texts[number % Self.texts.count])]
    }
  }

  private func plain(_ isIncluded: (String) -> Bool) -> [Int] {
    (0..<3 * Self.texts.count).filter { isIncluded(Self.texts[$0 % Self.texts.count]) }
  }

  private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  @Test(.takesLong) func `long texts are found by comparisons of every kind`() throws {
    let shop = try shop()
    for text in Self.texts {
      func found(_ comparison: QueryComparison) throws -> [Int] {
        try shop.numbers(.filter(.test("name", comparison, .string(text))))
      }
      #expect(try found(.equal) == plain { $0 == text })
      #expect(try found(.less) == plain { precedes($0, text) })
      #expect(try found(.lessOrEqual) == plain { !precedes(text, $0) })
      #expect(try found(.greater) == plain { precedes(text, $0) })
      #expect(try found(.greaterOrEqual) == plain { !precedes($0, text) })
      #expect(try found(.beginsWith) == plain { $0.utf8.starts(with: text.utf8) })
    }
  }

  @Test func `an index finds a long text, and the record says that it is it`() throws {
    let shop = try shop()
    let text = try #require(Self.texts.first { $0.utf8.count > 1_000 })
    let explanation = try shop.query(.filter(.test("name", .equal, .string(text)))).explanation()
    #expect(explanation.indexEntriesRead == 3)
    #expect(explanation.recordsRead == 3)
    #expect(explanation.resultCount == 3)
  }

  @Test(arguments: [true, false])
  func `an index gives the order of long texts`(isAscending: Bool) throws {
    let shop = try shop()
    let expected = plain { _ in true }.sorted { left, right in
      let (first, second) = (
        Self.texts[left % Self.texts.count], Self.texts[right % Self.texts.count]
      )
      if first == second { return left < right }
      return isAscending ? precedes(first, second) : precedes(second, first)
    }
    let stage = QueryStage.sort("name", ascending: isAscending)
    #expect(try shop.numbers(stage) == expected)
    #expect(try shop.numbers(stage, of: "Plain") == expected)
    let explanation = try shop.query(stage).explanation()
    #expect(explanation.indexEntriesRead == expected.count)
    for limit in [1, 5, 17, 80] {
      #expect(try shop.numbers(stage, .limit(limit)) == Array(expected.prefix(limit)))
      #expect(try shop.numbers(stage, .limit(limit), of: "Plain") == Array(expected.prefix(limit)))
    }
    let least = try shop.query([]).aggregate(
      isAscending ? .minimum : .maximum, QueryPath("name"))
    #expect(least == .string(Self.texts[expected[0] % Self.texts.count]))
  }
}
