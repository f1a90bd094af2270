internal import Foundation
internal import WhimbrelEngine

/// A histogram of numbers with bars of equal width.
struct Histogram {
  let minimum: Double
  let maximum: Double
  private(set) var counts: [Int]
  /// The number of infinities and NaNs.
  private(set) var others = 0

  static let size = 10

  init(_ minimum: Double, _ maximum: Double) {
    self.minimum = minimum
    self.maximum = maximum
    counts = [Int](repeating: 0, count: minimum < maximum ? Self.size : 1)
  }

  mutating func add(_ number: Double) {
    guard number.isFinite, number >= minimum, number <= maximum else {
      others += 1
      return
    }
    // Only numbers whose difference overflows are halved: half of the least number is 0.
    let width = maximum - minimum
    let share =
      width.isFinite
      ? (number - minimum) / width
      : (number / 2 - minimum / 2) / (maximum / 2 - minimum / 2)
    counts[counts.count == 1 ? 0 : min(Int(share * Double(Self.size)), Self.size - 1)] += 1
  }

  /// Returns the lower bound of a bar. After the last bar, returns the maximum.
  func start(_ index: Int) -> Double {
    if index == counts.count { return maximum }
    let share = Double(index) / Double(counts.count)
    return minimum * (1 - share) + maximum * share
  }

  /// Returns the counts as a row of bars in text.
  static func bars(_ counts: [Int]) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    let most = counts.max() ?? 0
    return String(
      counts.map { count in
        count == 0 ? "·" : bars[min(count * bars.count / max(most, 1), bars.count - 1)]
      })
  }
}

extension PropertyValue {
  /// The number for a histogram, or nil for a value that is neither a number nor a date.
  var measure: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  /// A hash for counting values. Collisions of different values are negligibly rare.
  var statisticalHash: UInt64 {
    func hash(_ kind: UInt64, _ word: UInt64) -> UInt64 {
      var hash = SipHash(SipHash.Key(kind, 0))
      hash.append(word)
      return hash.result()
    }
    switch self {
    case .bool(let bool): return hash(1, bool ? 1 : 0)
    case .int(let number): return hash(2, UInt64(bitPattern: number))
    case .float(let number): return hash(3, UInt64(number.bitPattern))
    case .double(let number): return hash(4, number.bitPattern)
    case .date(let date): return hash(5, date.timeIntervalSinceReferenceDate.bitPattern)
    case .link(let id): return hash(6, id.rawValue)
    case .string(let text): return SipHash.hash(text.utf8, SipHash.Key(7, 0))
    case .data(let data): return SipHash.hash(data, SipHash.Key(8, 0))
    case .object(let reference):
      return hash(9 + UInt64(reference.classID.rawValue) << 8, reference.id.rawValue)
    default: return SipHash.hash(Array(kind.utf8) + Array(json), SipHash.Key(10, 0))
    }
  }
}
