/// Ranges of an index.
struct IndexRanges {
  let index: QueryIndex
  /// In order, none overlapping another.
  private(set) var ranges: [KeyRange]
  /// What they were made of.
  private(set) var tests: [QueryTest]
  /// The tests that all objects pass that are found.
  private(set) var exactTests: [QueryTest]

  /// How many ranges there are at most: those of several values of one property, for each of
  /// those of another.
  private static let limit = 1_000

  /// The words of a text.
  init(_ index: QueryIndex, _ words: QueryTest) {
    self.index = index
    ranges = []
    tests = [words]
    exactTests = tests
  }

  /// Makes the ranges that have what may pass tests, or returns nil when the index does
  /// not help.
  init?(_ index: QueryIndex, _ all: [QueryTest], in table: ClassTable) {
    self.index = index
    ranges = [KeyRange(lower: [], upper: nil, isPoint: true)]
    (tests, exactTests) = ([], [])
    for position in index.positions {
      guard let found = PropertyRanges(position, of: index, all, in: table),
        tests.isEmpty || found.keys.ranges.count * ranges.count <= Self.limit
      else { break }
      tests += found.tests
      exactTests += found.exactTests
      ranges =
        tests.count == found.tests.count
        ? found.keys.ranges
        : ranges.flatMap { range in found.keys.ranges.map { $0.behind(range.lower) } }
      if !ranges.allSatisfy(\.isPoint) { break }
    }
    if tests.isEmpty { return nil }
    if index.hasMarkedKeys { return }
    let keys = ranges.compactMap(index.keys)
    // A range that the index does not have would be missing.
    if keys.count < ranges.count { return nil }
    ranges = keys
  }

  /// Whether the entries are in the order of the objects.
  var isInOrderOfObjects: Bool {
    if case .objects = index.entries { return true }
    return ranges.isEmpty
      || ranges.count == 1 && ranges[0].isPoint && index.positions.count == tests.positionCount
  }
}

extension [QueryTest] {
  /// How many properties the tests are about.
  fileprivate var positionCount: Int { Set(map(\.position)).count }
}

/// The keys of one property that tests ask for.
struct PropertyRanges {
  private(set) var keys: KeyRanges
  private(set) var tests: [QueryTest] = []
  private(set) var exactTests: [QueryTest] = []

  /// - Parameter all: tests of any properties.
  init?(_ position: Int, of index: QueryIndex, _ all: [QueryTest], in table: ClassTable) {
    keys = .nothing
    var maker: ValueKeys?
    for test in all where test.position == position {
      let values = maker ?? ValueKeys(position, of: index, in: table)
      maker = values
      guard let found = values.ranges(for: test) else { continue }
      keys = tests.isEmpty ? found : keys.intersection(found)
      tests.append(test)
      if found.isExact { exactTests.append(test) }
    }
    if tests.isEmpty { return nil }
  }
}
