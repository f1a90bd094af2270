/// A half-open range of index keys.
struct KeyRange: Hashable {
  var lower: [UInt8]
  /// The first key above the range, or nil if the range has no end.
  var upper: [UInt8]?
  /// Whether all keys in the range belong to one value.
  var isPoint = false

  init(lower: [UInt8], upper: [UInt8]?, isPoint: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isPoint = isPoint
  }

  /// Creates the range of the keys of one value.
  init(of value: [UInt8]) {
    self.init(lower: value, upper: value.successor, isPoint: true)
  }

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  /// Returns the keys that are in both ranges.
  func intersection(_ other: KeyRange) -> KeyRange {
    let ends = [upper, other.upper].compactMap(\.self)
    return KeyRange(
      lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      upper: ends.min { $0.lexicographicallyPrecedes($1) }, isPoint: isPoint || other.isPoint)
  }

  /// Returns whether another range goes on after the end of this one.
  func ends(before other: KeyRange) -> Bool {
    guard let upper else { return false }
    return other.upper.map { upper.lexicographicallyPrecedes($0) } ?? true
  }

  /// Returns the range with a prefix before its keys.
  func behind(_ prefix: [UInt8]) -> KeyRange {
    KeyRange(
      lower: prefix + lower, upper: upper.map { prefix + $0 } ?? prefix.successor,
      isPoint: isPoint)
  }
}

extension [UInt8] {
  /// The smallest bytes above all that begin with these, or nil if there are none.
  var successor: [UInt8]? {
    guard let last = lastIndex(where: { $0 != 0xFF }) else { return nil }
    var bytes = Array(self[...last])
    bytes[last] += 1
    return bytes
  }
}

extension [KeyRange] {
  /// The same keys, in sorted ranges without duplicates.
  ///
  /// - Precondition: Two ranges are either equal or disjoint.
  var inOrder: [KeyRange] {
    var result: [KeyRange] = []
    let sorted = sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    for range in sorted where range != result.last { result.append(range) }
    return result
  }
}
