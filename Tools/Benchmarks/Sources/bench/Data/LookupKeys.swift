/// The primary keys to look up: random order, always the same.
struct LookupKeys {
  private var random = SplitMix64(seed: 42)
  private let count: Int

  init(count: Int) { self.count = count }

  mutating func next() -> Int { Int(random.next() % UInt64(count)) }

  /// The emails of persons in that order.
  static func emails(_ lookups: Int, among count: Int) -> [String] {
    var keys = LookupKeys(count: count)
    return (0..<lookups).map { _ in PersonGenerator.email(of: keys.next()) }
  }
}
