internal import WhimbrelLMDB

/// Work on all objects of a class.
extension ClassTable {
  /// The objects that meet a condition, in the order of their IDs.
  ///
  /// - Complexity: O(*n*).
  package func objectIDs(matching condition: BoundCondition) throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachObject(matching: condition) { id, _ in ids.append(id) }
    return ids
  }

  /// How many objects meet a condition.
  ///
  /// - Complexity: O(*n*).
  package func count(matching condition: BoundCondition) throws -> Int {
    var count = 0
    try forEachObject(matching: condition) { _, _ in count += 1 }
    return count
  }

  /// A value worked out of what a path leads to from all objects that meet a condition.
  ///
  /// - Complexity: O(*n*).
  package func aggregate(
    _ aggregate: QueryAggregate, _ path: BoundPath, matching condition: BoundCondition?
  ) throws -> PropertyValue {
    try path.requireAggregate(aggregate)
    let source = QuerySource(session.view)
    var accumulator = QueryAccumulator(aggregate)
    try forEachObject(matching: condition) { id, record in
      _ = try path.forEachValue(id, record, source) { value in
        accumulator.add(value)
        return true
      }
    }
    return try accumulator.result(of: path)
  }

  private func forEachObject(
    matching condition: BoundCondition?, _ body: (ObjectID, PageBytes) throws -> Void
  ) throws {
    try forEachRecord { id, record in
      _ = try layout(of: record, id)
      if try condition?.matches(record, id) ?? true { try body(id, record) }
    }
  }
}
