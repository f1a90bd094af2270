/// The ways in which indexes find candidates for a condition.
///
/// The condition is a conjunction of parts. Each candidate finds the objects that satisfy one or
/// several parts. One candidate is enough; a run may intersect several.
struct QueryAccess {
  var candidates: [Candidate] = []
  /// A bit for each part. The 64th part and all later ones share one bit, which no candidate
  /// answers.
  var parts: UInt64 = 0

  struct Candidate {
    let source: Source
    /// The parts that every object found by this candidate satisfies.
    let answered: UInt64
  }

  /// The source of the objects of a candidate.
  indirect enum Source {
    case ranges(IndexRanges)
    /// A search for words in a full-text index.
    case words(FullTextSearch, IndexRanges)
    /// The objects that link to objects found by another index.
    case linked(LinkedAccess)
    /// The objects that at least one of several accesses finds.
    case anyOf([QueryAccess])
  }
}

extension QueryAccess {
  /// Whether ranges of one index contain exactly the objects that satisfy all parts.
  var isAnsweredByRanges: Bool {
    candidates.contains { candidate in
      guard case .ranges = candidate.source else { return false }
      return candidate.answered == parts
    }
  }
}

extension QueryAccess.Candidate {
  /// Whether the candidate cannot find any object.
  var isNothing: Bool {
    if case .ranges(let found) = source { found.ranges.isEmpty } else { false }
  }

  /// Returns whether another candidate uses every test of this one and answers at least the same
  /// parts.
  fileprivate func saysNoMore(than other: Self) -> Bool {
    guard case .ranges(let found) = source, case .ranges(let known) = other.source,
      answered & ~other.answered == 0
    else { return false }
    return found.tests.allSatisfy(known.tests.contains)
  }
}

// MARK: - Planning

extension QueryCondition {
  /// The conditions whose conjunction is this condition.
  var parts: [QueryCondition] {
    if case .and(let parts) = self { parts.flatMap(\.parts) } else { [self] }
  }
}

extension QueryAccess {
  /// Finds the candidates for a plan. Returns nil if no index helps.
  ///
  /// - Parameter values: The values of the parameters.
  init?(_ plan: QueryPlan, _ values: [PropertyValue], in table: ClassTable) {
    var tests: [QueryTest] = []
    for (number, part) in plan.parts.enumerated() {
      parts |= Self.bit(number)
      switch part {
      case .test(let test): tests.append(test)
      case .comparison(let comparison):
        if let test = comparison.test(values, part: number) { tests.append(test) }
      case .anyOf(let plans):
        let ways = plans.compactMap { QueryAccess($0, values, in: table) }
        if ways.count == plans.count { append(.anyOf(ways), number) }
      case .words(let search, let found): append(.words(search, found), number)
      case .linked(let link):
        if let linked = LinkedAccess(link, values) { append(.linked(linked), number) }
      case .other: break
      }
    }
    append(tests, in: table)
    if candidates.isEmpty { return nil }
  }

  private mutating func append(_ source: Source, _ part: Int) {
    candidates.append(Candidate(source: source, answered: Self.answer(part)))
  }

  private static func bit(_ part: Int) -> UInt64 { 1 << UInt64(min(part, 63)) }

  /// Returns the bits that a candidate answers if it answers this part.
  private static func answer(_ part: Int) -> UInt64 { part < 63 ? bit(part) : 0 }

  /// Appends a candidate for each index that covers at least one of the tests.
  private mutating func append(_ tests: [QueryTest], in table: ClassTable) {
    for index in table.classIndexes where index.entries.areOfValues && !index.isBuilding {
      append(tests, QueryIndex(index), in: table)
    }
    for (number, test) in tests.enumerated() {
      let isFirst = !tests[..<number].contains { $0.position == test.position }
      guard isFirst, let index = table.queryIndex(of: test.position) else { continue }
      guard index.hasManyEntries else {
        append(tests, index, in: table)
        continue
      }
      // The index has an entry for each element. One element may pass one test and another element
      // the next, so the tests must not narrow the same range.
      for test in tests where test.position == index.positions[0] {
        append([test], index, in: table)
      }
    }
  }

  private mutating func append(_ tests: [QueryTest], _ index: QueryIndex, in table: ClassTable) {
    guard let found = IndexRanges(index, tests, in: table) else { return }
    let answered = found.exactTests.reduce(0) { $0 | Self.answer($1.part) }
    let candidate = Candidate(source: .ranges(found), answered: answered)
    // Skips the candidate if another one is at least as specific, and replaces those that are less
    // specific.
    if candidates.contains(where: { candidate.saysNoMore(than: $0) }) { return }
    candidates.removeAll { $0.saysNoMore(than: candidate) }
    candidates.append(candidate)
  }
}
