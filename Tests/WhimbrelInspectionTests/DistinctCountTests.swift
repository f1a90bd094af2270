import Testing

@testable import WhimbrelInspection

struct DistinctCountTests {
  /// Adds hashes that are spread over their range, each twice.
  private func count(of values: Int) -> DistinctCount {
    var counter = DistinctCount()
    for number in 1...UInt64(values) {
      let hash = number &* 0x9E37_79B9_7F4A_7C15
      counter.add(hash)
      counter.add(hash)
    }
    return counter
  }

  @Test func `the count is exact up to 131,071 values and an estimate from one more on`() {
    let most = count(of: 131_071)
    #expect(most.isExact && most.count == 131_071)
    let more = count(of: 131_072)
    #expect(!more.isExact && abs(more.count - 131_072) < 131_072 / 50)
  }
}
