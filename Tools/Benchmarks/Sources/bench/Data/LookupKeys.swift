/// A generator of primary keys to look up, in a random order that is the same
/// in every run.
struct LookupKeys {
  private var random = SplitMix64(seed: 42)
  private let count: Int

  init(count: Int) { self.count = count }

  mutating func next() -> Int { Int(random.next() % UInt64(count)) }

  /// Returns the emails of the persons with these keys.
  static func emails(_ lookups: Int, among count: Int) -> [String] {
    var keys = LookupKeys(count: count)
    return (0..<lookups).map { _ in PersonGenerator.email(of: keys.next()) }
  }
}
