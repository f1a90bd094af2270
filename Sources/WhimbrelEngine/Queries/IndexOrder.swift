internal import WhimbrelLMDB

/// How an index has the objects in the order of a sort.
struct IndexOrder {
  let index: QueryIndex
  /// What of the index is gone through.
  let range: KeyRange
  let isBackward: Bool
  /// Whether all objects in the range meet the condition.
  let isExact: Bool
  /// What the range was made of.
  let tests: [QueryTest]
  private let hasTexts: Bool
}

extension IndexOrder {
  /// Makes the way to go through an index, or returns nil when none has the order.
  init?(_ keys: [QuerySortKey], _ condition: QueryCondition?, in table: ClassTable) {
    guard keys.count == 1, keys[0].path.steps.count == 1,
      case .property(let name) = keys[0].path.steps[0],
      let position = table.resolved.position(of: name),
      let index = table.queryIndex(of: position), index.hasAllObjects
    else { return nil }
    let parts = condition?.parts ?? []
    var (found, exact) = (KeyRanges(ranges: [KeyRange(lower: [], upper: nil)]), 0)
    var used: [QueryTest] = []
    for (number, part) in parts.enumerated() {
      guard let test = QueryTest(part, part: number, in: table.resolved),
        test.position == position, let ranges = test.keyRanges(in: table)
      else { continue }
      let both = found.intersection(ranges)
      // Several ranges would be gone through one after the other.
      guard both.ranges.count == 1 else { continue }
      found = both
      used.append(test)
      if ranges.isExact { exact += 1 }
    }
    guard let range = used.isEmpty ? found.ranges[0] : index.keys(found.ranges[0]) else {
      return nil
    }
    self.init(
      index: index, range: range, isBackward: !keys[0].isAscending,
      isExact: exact == parts.count, tests: used,
      hasTexts: table.resolved.properties[position].type == .string)
  }

  /// The same without the objects whose value is nil or NaN, for the least or the greatest.
  func skippingNil(in table: ClassTable) -> IndexOrder? {
    let type = table.resolved.properties[index.positions[0]].type
    guard let values = index.keys(KeyRange(lower: [1], upper: QueryTest.top(type))) else {
      return nil
    }
    return IndexOrder(
      index: index, range: range.intersection(values), isBackward: isBackward, isExact: isExact,
      tests: tests, hasTexts: hasTexts)
  }

  /// How many bytes of a key are the same for all objects that tie, and whether their texts
  /// may still differ.
  @inline(__always)
  func sharedLength(of key: PageBytes) -> (length: Int, isCut: Bool) {
    guard case .values = index.entries else { return split(key.count) }
    return split(max(key.count - 8, 0))
  }

  @inline(__always)
  private func split(_ length: Int) -> (length: Int, isCut: Bool) {
    guard hasTexts, KeyEncoding.isTruncated(encodedLength: length) else { return (length, false) }
    // Without the hash, whose order is not that of the texts.
    return (length - 8, true)
  }
}
