/// A query on one class: its objects pass through stages, one after another.
package struct QueryRequest: Hashable, Sendable {
  package var className: String
  package var source: Source
  package var stages: [QueryStage]

  package init(
    _ className: String, _ stages: [QueryStage] = [], from source: Source = .all
  ) {
    self.className = className
    self.source = source
    self.stages = stages
  }
}

/// An operation on the objects that leave the stage before it.
package enum QueryStage: Hashable, Sendable {
  /// Keeps the objects that meet a condition.
  case filter(QueryCondition)
  /// Sorts the objects. Objects that tie keep their order.
  case sort([QuerySortKey])
  /// Keeps the first of the objects that have the same values.
  case distinct([QueryPath])
  /// Drops this many objects from the start.
  case offset(Int)
  /// Keeps at most this many objects.
  case limit(Int)
}

/// A value to sort by: nil comes first, then numbers, then NaN. Texts sort by their UTF-8.
package struct QuerySortKey: Hashable, Sendable {
  /// The path to the value. It may lead through links to single objects.
  package var path: QueryPath
  package var isAscending: Bool

  package init(_ path: QueryPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}
