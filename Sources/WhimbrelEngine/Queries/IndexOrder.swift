internal import WhimbrelLMDB

/// An index, with the range of it that yields objects in the order of a sort.
struct IndexOrder {
  let index: QueryIndex
  /// The range of the index that is read.
  let range: KeyRange
  let isBackward: Bool
  /// Whether all objects in the range satisfy the condition.
  let isExact: Bool
  /// The tests that determine the range.
  let tests: [QueryTest]
  /// The types of the leading properties of the keys, up to the last property of the sort.
  private let types: [PropertyType]
  /// Whether the keys continue with properties that are not part of the sort.
  private let hasMore: Bool
}

extension IndexOrder {
  /// Chooses an index for a sort. Returns nil if no index has the order.
  ///
  /// - Parameter skipsNil: Whether to leave out objects whose value is nil or NaN.
  init?(
    _ keys: [QuerySortKey], _ condition: QueryCondition?, in table: ClassTable,
    skipsNil: Bool = false
  ) {
    guard let isAscending = keys.first?.isAscending else { return nil }
    var positions: [Int] = []
    for key in keys {
      guard key.isAscending == isAscending, key.path.steps.count == 1,
        case .property(let name) = key.path.steps[0],
        let position = table.resolved.position(of: name)
      else { return nil }
      positions.append(position)
    }
    let parts = condition?.parts ?? []
    let tests = parts.enumerated().compactMap { number, part in
      QueryTest(part, part: number, in: table.resolved)
    }
    var best: IndexOrder?
    for index in table.orderIndexes(for: positions) {
      let found = IndexOrder(
        index, positions, tests, parts.count, isBackward: !isAscending, skipsNil, in: table)
      guard let found, best.map({ !$0.isExact && found.isExact }) ?? true else { continue }
      best = found
    }
    guard let best else { return nil }
    self = best
  }

  private init?(
    _ index: QueryIndex, _ positions: [Int], _ tests: [QueryTest], _ partCount: Int,
    isBackward: Bool, _ skipsNil: Bool, in table: ClassTable
  ) {
    // Each property before the sorted ones must be fixed to one value. Otherwise the index has the
    // order only within each value of that property.
    var (prefix, used, exact): ([UInt8], [QueryTest], Int) = ([], [], 0)
    var first = 0
    while first < index.positions.count, index.positions[first] != positions[0] {
      guard let found = PropertyRanges(index.positions[first], of: index, tests, in: table),
        found.keys.ranges.count == 1, found.keys.ranges[0].isPoint
      else { return nil }
      prefix += found.keys.ranges[0].lower
      used += found.tests
      exact += found.exactTests.count
      first += 1
    }
    guard index.positions[first...].starts(with: positions) else { return nil }
    var range = KeyRange(lower: [], upper: nil)
    if skipsNil { range = ValueKeys(positions[0], of: index, in: table).ordered.ranges[0] }
    // Several ranges would have to be merged, so only a single range narrows the index.
    if let found = PropertyRanges(positions[0], of: index, tests, in: table),
      found.keys.ranges.count == 1
    {
      range = range.intersection(found.keys.ranges[0])
      used += found.tests
      exact += found.exactTests.count
    }
    let isWhole = range.lower.isEmpty && range.upper == nil
    guard let keys = isWhole ? range : index.keys(range) else { return nil }
    self.index = index
    self.range = prefix.isEmpty ? keys : keys.behind(prefix)
    self.isBackward = isBackward
    isExact = exact == partCount
    self.tests = used
    let count = first + positions.count
    types = index.positions[..<count].map { table.resolved.properties[$0].type }
    hasMore = count < index.positions.count
  }
}

extension ClassTable {
  /// Returns the indexes that may have objects in the order of the properties.
  fileprivate func orderIndexes(for positions: [Int]) -> [QueryIndex] {
    var found: [QueryIndex] = []
    if positions.count == 1, let index = queryIndex(of: positions[0]), index.entries.areInOrder {
      found.append(index)
    }
    for index in classIndexes
    where !index.isBuilding && index.entries.areInOrder
      && index.positions.contains(positions[0])
    {
      found.append(QueryIndex(index))
    }
    return found
  }
}

extension IndexOrder {
  /// The part of a key that objects share if they tie in the order.
  struct Tie {
    /// The length of the part, in bytes.
    var length: Int
    /// Whether the values may still differ, because the key contains only the beginning of a text.
    var isCut: Bool
    /// Whether the entries of tied objects are in the order of their IDs.
    var isInOrder: Bool
  }

  /// Returns the part of a key that tied objects share, or nil if the bytes are not a valid key.
  @inline(__always)
  func tie(of key: PageBytes) -> Tie? {
    guard case .values = index.entries, types.count == 1, !hasMore else { return longTie(of: key) }
    let length = max(key.count - 8, 0)
    // A truncated text ends with a hash. Hashes are not in the order of the texts, so the hash is
    // left out.
    let isCut = types[0] == .string && KeyEncoding.isTruncated(encodedLength: length)
    return Tie(length: isCut ? length - 8 : length, isCut: isCut, isInOrder: !isCut)
  }

  private func longTie(of key: PageBytes) -> Tie? {
    switch index.entries {
    case .values: break
    case .primaryKey:
      let isCut = types[0] == .string && KeyEncoding.isTruncated(encodedLength: key.count)
      return Tie(length: isCut ? key.count - 8 : key.count, isCut: isCut, isInOrder: !isCut)
    default: return Tie(length: key.count, isCut: false, isInOrder: true)
    }
    var length = 0
    for type in types {
      guard let part = KeyEncoding.part(of: type, at: length, in: key) else { return nil }
      length += part.length
      if part.isTruncated { return Tie(length: length - 8, isCut: true, isInOrder: false) }
    }
    return Tie(length: length, isCut: false, isInOrder: !hasMore)
  }
}
