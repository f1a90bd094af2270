internal import WhimbrelEngine

/// A finder of the most frequent values, in bounded memory.
///
/// The first pass uses the algorithm of Misra and Gries: a value that finds all counters taken
/// decrements every counter. It keeps all values that make up more than 1 in 1,024. The second pass
/// counts these exactly. It is not needed if there are at most 1,024 distinct values.
struct FrequentValues {
  private var counts: [UInt64: (value: PropertyValue, count: Int)] = [:]
  /// Whether the first pass dropped values, so that its counts are too low.
  private(set) var needsSecondPass = false
  private var isCounting = false

  /// The number of counters.
  static let limit = 1_024

  /// Adds a value in the first pass.
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

  /// Resets the counts for the second pass.
  mutating func beginSecondPass() {
    guard needsSecondPass else { return }
    isCounting = true
    counts = counts.mapValues { ($0.value, 0) }
  }

  /// Adds a value in the second pass.
  mutating func count(hash: UInt64) {
    if isCounting, counts[hash] != nil { counts[hash]?.count += 1 }
  }

  /// Returns the most frequent values, in descending order of frequency.
  ///
  /// Values that occur once are left out, unless the result lists all values. If values were
  /// dropped, the result has only values above 1 in 1,024: a dropped value may be as frequent as
  /// the others.
  ///
  /// - Parameters:
  ///   - number: The limit of values.
  ///   - total: The number of all values.
  func top(_ number: Int, of total: Int) -> [(value: PropertyValue, count: Int)] {
    let sorted = counts.sorted {
      $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key
    }.map(\.value)
    let isPlain = !needsSecondPass && sorted.count <= number
    let least = isPlain ? 1 : needsSecondPass ? max(total / Self.limit + 1, 2) : 2
    return Array(sorted.prefix(number).filter { $0.count >= least })
  }

  /// Returns a value without its excessive length.
  private static func shortened(_ value: PropertyValue) -> PropertyValue {
    guard case .string(let text) = value, text.utf8.count > 200 else { return value }
    return .string(text.prefix(100) + "…")
  }
}
