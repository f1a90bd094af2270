/// The search for the name that was probably meant.
package enum Spelling {
  /// Returns the known name closest to a misspelt one, or nil if none is
  /// close.
  ///
  /// A name is close when at most a third of its characters, rounded up, must
  /// change. Case is ignored.
  ///
  /// - Complexity: O(*n* · *m*²) for *n* names of *m* characters.
  package static func closest(to name: String, among known: [String]) -> String? {
    let wanted = Array(name.lowercased().prefix(64))
    let limit = (wanted.count + 2) / 3
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = distance(wanted, Array(candidate.lowercased().prefix(64)))
      // A distance as long as the name would suggest any other short name.
      guard distance <= limit, distance < max(wanted.count, 1) else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns the number of insertions, deletions, replacements and swaps of
  /// neighbours that turn one word into the other.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for row in 1...first.count {
      var current = [row]
      for column in 1...second.count {
        let isSame = first[row - 1] == second[column - 1]
        var cost = min(
          previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, first[row - 1] == second[column - 2],
          first[row - 2] == second[column - 1]
        {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current.append(cost)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
  }
}
