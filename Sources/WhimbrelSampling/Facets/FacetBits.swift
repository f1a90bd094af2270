/// A set of the facets of a class, by their numbers.
struct FacetBits: Hashable {
  private var words: [UInt64]

  /// Creates an empty set for `count` facets.
  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  init(count: Int, where isMember: (Int) -> Bool) {
    self.init(count: count)
    for number in 0..<count where isMember(number) { insert(number) }
  }

  func contains(_ number: Int) -> Bool { words[number / 64] & 1 << UInt64(number % 64) != 0 }

  mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }

  mutating func removeAll() { for place in words.indices { words[place] = 0 } }

  mutating func formUnion(_ other: FacetBits) {
    for place in words.indices { words[place] |= other.words[place] }
  }

  mutating func subtract(_ other: FacetBits) {
    for place in words.indices { words[place] &= ~other.words[place] }
  }

  func commonCount(_ other: FacetBits) -> Int {
    var count = 0
    for place in words.indices { count += (words[place] & other.words[place]).nonzeroBitCount }
    return count
  }

  func isSubset(of other: FacetBits) -> Bool {
    words.indices.allSatisfy { words[$0] & ~other.words[$0] == 0 }
  }
}
