// Queries that a program without the rules of an app cannot answer: they read properties that
// objects lack because they are not yet converted.

/// A property that objects of its class lack because they are not yet converted.
package struct ChangedProperty: Hashable {
  package let className: String
  package let property: String
}

extension QueryRequest {
  /// All paths that the conditions, sorts and distinct values of the request follow.
  package var paths: [QueryPath] {
    var paths: [QueryPath] = []
    for stage in stages {
      switch stage {
      case .filter(let condition): condition.addPaths(to: &paths)
      case .sort(let keys): paths += keys.map(\.path)
      case .distinct(let distinct): paths += distinct
      case .offset, .limit: break
      }
    }
    return paths
  }
}

extension BoundQuery {
  /// Returns the properties that the request reads and that objects which are not yet converted
  /// lack.
  package func changedProperties() throws -> Set<ChangedProperty> {
    guard table.session.loaded.catalog.isInTransition else { return [] }
    return try Set(request.paths.flatMap { try BoundPath($0, in: table).changedProperties })
  }
}

extension ClassTable {
  /// Returns the property at a position if objects which are not yet converted lack it, otherwise
  /// nil.
  package func changedProperty(at position: Int) -> ChangedProperty? {
    guard changedProperties.contains(position) else { return nil }
    return ChangedProperty(className: name, property: resolved.properties[position].name)
  }
}

extension BoundPath {
  /// The properties of the path that objects which are not yet converted lack.
  package var changedProperties: [ChangedProperty] {
    steps.compactMap { step in
      step.position.flatMap { step.table.changedProperty(at: $0) }
    }
  }

  /// Returns whether the path leads from an object to one that is not yet converted and lacks the
  /// next property of the path.
  package func lacksValues(of id: ObjectID) throws -> Bool {
    for (index, step) in steps.enumerated() {
      guard let position = step.position, step.table.resolved.isInTransition else { continue }
      let before = BoundPath(
        table, Array(steps[..<index]), quantifier, type, target: nil, storedType: nil)
      for case .link(let id) in try before.values(of: id) {
        guard let record = try step.table.record(id), step.table.isUnconverted(record),
          let past = step.table.pastTables[record.layoutID]
        else { continue }
        if step.table.position(position, in: past) == nil { return true }
      }
    }
    return false
  }
}

extension BoundPath.Step {
  /// The position of the property that the step reads from its object, or nil.
  fileprivate var position: Int? {
    switch kind {
    case .value(let position), .elements(let position), .element(let position, _),
      .names(let position):
      position
    case .sources, .member, .memberNames: nil
    }
  }
}

extension QueryCondition {
  fileprivate func addPaths(to paths: inout [QueryPath]) {
    switch self {
    case .always: break
    case .and(let parts), .or(let parts): for part in parts { part.addPaths(to: &paths) }
    case .not(let part): part.addPaths(to: &paths)
    case .compare(let left, _, let right, _):
      left.addPaths(to: &paths)
      right.addPaths(to: &paths)
    case .isIn(let value, _, _): value.addPaths(to: &paths)
    case .isBetween(let value, _, _, _): value.addPaths(to: &paths)
    case .hasWords(let path, _): paths.append(path)
    }
  }
}

extension QueryExpression {
  fileprivate func addPaths(to paths: inout [QueryPath]) {
    switch self {
    case .constant, .parameter: break
    case .property(let path), .count(let path), .aggregate(_, let path): paths.append(path)
    case .matches(let path, let condition):
      paths.append(path)
      var inner: [QueryPath] = []
      condition.addPaths(to: &inner)
      paths += inner.map { QueryPath(path.steps + $0.steps) }
    case .arithmetic(let left, _, let right):
      left.addPaths(to: &paths)
      right.addPaths(to: &paths)
    }
  }
}
