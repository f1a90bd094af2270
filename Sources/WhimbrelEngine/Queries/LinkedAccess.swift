internal import WhimbrelLMDB

/// A way to find objects by a condition on the target of one of their links.
///
/// An index finds the targets, and the index of the link finds the objects that link to them.
struct LinkedAccess {
  let index: QueryIndex
  let targets: BoundQuery
}

/// A comparison at the end of a path that begins with a link.
struct LinkPlan {
  fileprivate let index: QueryIndex
  fileprivate let targets: QueryTemplate
  /// The parameter of the comparison, if a nil link satisfies it when the value is nil.
  fileprivate let parameter: Int?

  /// Creates the plan for a condition. Returns nil if the condition is not such a comparison.
  init?(_ condition: QueryCondition, in table: ClassTable) {
    guard let (link, rest) = condition.behindLink,
      let position = table.resolved.position(of: link),
      let target = table.resolved.properties[position].type.linkTarget,
      let index = table.queryIndex(of: position),
      // An invalid condition is reported when the whole condition is bound.
      let targets = try? QueryTemplate(QueryRequest(target, [.filter(rest)]), in: table.session)
    else { return nil }
    self.index = index
    self.targets = targets
    if case .compare(_, let comparison, .parameter(let right), _) = rest, comparison != .notEqual {
      parameter = right.number
    } else {
      parameter = nil
    }
  }
}

extension LinkedAccess {
  /// Creates the access for values of the parameters. Returns nil if no index finds the targets.
  init?(_ plan: LinkPlan, _ values: [PropertyValue]) {
    if let parameter = plan.parameter, values[parameter].isNull { return nil }
    guard let targets = try? plan.targets.query(values), targets.access != nil else { return nil }
    self.init(index: plan.index, targets: targets)
  }
}

extension QueryCondition {
  /// The link with which the path of a comparison begins, and the comparison for the target of the
  /// link. Nil for other conditions, and for comparisons that a nil link satisfies.
  fileprivate var behindLink: (link: String, rest: QueryCondition)? {
    switch self {
    case .compare(.property(let path), let comparison, .constant(let value), let options):
      guard !value.isNull || comparison == .notEqual, let (link, path) = path.behindLink else {
        return nil
      }
      return (link, .compare(.property(path), comparison, .constant(value), options))
    case .compare(.property(let path), let comparison, .parameter(let parameter), let options):
      guard let (link, path) = path.behindLink else { return nil }
      return (link, .compare(.property(path), comparison, .parameter(parameter), options))
    case .compare(let left, let comparison, .property(let path), let options):
      switch left {
      case .constant, .parameter: break
      default: return nil
      }
      guard let comparison = comparison.exchanged else { return nil }
      return QueryCondition.compare(.property(path), comparison, left, options).behindLink
    case .isIn(.property(let path), let values, let options):
      guard !values.contains(where: \.isNull), let (link, path) = path.behindLink else {
        return nil
      }
      return (link, .isIn(.property(path), values, options))
    case .isBetween(.property(let path), let lower, let upper, let includesUpper):
      guard let (link, path) = path.behindLink else { return nil }
      return (
        link,
        .isBetween(.property(path), lower: lower, upper: upper, includesUpper: includesUpper)
      )
    default: return nil
    }
  }
}

extension QueryPath {
  /// The limit on the steps of a path that indexes follow. Each step is a query inside of the one
  /// before it, and takes much of the stack.
  private static let indexedStepLimit = 16

  /// The first of several properties, and the rest of the path. Nil for other paths, and for paths
  /// that indexes do not follow.
  fileprivate var behindLink: (link: String, rest: QueryPath)? {
    guard quantifier == .any, steps.count > 1, steps.count <= Self.indexedStepLimit,
      case .property(let name) = steps[0]
    else { return nil }
    return (name, QueryPath(Array(steps.dropFirst())))
  }
}

// MARK: - Finding

extension QueryRun {
  /// Returns the objects whose link leads to one of the targets, or nil if there are too many
  /// targets or objects.
  mutating func find(_ linked: LinkedAccess, most: Int) throws -> [ObjectID]? {
    var run = QueryRun(linked.targets)
    guard let targets = try run.indexed(upTo: most),
      var ids = try sources(of: targets, linked.index, upTo: most)
    else { return nil }
    tally.add(run.tally)
    tally.indexEntries += ids.count
    if !targets.isEmpty {
      tally.used.append(
        QueryTally.IndexUse(
          index: linked.index, table: table,
          entries: .leading(toCount: targets.count, of: run.table.name)))
    }
    ids.sortOnce()
    return ids
  }

  /// Returns the number of objects that the access finds, plus the number of targets, counted up to
  /// a bound.
  func count(_ linked: LinkedAccess, upTo bound: Int) throws -> Int {
    var run = QueryRun(linked.targets)
    guard let targets = try run.indexed(upTo: bound) else { return bound }
    // Finding a target costs as much as reading an entry, and so does the search for its objects.
    let count = try sources(of: targets, linked.index, upTo: bound)?.count ?? bound
    return min(count + targets.count, bound)
  }

  /// Returns the objects that satisfy the condition, or nil if indexes find more than a limit.
  private mutating func indexed(upTo limit: Int) throws -> [ObjectID]? {
    guard let found = try findByIndex(upTo: nil, limit: limit) else { return nil }
    return try found.isExact ? found.ids : filtered(found.ids, query.condition, upTo: nil)
  }

  /// Returns the objects that link to some targets, or nil if there are more than a limit.
  private func sources(
    of targets: [ObjectID], _ index: QueryIndex, upTo limit: Int
  ) throws -> [ObjectID]? {
    let cursor = try table.session.view.cursor(index.table)
    var ids: [ObjectID] = []
    for target in targets {
      let range = KeyRange(of: IndexEntry.prefix(.object(target)))
      var isInside = try index.seek(cursor, to: range)
      while isInside, index.isBelowEnd(cursor, of: range) {
        guard let id = index.objectID(at: cursor) else { throw damaged(index) }
        if ids.count >= limit { return nil }
        ids.append(id)
        isInside = try cursor.move(to: .next)
      }
    }
    return ids
  }
}
