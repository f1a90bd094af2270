import Testing
import WhimbrelInspection
import WhimbrelSampling

struct SymbolPermutationTests {
  /// All rows of symbols of alphabets.
  private func rows(_ sizes: [UInt32]) -> [[UInt32]] {
    sizes.reduce([[]]) { rows, size in rows.flatMap { row in (0..<size).map { row + [$0] } } }
  }

  @Test(arguments: [
    [2], [10], [26], [2, 2], [26, 26], [9, 10], [10, 9, 2], [2, 3, 4, 5], [2, 2, 2, 2, 2, 2, 2],
    [30, 40],
  ])
  func `every row becomes another, and no two the same`(sizes: [UInt32]) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let permutation = SymbolPermutation(SipHash.Key(seed, 0))
      var seen: Set<[UInt32]> = []
      for row in rows(sizes) {
        var replaced = row
        permutation.replace(&replaced, sizes: sizes, tweak: SipHash.Key(0, seed))
        #expect(replaced != row)
        #expect(zip(replaced, sizes).allSatisfy { $0 < $1 })
        seen.insert(replaced)
      }
      #expect(seen.count == sizes.reduce(1) { $0 * Int($1) })
    }
  }

  @Test func `each symbol of a row decides each symbol of what it becomes`() {
    let permutation = SymbolPermutation(SipHash.Key(1, 2))
    let sizes = [UInt32](repeating: 26, count: 8)
    func replaced(_ row: [UInt32]) -> [UInt32] {
      var row = row
      permutation.replace(&row, sizes: sizes, tweak: SipHash.Key(0, 0))
      return row
    }
    // Of 8 · 400 pairs of symbols about one in 26 is the same by chance.
    var same = 0
    for number in 0..<400 as Range<UInt32> {
      let row = (0..<8).map { (number * 7 + $0 * $0 * 3) % 26 as UInt32 }
      var other = row
      other[Int(number % 8)] = (row[Int(number % 8)] + 1) % 26
      same += zip(replaced(row), replaced(other)).count { $0 == $1 }
    }
    #expect((60...200).contains(same))
  }

  @Test func `another key or another tweak gives other rows`() {
    let sizes = [UInt32](repeating: 10, count: 6)
    var results: Set<[UInt32]> = []
    for (key, tweak) in [(1, 1), (1, 2), (2, 1)] as [(UInt64, UInt64)] {
      var row = [1, 2, 3, 4, 5, 6] as [UInt32]
      SymbolPermutation(SipHash.Key(key, 0)).replace(
        &row, sizes: sizes, tweak: SipHash.Key(tweak, 0))
      results.insert(row)
    }
    #expect(results.count == 3)
  }

  @Test func `an empty row stays`() {
    var row: [UInt32] = []
    SymbolPermutation(SipHash.Key(1, 2)).replace(&row, sizes: [], tweak: SipHash.Key(0, 0))
    #expect(row.isEmpty)
  }
}
