/// Counts how many different values there are, in bounded memory.
///
/// It keeps the smallest hashes. As long as there are few, these are all, and the count is exact;
/// then the largest of them says how close together all hashes are. With 65,536 hashes that is wrong
/// by 0.4 % as a rule.
struct DistinctCount {
  private var hashes: Set<UInt64> = []
  /// Hashes above are not kept any more.
  private var bound = UInt64.max

  /// How many hashes are kept.
  static let limit = 1 << 16

  /// Takes the hash of a value.
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

  /// How many different values there were.
  var count: Int {
    if isExact { return hashes.count }
    // All kept ones but those that came after the last cut lie up to the bound.
    let share = Double(bound) / Double(UInt64.max)
    return Int((Double(hashes.count - 1) / share).rounded())
  }
}
