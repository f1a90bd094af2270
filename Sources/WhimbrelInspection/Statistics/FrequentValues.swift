internal import WhimbrelEngine

/// Finds the values that occur most often, in bounded memory.
///
/// A first pass finds all values that occur more often than once in 1,024 (by Misra and Gries:
/// values that are one too many take one from each). A second pass counts those; it is not needed
/// where there are no more than 1,024 different values.
struct FrequentValues {
  private var counts: [UInt64: (value: PropertyValue, count: Int)] = [:]
  /// Whether the counts are only those of values that are frequent.
  private(set) var needsSecondPass = false
  private var isCounting = false

  /// How many values are kept.
  static let limit = 1_024

  /// Takes a value in the first pass.
  mutating func add(_ value: @autoclosure () -> PropertyValue, hash: UInt64) {
    if counts[hash] != nil {
      counts[hash]?.count += 1
    } else if counts.count < Self.limit {
      counts[hash] = (Self.shortened(value()), 1)
    } else {
      needsSecondPass = true
      counts = counts.compactMapValues { $0.count > 1 ? ($0.value, $0.count - 1) : nil }
    }
  }

  /// Begins to count anew, in a second pass.
  mutating func beginSecondPass() {
    guard needsSecondPass else { return }
    isCounting = true
    counts = counts.mapValues { ($0.value, 0) }
  }

  /// Takes a value in the second pass.
  mutating func count(hash: UInt64) {
    if isCounting, counts[hash] != nil { counts[hash]?.count += 1 }
  }

  /// The most frequent values, those first that occur most often; none where each occurs once and
  /// there are more, and no one that others might be as frequent as.
  ///
  /// - Parameter total: how many values there were.
  func top(_ number: Int, of total: Int) -> [(value: PropertyValue, count: Int)] {
    let sorted = counts.sorted {
      $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key
    }.map(\.value)
    let isPlain = !needsSecondPass && sorted.count <= number
    let least = isPlain ? 1 : needsSecondPass ? max(total / Self.limit + 1, 2) : 2
    return Array(sorted.prefix(number).filter { $0.count >= least })
  }

  /// A value that does not take much memory.
  private static func shortened(_ value: PropertyValue) -> PropertyValue {
    guard case .string(let text) = value, text.utf8.count > 200 else { return value }
    return .string(text.prefix(100) + "…")
  }
}
