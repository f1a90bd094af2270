internal import WhimbrelLMDB

/// The targets of a link that satisfy a comparison, found by one scan of their class.
///
/// A comparison on the target of a to-one link, such as `owner.name == "Ann"`, looks up the target
/// for each object. A scan of the targets reads adjacent records instead, and each of them once.
/// So it does with their collections, as for `ANY owner.dogs.age > 9`.
final class TargetSet: Sendable {
  /// Whether the comparison is satisfied by a nil link and by a link to an object that does not
  /// exist.
  let includesNil: Bool
  /// The targets whose result differs from that of nil.
  private let exceptions: SievedIDs

  /// Scans the targets of a link.
  ///
  /// - Parameters:
  ///   - leaf: The comparison of a target.
  ///   - includesNil: Whether a nil link satisfies the comparison.
  ///   - table: The class of the targets.
  ///   - tally: The tally, which counts the targets that are read.
  /// - Throws: ``StoreError`` if a target is damaged.
  /// - Complexity: O(*n*) for the targets, and for what the comparison reads of their collections.
  ///   Memory: 8 bytes for each target that the scan finds, until there is a bit for each.
  init(
    _ leaf: BoundLeaf, includesNil: Bool, of table: ClassTable, _ tally: inout QueryTally
  ) throws {
    self.includesNil = includesNil
    let count = try table.count()
    let test = BoundTest.leaf(leaf)
    var work = QueryTally()
    let condition = BoundCondition(includesNil ? .not(test) : test, in: table)
      .findingTargets(of: count, &work)
    exceptions = SievedIDs(SortedIDs(try table.objectIDs(matching: condition)))
    work.records += count
    work.scannedTargets.append(table.name)
    tally.add(work)
  }

  /// Returns whether a link to an object satisfies the comparison.
  func contains(_ id: ObjectID) -> Bool { exceptions.contains(id) != includesNil }
}

// MARK: - Conditions

extension BoundCondition {
  /// The number of records that a scan reads in the time of one lookup: see ``QueryRun``.
  fileprivate static let scannedPerLookup = 10

  /// Returns the condition with comparisons on the targets of to-one links replaced by sets of the
  /// targets that satisfy them, if that saves time.
  ///
  /// If a set cannot be made because a target is damaged, each target is looked up as before. So a
  /// damaged target stops only the queries that read it.
  ///
  /// - Parameters:
  ///   - count: The number of objects for which the condition is evaluated.
  ///   - tally: The tally, which counts the targets that are read.
  func findingTargets(of count: Int, _ tally: inout QueryTally) -> BoundCondition {
    guard !table.isOfMigration, let found = test.findingTargets(of: count, &tally) else {
      return self
    }
    return BoundCondition(found, in: table)
  }
}

extension BoundTest {
  /// Returns the replacement, or nil if nothing is replaced.
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
    guard isAboutLeftOnly, let (link, rest) = left.behindLink,
      let includesNil = try? holdsBehindNil(),
      let table = link.target, let targets = try? table.count(),
      left.isCheapBehindLink
        ? targets / BoundCondition.scannedPerLookup <= count
        : targets <= count / BoundCondition.scannedPerLookup,
      let set = try? TargetSet(
        BoundLeaf(rest, kind), includesNil: includesNil, of: table, &tally)
    else { return nil }
    return BoundLeaf(.path(link), .leads(set))
  }

  /// Returns whether an object satisfies the condition if the link with which the left side begins
  /// is nil.
  private func holdsBehindNil() throws -> Bool {
    switch left {
    case .path(let path) where !path.isSingle: path.quantifier != .any
    case .count, .matches: holds(.int(0))
    case .aggregate(let aggregate, let path):
      holds(try QueryAccumulator(aggregate).result(of: path))
    default: holds(.null)
    }
  }
}

extension BoundExpression {
  /// The to-one link with which the expression begins, and the expression for its target.
  fileprivate var behindLink: (link: BoundPath, rest: BoundExpression)? {
    switch self {
    case .path(let path):
      if path.isSingle, quantifier != nil { return nil }
      return path.behindLink.map { ($0.link, .path($0.rest)) }
    case .count(let path): return path.behindLink.map { ($0.link, .count($0.rest)) }
    case .aggregate(let aggregate, let path):
      return path.behindLink.map { ($0.link, .aggregate(aggregate, $0.rest)) }
    case .matches(let path, let condition):
      return path.behindLink.map { ($0.link, .matches($0.rest, condition)) }
    case .constant, .parameter, .references, .arithmetic: return nil
    }
  }

  /// Whether one value is read for each target. To read their collections pays only if many objects
  /// share a target.
  fileprivate var isCheapBehindLink: Bool {
    guard case .path(let path) = self else { return false }
    return path.isSingle
  }
}

extension BoundPath {
  /// The to-one link with which the path begins, and the path from its target.
  fileprivate var behindLink: (link: BoundPath, rest: BoundPath)? {
    guard steps.count > 1, case .value(let position) = steps[0].kind,
      case let property = table.resolved.properties[position], case .link = property.type,
      let link = try? BoundPath(QueryPath(property.name), in: table)
    else { return nil }
    let rest = BoundPath(
      steps[1].table, Array(steps.dropFirst()), quantifier, type, target: target,
      storedType: storedType)
    return (link, rest)
  }
}
