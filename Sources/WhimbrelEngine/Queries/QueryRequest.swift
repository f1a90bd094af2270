/// What is asked of a class: its objects go through stages, one after the other.
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

/// What happens to the objects that the stage before let through.
package enum QueryStage: Hashable, Sendable {
  /// Only those go on that meet a condition.
  case filter(QueryCondition)
  /// They are put in an order; those that tie stay as they were.
  case sort([QuerySortKey])
  /// Of those with the same values only the first goes on.
  case distinct([QueryPath])
  /// The first ones are left out.
  case offset(Int)
  /// Only so many go on.
  case limit(Int)
}

/// A value by which objects are put in an order: nil first, then numbers, NaN behind
/// them, and text by its UTF-8.
package struct QuerySortKey: Hashable, Sendable {
  /// It leads through links to single objects.
  package var path: QueryPath
  package var isAscending: Bool

  package init(_ path: QueryPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}
