package import WhimbrelInspection

/// The replacements of the texts of one property, which sort in the same order as the texts.
///
/// Texts with a common beginning get replacements with a common beginning. Where texts differ,
/// their different characters become other characters in the same order, from the same run of
/// neighbours in Unicode. If all 26 letters occur at one position, each letter stays; if three
/// occur, any three letters replace them. So the more texts there are, the more of their beginnings
/// stays: the order itself reveals them. Addresses and other forms are not recognised here. Numbers
/// get no new leading zeros.
///
/// The result depends on all texts together. So it does not agree with the replacements in another
/// store, nor with those of the same texts in other properties.
package struct OrderedTexts {
  package private(set) var replacements: [String: String] = [:]
  private let alphabets = Alphabets()
  private let key: SipHash.Key

  /// Creates the replacements of all texts of a property.
  ///
  /// - Complexity: O(*n* log *n*), in memory for all texts and their replacements.
  package init(_ texts: Set<String>, _ key: SipHash.Key) {
    self.key = key
    let old = texts.map { Array($0.unicodeScalars) }.sorted { $0.lexicographicallyPrecedes($1) }
    var new = old
    // Ranges of texts with a common beginning, the length of that beginning, and its hash.
    var open = [(range: old.indices, depth: 0, hash: SipHash(key, .wide))]
    while let (range, depth, hash) = open.popLast() {
      if range.isEmpty { continue }
      let runs = Self.runs(of: old[range], at: depth)
      for run in runs {
        guard let scalar = old[run.lowerBound].at(depth) else { continue }
        var hash = hash
        hash.append(UInt64(scalar.value))
        open.append((run, depth + 1, hash))
      }
      replaceCharacters(at: depth, of: runs, old, hash.wideResult(), &new)
    }
    for (text, replaced) in zip(old, new) { replacements[String(text)] = String(replaced) }
  }

  /// Returns the ranges of texts that have the same character at a position, or end there.
  private static func runs(of texts: ArraySlice<[Unicode.Scalar]>, at depth: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = texts.startIndex
    for index in texts.indices.dropFirst() where texts[index].at(depth) != texts[start].at(depth) {
      runs.append(start..<index)
      start = index
    }
    runs.append(start..<texts.endIndex)
    return runs
  }

  /// Replaces the characters at a position of texts that are equal before it.
  private func replaceCharacters(
    at depth: Int, of runs: [Range<Int>], _ old: [[Unicode.Scalar]], _ stream: SipHash.Key,
    _ new: inout [[Unicode.Scalar]]
  ) {
    var groups: [ClosedRange<UInt32>: [Range<Int>]] = [:]
    for run in runs {
      guard let neighbours = neighbours(of: old[run.lowerBound], at: depth) else { continue }
      groups[neighbours, default: []].append(run)
    }
    for (neighbours, runs) in groups {
      for (run, value) in zip(runs, Self.choose(runs.count, of: neighbours, stream)) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        for index in run { new[index][depth] = scalar }
      }
    }
  }

  /// Returns `count` numbers of a range, in ascending order.
  private static func choose(
    _ count: Int, of range: ClosedRange<UInt32>, _ stream: SipHash.Key
  ) -> [UInt32] {
    let size = UInt64(range.count)
    // Draws the smaller set: the numbers to take, or the numbers to leave.
    let isDrawingTaken = count * 2 <= range.count
    var drawn: Set<UInt32> = []
    var number: UInt64 = 0
    while drawn.count < (isDrawingTaken ? count : range.count - count) {
      var hash = SipHash(stream)
      hash.append(number)
      number += 1
      drawn.insert(range.lowerBound + UInt32(truncatingIfNeeded: hash.result() % size))
    }
    return isDrawingTaken ? drawn.sorted() : range.filter { !drawn.contains($0) }
  }

  /// Returns the consecutive scalars around a character that may replace it.
  private func neighbours(of text: [Unicode.Scalar], at depth: Int) -> ClosedRange<UInt32>? {
    guard let scalar = text.at(depth) else { return nil }
    let place = alphabets.place(of: scalar)
    guard let alphabet = place.alphabet else { return nil }
    let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
    if digits.contains(scalar), depth == 0 || !digits.contains(text[depth - 1]) {
      return scalar == "0" ? nil : 0x31...0x39
    }
    return alphabets.alphabets[alphabet].neighbours(of: place.symbol)
  }
}

extension [Unicode.Scalar] {
  fileprivate func at(_ index: Int) -> Unicode.Scalar? { index < count ? self[index] : nil }
}
