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

/// An operation on the objects that the previous stage returns.
package enum QueryStage: Hashable, Sendable {
  /// A filter that keeps the objects that satisfy a condition.
  case filter(QueryCondition)
  /// A sort. Objects that tie keep their order.
  case sort([QuerySortKey])
  /// A filter that keeps the first object of those with the same values.
  case distinct([QueryPath])
  /// The number of objects to drop from the start.
  case offset(Int)
  /// The limit on the number of objects.
  case limit(Int)
}

/// A value to sort by. Nil comes first, then numbers, then NaN. Texts are sorted by their UTF-8.
package struct QuerySortKey: Hashable, Sendable {
  /// The path to the value. It may lead through links to single objects.
  package var path: QueryPath
  package var isAscending: Bool

  package init(_ path: QueryPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}
