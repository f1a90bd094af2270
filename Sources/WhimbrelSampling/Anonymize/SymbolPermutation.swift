package import WhimbrelInspection

/// A keyed permutation of rows of symbols. Each symbol of a row has its own alphabet.
///
/// 1. Different rows become different rows: this is a permutation of all rows of the same
///    alphabets, whatever the sizes of the alphabets.
/// 2. Every row changes. Let *p* be a permutation. Undo *p*, move the first symbol on by at least
///    one, then apply *p*: every row moves, because the step in the middle moves every row.
/// 3. Without the key, a row reveals only the sizes of its alphabets, as far as SipHash and the few
///    possibilities of short rows allow. *p* is an alternating Feistel network of four rounds, in
///    which one half of a row moves the symbols of the other half.
package struct SymbolPermutation {
  private let key: SipHash.Key

  private static let roundCount = 4

  package init(_ key: SipHash.Key) { self.key = key }

  /// Replaces a row.
  ///
  /// - Parameters:
  ///   - sizes: The number of symbols of each position's alphabet, at least two.
  ///   - tweak: Selects a permutation; those of different tweaks are independent.
  /// - Complexity: O(*n*).
  package func replace(_ row: inout [UInt32], sizes: [UInt32], tweak: SipHash.Key) {
    guard let size = sizes.first else { return }
    var hash = SipHash(key, .wide)
    hash.append(tweak.first)
    hash.append(tweak.second)
    let roundKey = hash.wideResult()
    for round in (0..<Self.roundCount).reversed() { move(&row, sizes, roundKey, round, .back) }
    row[0] = (row[0] + 1 + UInt32(truncatingIfNeeded: roundKey.first) % (size - 1)) % size
    for round in 0..<Self.roundCount { move(&row, sizes, roundKey, round, .on) }
  }

  private enum Direction {
    case on, back
  }

  /// Moves the symbols of one half by amounts that depend on the other half.
  private func move(
    _ row: inout [UInt32], _ sizes: [UInt32], _ key: SipHash.Key, _ round: Int,
    _ direction: Direction
  ) {
    let middle = row.count / 2
    let isFirstMoving = round & 1 == 1
    let source = isFirstMoving ? middle..<row.count : 0..<middle
    let target = isFirstMoving ? 0..<middle : middle..<row.count
    if target.isEmpty { return }
    let stream = streamKey(of: row, source, key, round)
    var bits: UInt64 = 0
    for (count, place) in target.enumerated() {
      if count & 1 == 0 {
        var hash = SipHash(stream)
        hash.append(UInt64(count))
        bits = hash.result()
      }
      let size = UInt64(sizes[place])
      // Scales 32 random bits to a step below `size`, without a division.
      let step = ((bits & 0xFFFF_FFFF) * size) >> 32
      bits >>= 32
      let moved = UInt64(row[place]) + (direction == .back ? size - step : step)
      row[place] = UInt32(truncatingIfNeeded: moved >= size ? moved - size : moved)
    }
  }

  private func streamKey(
    of row: [UInt32], _ range: Range<Int>, _ key: SipHash.Key, _ round: Int
  ) -> SipHash.Key {
    var hash = SipHash(key, .wide)
    hash.append(UInt64(round))
    var index = range.lowerBound
    while index + 1 < range.upperBound {
      hash.append(UInt64(row[index]) << 32 | UInt64(row[index + 1]))
      index += 2
    }
    if index < range.upperBound { hash.append(UInt64(row[index])) }
    return hash.wideResult()
  }
}
