internal import WhimbrelLMDB

/// The number of entries in an index and the sum of their hashes. Two indexes with the same tally
/// have the same entries, in any order.
///
/// Damage is not expected to leave the 64-bit sum unchanged. The sum protects against faults, not
/// against deliberate forgery.
struct IndexTally: Hashable, Sendable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  mutating func add(_ key: PageBytes, _ content: PageBytes) {
    count += 1
    let hash = Checksum.hash64(key, seed: 1)
    // Most entries have only a key.
    sum &+= content.count == 0 ? hash : Checksum.hash64(content, seed: hash)
  }

  mutating func append(_ other: Self) {
    count += other.count
    sum &+= other.sum
  }
}

/// The entries of an index: their tally, and whether values repeat.
struct IndexContent: Sendable {
  private(set) var tally = IndexTally()
  /// Whether several objects have entries with the same values.
  private(set) var repeatsValues = false

  init() {}

  /// Reads all entries of an index.
  ///
  /// - Complexity: O(*n*).
  init(of index: TableIndex, in view: ReadView) throws {
    let cursor = try view.cursor(index.table)
    var tally = IndexTally()
    var repeats = false
    if index.isUnique {
      var previous = PageBytes.empty
      try cursor.forEachEntry { key, content in
        tally.add(key, content)
        if key.count == previous.count, key.count > 8, !repeats {
          repeats = key.hasEqualStart(previous, count: key.count - 8)
        }
        previous = key
      }
    } else {
      try cursor.forEachEntry { tally.add($0, $1) }
    }
    (self.tally, repeatsValues) = (tally, repeats)
  }
}
