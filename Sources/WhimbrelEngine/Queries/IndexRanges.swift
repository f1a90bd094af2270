/// Ranges of one index that contain the objects that may pass some tests.
struct IndexRanges {
  let index: QueryIndex
  /// The ranges, sorted and without overlap.
  private(set) var ranges: [KeyRange]
  /// The tests that determine the ranges.
  private(set) var tests: [QueryTest]
  /// The tests whose parts are satisfied by every object in the ranges.
  private(set) var exactTests: [QueryTest]

  /// The limit on the number of ranges. The numbers of values for several properties multiply.
  /// Above this limit, the remaining properties do not narrow the ranges, and their tests are left
  /// to the condition. The first property is exempt.
  private static let limit = 1_000

  /// Creates the source of a text search. It does not have ranges, because the search finds its
  /// entries itself.
  init(_ index: QueryIndex, _ words: QueryTest) {
    self.index = index
    ranges = []
    tests = [words]
    exactTests = tests
  }

  /// Creates the ranges that contain all objects that may pass the tests. Returns nil if the index
  /// does not help.
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
    if index.entries.haveMarkedKeys { return }
    let keys = ranges.compactMap(index.keys)
    // The objects of the missing range would be lost, so the index cannot be used at all.
    if keys.count < ranges.count { return nil }
    ranges = keys
  }

  /// Whether the entries are in the order of object IDs.
  var isInOrderOfObjects: Bool {
    if case .objects = index.entries { return true }
    return ranges.isEmpty
      || ranges.count == 1 && ranges[0].isPoint && index.positions.count == tests.positionCount
  }
}

extension [QueryTest] {
  /// The number of distinct properties of the tests.
  fileprivate var positionCount: Int { Set(map(\.position)).count }
}

/// The keys of one property that may pass the tests.
struct PropertyRanges {
  private(set) var keys: KeyRanges
  private(set) var tests: [QueryTest] = []
  private(set) var exactTests: [QueryTest] = []

  /// - Parameter all: The tests. They may be on any properties.
  init?(_ position: Int, of index: QueryIndex, _ all: [QueryTest], in table: ClassTable) {
    keys = .nothing
    var maker: ValueKeys?
    for test in all where test.position == position {
      let values = maker ?? ValueKeys(position, of: index, in: table)
      maker = values
      guard let found = values.ranges(for: test) else { continue }
      keys = tests.isEmpty ? found : keys.intersection(found)
      tests.append(test)
      if found.isExact, test.isWholePart { exactTests.append(test) }
    }
    if tests.isEmpty { return nil }
  }
}
