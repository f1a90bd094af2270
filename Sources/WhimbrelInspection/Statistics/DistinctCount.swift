/// An estimator of the number of distinct values, in bounded memory.
///
/// It keeps the smallest hashes of the values. While these are all hashes, the count is exact: up to
/// 131,071 values. After that the greatest kept hash shows how dense the hashes are. At least 65,536
/// are kept, so the standard error is at most 0.4 %.
struct DistinctCount {
  private var hashes: Set<UInt64> = []
  /// The limit of the kept hashes. Greater hashes are ignored.
  private var bound = UInt64.max

  /// The number of hashes that remain after a cut. Twice as many cause the next cut.
  static let limit = 1 << 16

  mutating func add(_ hash: UInt64) {
    guard hash <= bound, hashes.insert(hash).inserted, hashes.count >= 2 * Self.limit else {
      return
    }
    let sorted = hashes.sorted()
    bound = sorted[Self.limit - 1]
    hashes = Set(sorted[..<Self.limit])
  }

  /// Whether all hashes are kept.
  var isExact: Bool { bound == .max }

  /// The number of distinct values.
  var count: Int {
    if isExact { return hashes.count }
    // The set holds all hashes up to the bound, which covers this share of the range of hashes.
    let share = Double(bound) / Double(UInt64.max)
    return Int((Double(hashes.count - 1) / share).rounded())
  }
}
