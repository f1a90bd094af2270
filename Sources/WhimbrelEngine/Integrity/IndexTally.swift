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

  /// Counts an entry without its checksum, which makes the tally unlike any other.
  mutating func addDamaged() {
    count += 1
    sum &+= 0x9E37_79B9_7F4A_7C15
  }

  mutating func append(_ other: Self) {
    count += other.count
    sum &+= other.sum
  }
}

extension IndexTally {
  /// Adds an entry as it is stored.
  fileprivate mutating func add(_ key: PageBytes, _ stored: PageBytes, of table: Table) {
    if let content = table.value(in: stored, of: key) { add(key, content) } else { addDamaged() }
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
    let cursor = try view.cursor(index.table.unchecked)
    var tally = IndexTally()
    var repeats = false
    if index.isUnique {
      var previous = PageBytes.empty
      try cursor.forEachEntry { key, stored in
        tally.add(key, stored, of: index.table)
        if key.count == previous.count, key.count > 8, !repeats {
          repeats = key.hasEqualStart(previous, count: key.count - 8)
        }
        previous = key
      }
    } else {
      try cursor.forEachEntry { tally.add($0, $1, of: index.table) }
    }
    (self.tally, repeatsValues) = (tally, repeats)
  }
}
