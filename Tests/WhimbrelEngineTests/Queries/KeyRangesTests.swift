import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// Two long lists of values for one property were intersected by comparing each value of the one
/// with each of the other.
struct KeyRangesTests {
  private static func points(_ keys: [UInt8]) -> KeyRanges {
    KeyRanges(ranges: keys.map { KeyRange(of: [1, $0]) })
  }

  private static func range(_ lower: UInt8, _ upper: UInt8?) -> KeyRanges {
    KeyRanges(ranges: [KeyRange(lower: [1, lower], upper: upper.map { [1, $0] })])
  }

  @Test func `an intersection has the keys that are in both`() {
    let all = [
      KeyRanges.nothing, Self.points([3]), Self.points([1, 3, 4, 9]), Self.points([0, 4, 5, 255]),
      Self.range(3, 5), Self.range(4, nil), Self.range(0, 4),
      KeyRanges(ranges: Self.range(0, 2).ranges + Self.range(4, 9).ranges, isExact: false),
    ]
    for left in all {
      for right in all {
        let both = left.intersection(right)
        let ranges = left.ranges.flatMap { range in
          right.ranges.map { range.intersection($0) }.filter { !$0.isEmpty }
        }
        #expect(both.ranges == ranges, "\(left), \(right)")
        #expect(both.isExact == (left.isExact && right.isExact))
      }
    }
  }

  @Test(.mustEnd) func `two long lists of values are intersected`() {
    let count = UInt32(TestRun.isLong ? 100_000 : 10_000)
    let ranges = (0..<count).map { number in
      KeyRange(of: [1] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }
    let keys = KeyRanges(ranges: ranges)
    #expect(keys.intersection(keys).ranges == ranges)
  }
}
