extension OrderDifference {
  /// Returns, for each position of a new sequence, the position of the same occurrence in an old one,
  /// or nil if the element is new.
  ///
  /// If an ID occurs several times, the matches contain the longest common subsequence, as long as
  /// the sequences differ in few places. Otherwise the n-th occurrence is matched with the n-th.
  static func matches(
    from old: ArraySlice<ObjectID>, to new: ArraySlice<ObjectID>
  ) -> [Int?] {
    if let matches = uniqueMatches(from: old, to: new) { return matches }
    var matches: [Int?] = Array(repeating: nil, count: new.count)
    var isTaken = Array(repeating: false, count: old.count)
    for pair in CommonSubsequence(old, new)?.pairs ?? [] {
      matches[pair.new - new.startIndex] = pair.old
      isTaken[pair.old - old.startIndex] = true
    }
    // The other occurrences have moved. They are taken from the end of each array.
    var rest: [ObjectID: [Int]] = [:]
    for position in old.indices.reversed() where !isTaken[position - old.startIndex] {
      rest[old[position], default: []].append(position)
    }
    for (index, id) in new.enumerated() where matches[index] == nil {
      matches[index] = rest[id]?.popLast()
    }
    return matches
  }

  /// Returns the matches, or nil if an ID occurs several times.
  private static func uniqueMatches(
    from old: ArraySlice<ObjectID>, to new: ArraySlice<ObjectID>
  ) -> [Int?]? {
    let taken = old.endIndex
    var places = PlaceTable(old, upTo: taken)
    for position in old.indices {
      if places[old[position]] != nil { return nil }
      places[old[position]] = position
    }
    var matches: [Int?] = []
    matches.reserveCapacity(new.count)
    for id in new {
      let place = places[id]
      if place == taken { return nil }
      matches.append(place)
      if place != nil { places[id] = taken }
    }
    return matches
  }
}

/// The longest common subsequence of two sequences that differ in few places.
///
/// See Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). A path leads from the start
/// of both sequences to their ends. A step takes an element of the old one, or of the new one, or
/// the same element of both, which costs nothing. A diagonal is the set of places with the same
/// difference between the old and the new position.
private struct CommonSubsequence {
  /// The positions of equal elements, ascending in both sequences.
  private(set) var pairs: [(old: Int, new: Int)] = []

  /// The limit on the cost of a path.
  private static let costLimit = 256
  /// A diagonal that no path of some cost reaches.
  private static let unreached = -1

  /// Returns nil if the sequences differ in more than 256 elements.
  ///
  /// - Complexity: O(*n* *k*) for *k* different elements; mostly O(*n* + *k*²).
  init?(_ old: ArraySlice<ObjectID>, _ new: ArraySlice<ObjectID>) {
    let limit = min(Self.costLimit, old.count + new.count)
    // The farthest old position on each diagonal from -limit - 1 to limit + 1.
    var farthest = Array(repeating: Self.unreached, count: 2 * limit + 3)
    let center = limit + 1
    // The farthest positions before the step of each cost, on the diagonals that it could use.
    var history: [ArraySlice<Int>] = []

    /// Returns the farthest old position on a diagonal after a step, and whether the step took an
    /// element of the old sequence.
    func step(_ diagonal: Int, from farthest: ArraySlice<Int>) -> (old: Int, isOld: Bool) {
      let (below, above) = (farthest[center + diagonal - 1], farthest[center + diagonal + 1])
      let deleting = below == Self.unreached || below == old.count ? Self.unreached : below + 1
      let inserting = above - diagonal > new.count ? Self.unreached : above
      return deleting > inserting ? (deleting, true) : (inserting, false)
    }

    for cost in 0...limit {
      history.append(farthest[(center - cost - 1)...(center + cost + 1)])
      for diagonal in stride(from: -cost, through: cost, by: 2) {
        var place = cost == 0 ? 0 : step(diagonal, from: history[cost]).old
        if place == Self.unreached {
          farthest[center + diagonal] = place
          continue
        }
        while place < old.count, place - diagonal < new.count,
          old[old.startIndex + place] == new[new.startIndex + place - diagonal]
        {
          place += 1
        }
        farthest[center + diagonal] = place
        guard place == old.count, place - diagonal == new.count else { continue }
        // Goes back along the path.
        var (diagonal, end) = (diagonal, place)
        for cost in (0...cost).reversed() {
          let (start, isOld) = cost == 0 ? (0, false) : step(diagonal, from: history[cost])
          for place in (start..<end).reversed() {
            pairs.append((old.startIndex + place, new.startIndex + place - diagonal))
          }
          end = isOld ? start - 1 : start
          diagonal += isOld ? -1 : 1
        }
        pairs.reverse()
        return
      }
    }
    return nil
  }
}
