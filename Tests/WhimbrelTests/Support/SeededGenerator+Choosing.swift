import Foundation
import WhimbrelTesting

extension SeededGenerator {
  /// Whether something happens that happens so often in a hundred times.
  mutating func happens(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}
