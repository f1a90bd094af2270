internal import WhimbrelLMDB

/// How many entries an index has, and a sum of their hashes: two indexes with the same tally
/// have the same entries, whatever the order in which they were met.
///
/// The sum has 64 bits: damage that keeps it is not to be expected. It guards against faults, not
/// against who wants to deceive.
struct IndexTally: Hashable, Sendable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  /// Counts an entry.
  mutating func add(_ key: PageBytes, _ content: PageBytes) {
    count += 1
    let hash = Checksum.hash64(key, seed: 1)
    // Most entries are keys alone.
    sum &+= content.count == 0 ? hash : Checksum.hash64(content, seed: hash)
  }

  mutating func append(_ other: Self) {
    count += other.count
    sum &+= other.sum
  }
}

/// The number of entries of an index, their sum, and whether values repeat.
struct IndexContent: Sendable {
  private(set) var tally = IndexTally()
  /// Whether entries of several objects have the same values.
  private(set) var repeatsValues = false

  /// Nothing.
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
