/// How indexes find the objects that may meet a condition.
///
/// The condition is a number of parts, all of which have to be met. Each candidate finds
/// the objects that meet one part or several; one of them is enough, and of two both may
/// be asked.
struct QueryAccess {
  var candidates: [Candidate] = []
  /// A bit for each part; parts from the 64th on share one that no candidate answers.
  var parts: UInt64 = 0

  /// A way to find objects.
  struct Candidate {
    let source: Source
    /// The parts that all objects meet that are found so.
    let answered: UInt64
  }

  /// Where objects are found.
  indirect enum Source {
    case ranges(IndexRanges)
    /// All that one of several ways finds.
    case anyOf([QueryAccess])
  }
}

/// Stretches of an index.
struct IndexRanges {
  let index: QueryIndex
  /// In order, none overlapping another.
  let ranges: [KeyRange]
  /// What they were made of.
  let tests: [QueryTest]

  /// Whether the entries are in the order of the objects, each having one.
  var isInOrderOfObjects: Bool {
    if case .objects = index.entries { return true }
    return ranges.isEmpty || ranges.count == 1 && ranges[0].isPoint
  }
}

extension QueryAccess.Candidate {
  /// Whether no object is found.
  var isNothing: Bool {
    if case .ranges(let found) = source { found.ranges.isEmpty } else { false }
  }
}

// MARK: - Planning

extension QueryCondition {
  /// The conditions that have to be met for this one to be.
  var parts: [QueryCondition] {
    if case .and(let parts) = self { parts.flatMap(\.parts) } else { [self] }
  }
}

extension QueryAccess {
  /// Makes the ways to find what meets a condition, or returns nil when no index helps.
  init?(_ condition: QueryCondition, in table: ClassTable) {
    let conditions = condition.parts
    var tests: [QueryTest] = []
    for (number, part) in conditions.enumerated() {
      parts |= Self.bit(number)
      if let test = QueryTest(part, part: number, in: table.resolved) {
        tests.append(test)
      } else if case .or(let alternatives) = part {
        append(anyOf: alternatives, number, in: table)
      }
    }
    append(tests, in: table)
    if candidates.isEmpty { return nil }
  }

  private static func bit(_ part: Int) -> UInt64 { 1 << UInt64(min(part, 63)) }

  /// What a candidate answers that answers this part.
  private static func answer(_ part: Int) -> UInt64 { part < 63 ? bit(part) : 0 }

  private mutating func append(
    anyOf alternatives: [QueryCondition], _ part: Int, in table: ClassTable
  ) {
    var ways: [QueryAccess] = []
    for alternative in alternatives {
      guard let way = QueryAccess(alternative, in: table) else { return }
      ways.append(way)
    }
    candidates.append(Candidate(source: .anyOf(ways), answered: Self.answer(part)))
  }

  /// Appends the candidates for tests: one for each index that has values they are about.
  private mutating func append(_ tests: [QueryTest], in table: ClassTable) {
    for (number, test) in tests.enumerated() {
      let isFirst = !tests[..<number].contains { $0.position == test.position }
      guard isFirst, let index = table.queryIndex(of: test.position) else { continue }
      // An object may have one element that passes a test and another that passes the next.
      let joined =
        index.hasManyEntries ? [test] : tests.filter { $0.position == test.position }
      append(joined, index, in: table)
      guard index.hasManyEntries else { continue }
      for other in tests[(number + 1)...] where other.position == test.position {
        append([other], index, in: table)
      }
    }
  }

  private mutating func append(_ tests: [QueryTest], _ index: QueryIndex, in table: ClassTable) {
    var found: KeyRanges?
    var used: [QueryTest] = []
    var answered: UInt64 = 0
    for test in tests {
      guard let ranges = test.keyRanges(in: table) else { continue }
      found = found?.intersection(ranges) ?? ranges
      used.append(test)
      if ranges.isExact { answered |= Self.answer(test.part) }
    }
    guard let found else { return }
    let ranges = found.ranges.compactMap(index.keys)
    // A range that the index does not have would be missing.
    guard ranges.count == found.ranges.count else { return }
    candidates.append(
      Candidate(
        source: .ranges(IndexRanges(index: index, ranges: ranges, tests: used)),
        answered: answered))
  }
}

extension QueryTest {
  /// The keys of the values that may pass, or nil when an index does not help.
  func keyRanges(in table: ClassTable) -> KeyRanges? {
    let property = table.resolved.properties[position]
    let target = property.type.linkedClass.flatMap { table.session.find($0)?.resolved.id }
    return keyRanges(of: property, target: target)
  }
}
