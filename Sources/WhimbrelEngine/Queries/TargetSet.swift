internal import WhimbrelLMDB

/// The objects of a class whose links meet a comparison, found by one scan of the class.
///
/// A comparison behind a to-one link, such as `owner.name == "Ann"`, looks the target up for each
/// object. A scan of the targets reads neighbouring records instead, and each of them once.
final class TargetSet: Sendable {
  /// Whether the comparison is met by a nil link, and by a link to an object that does not exist.
  let includesNil: Bool
  private let first: UInt64
  /// A bit for each object ID from the first on: whether it differs from nil in the answer.
  private let exceptions: [UInt64]

  /// The number of object IDs for which a set has room, for each object of the class.
  private static let sparsest = 64

  /// Scans the targets of a link.
  ///
  /// Returns nil if a scan would not help, because the object IDs of the targets are too far apart.
  ///
  /// - Parameters:
  ///   - leaf: the comparison of a target.
  ///   - table: the class of the targets.
  ///   - tally: counts the targets that are read.
  /// - Throws: ``StoreError`` if a target is damaged.
  /// - Complexity: O(*n*) for the targets. Memory: 8 bytes for each target that the scan finds, then
  ///   a bit for each object ID.
  init?(_ leaf: BoundLeaf, of table: ClassTable, _ tally: inout QueryTally) throws {
    includesNil = leaf.holds(.null)
    guard let first = try table.objectID(at: .first)?.rawValue,
      let last = try table.objectID(at: .last)?.rawValue
    else {
      (self.first, exceptions) = (0, [])
      return
    }
    let count = try table.count()
    guard (last - first) / UInt64(Self.sparsest) <= UInt64(count) else { return nil }
    let test = BoundTest.leaf(leaf)
    var work = QueryTally()
    let condition = BoundCondition(includesNil ? .not(test) : test, in: table)
      .findingTargets(of: count, &work)
    var exceptions = [UInt64](repeating: 0, count: Int((last - first) / 64) + 1)
    for id in try table.objectIDs(matching: condition) {
      let place = id.rawValue - first
      exceptions[Int(place / 64)] |= 1 << (place % 64)
    }
    self.first = first
    self.exceptions = exceptions
    work.records += count
    work.scannedTargets.append(table.name)
    tally.add(work)
  }

  /// Returns whether a link to an object meets the comparison.
  func contains(_ id: UInt64) -> Bool {
    let (place, isBefore) = id.subtractingReportingOverflow(first)
    let word = Int(truncatingIfNeeded: place / 64)
    guard !isBefore, word < exceptions.count else { return includesNil }
    return (exceptions[word] >> (place % 64) & 1 != 0) != includesNil
  }
}

// MARK: - Conditions

extension BoundCondition {
  /// The number of records that a scan reads in the time of one look-up: see ``QueryRun``.
  fileprivate static let scannedPerLookup = 10

  /// Returns the condition with comparisons behind to-one links replaced by sets of the targets
  /// that meet them, where that saves time.
  ///
  /// Each target is looked up where a set is of no use or cannot be made. So a damaged target stops
  /// only a query that reads it.
  ///
  /// - Parameters:
  ///   - count: the number of objects on which the condition is evaluated.
  ///   - tally: counts the targets that are read.
  func findingTargets(of count: Int, _ tally: inout QueryTally) -> BoundCondition {
    guard !table.isOfMigration, let found = test.findingTargets(of: count, &tally) else {
      return self
    }
    return BoundCondition(found, in: table)
  }
}

extension BoundTest {
  /// Returns nil if nothing is to be replaced.
  fileprivate func findingTargets(of count: Int, _ tally: inout QueryTally) -> BoundTest? {
    switch self {
    case .always: return nil
    case .not(let part): return part.findingTargets(of: count, &tally).map { .not($0) }
    case .and(let parts): return Self.findingTargets(of: count, parts, &tally).map { .and($0) }
    case .or(let parts): return Self.findingTargets(of: count, parts, &tally).map { .or($0) }
    case .leaf(let leaf): return leaf.findingTargets(of: count, &tally).map { .leaf($0) }
    }
  }

  private static func findingTargets(
    of count: Int, _ parts: [BoundTest], _ tally: inout QueryTally
  ) -> [BoundTest]? {
    var isChanged = false
    let parts = parts.map { part in
      guard let found = part.findingTargets(of: count, &tally) else { return part }
      isChanged = true
      return found
    }
    return isChanged ? parts : nil
  }
}

extension BoundLeaf {
  fileprivate func findingTargets(of count: Int, _ tally: inout QueryTally) -> BoundLeaf? {
    guard isAboutLeftOnly, case .path(let path) = left, let (link, rest) = path.behindLink,
      let targets = try? rest.table.count(),
      targets / BoundCondition.scannedPerLookup <= count,
      let set = try? TargetSet(BoundLeaf(.path(rest), kind), of: rest.table, &tally)
    else { return nil }
    return BoundLeaf(.path(link), .leads(set))
  }
}

extension BoundPath {
  /// The to-one link with which the path begins, and the path of the target to a single value.
  fileprivate var behindLink: (link: BoundPath, rest: BoundPath)? {
    guard steps.count > 1, isSingle, case .value(let position) = steps[0].kind,
      case let property = table.resolved.properties[position], case .link = property.type,
      let link = try? BoundPath(QueryPath(property.name), in: table)
    else { return nil }
    let rest = BoundPath(
      steps[1].table, Array(steps.dropFirst()), quantifier, type, target: target,
      storedType: storedType)
    return (link, rest)
  }
}
