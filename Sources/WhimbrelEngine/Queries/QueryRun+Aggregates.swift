internal import WhimbrelLMDB

extension QueryRun {
  /// Returns an aggregate of the values that a path leads to from all objects.
  mutating func aggregate(_ aggregate: QueryAggregate, _ path: QueryPath) throws -> PropertyValue {
    let bound = try BoundPath(path, in: table)
    try bound.requireAggregate(aggregate)
    // Sorting does not change the set of objects.
    let isWhole = query.stages.allSatisfy { if case .sort = $0 { true } else { false } }
    guard isWhole, query.request.source == .all, query.isPossible else {
      return try self.aggregate(aggregate, bound, of: objectIDs())
    }
    if let value = try end(aggregate, path) { return value }
    if let found = try findByIndex(upTo: nil) {
      let ids = try found.isExact ? found.ids : filtered(found.ids, query.condition, upTo: nil)
      return try self.aggregate(aggregate, bound, of: ids)
    }
    tally.isScan = true
    return try table.aggregate(aggregate, bound, matching: scannedCondition())
  }

  private mutating func aggregate(
    _ aggregate: QueryAggregate, _ path: BoundPath, of ids: [ObjectID]
  ) throws -> PropertyValue {
    let source = QuerySource(table.session)
    var accumulator = QueryAccumulator(aggregate)
    for id in ids {
      _ = try path.forEachValue(id, table.requiredRecord(id, &tally), source) { value in
        accumulator.add(value)
        return true
      }
    }
    return try accumulator.result(of: path)
  }

  /// Returns the minimum or maximum from the end of an index. Returns nil if no index has it there.
  private mutating func end(
    _ aggregate: QueryAggregate, _ path: QueryPath
  ) throws -> PropertyValue? {
    guard aggregate == .minimum || aggregate == .maximum else { return nil }
    let keys = [QuerySortKey(path, isAscending: aggregate == .minimum)]
    guard let walk = IndexOrder(keys, query.leading?.condition, in: table, skipsNil: true),
      walk.isExact,
      let ids = try objectIDs(walk, QueryOrder(keys, in: table), upTo: 1, reading: .max)
    else { return nil }
    guard let id = ids.first else { return .null }
    guard case .property(let name)? = path.steps.first else { return nil }
    let position = try table.resolved.requiredPosition(of: name)
    return try table.value(position, of: table.requiredRecord(id, &tally), id)
  }
}
