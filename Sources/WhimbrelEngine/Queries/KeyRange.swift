/// A range of the keys of an index: from one on, and below another.
struct KeyRange: Hashable {
  var lower: [UInt8]
  /// Nil where the range goes on to the end.
  var upper: [UInt8]?
  /// Whether all keys in it are of the same value.
  var isPoint = false

  init(lower: [UInt8], upper: [UInt8]?, isPoint: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isPoint = isPoint
  }

  /// The keys of one value.
  init(of value: [UInt8]) {
    self.init(lower: value, upper: value.successor, isPoint: true)
  }

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  /// The keys that are in both.
  func intersection(_ other: KeyRange) -> KeyRange {
    let ends = [upper, other.upper].compactMap(\.self)
    return KeyRange(
      lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      upper: ends.min { $0.lexicographicallyPrecedes($1) }, isPoint: isPoint || other.isPoint)
  }

  /// The range of keys that have a prefix in front.
  func behind(_ prefix: [UInt8]) -> KeyRange {
    KeyRange(
      lower: prefix + lower, upper: upper.map { prefix + $0 } ?? prefix.successor,
      isPoint: isPoint)
  }
}

extension [UInt8] {
  /// The least bytes that follow these and all that begin with them, or nil when there
  /// are none.
  var successor: [UInt8]? {
    guard let last = lastIndex(where: { $0 != 0xFF }) else { return nil }
    var bytes = Array(self[...last])
    bytes[last] += 1
    return bytes
  }
}

extension [KeyRange] {
  /// The same keys in ranges that are in order and have none in common.
  ///
  /// - Precondition: two ranges either are the same or have no key in common.
  var inOrder: [KeyRange] {
    var result: [KeyRange] = []
    let sorted = sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    for range in sorted where range != result.last { result.append(range) }
    return result
  }
}
