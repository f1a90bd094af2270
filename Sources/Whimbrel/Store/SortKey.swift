internal import WhimbrelEngine

/// What ``QueryableObjects/sorted(by:)`` puts objects of a model in order by.
///
/// ```swift
/// let zones = store.objects(Zone.self)
///   .sorted(by: [.ascending(\.country.name), .descending(\.latitude)])
/// ```
public struct SortKey<Root: Model> {
  let key: QuerySortKey

  /// The smallest value first.
  ///
  /// - Parameter keyPath: a property, or a way to one through links to single objects.
  public static func ascending<Value>(
    _ keyPath: KeyPath<Query<Root>, Query<Value>>
  ) -> SortKey {
    SortKey(key: QuerySortKey(keyPath.queryPath(), isAscending: true))
  }

  /// The greatest value first.
  ///
  /// - Parameter keyPath: a property, or a way to one through links to single objects.
  public static func descending<Value>(
    _ keyPath: KeyPath<Query<Root>, Query<Value>>
  ) -> SortKey {
    SortKey(key: QuerySortKey(keyPath.queryPath(), isAscending: false))
  }
}

@available(*, unavailable)
extension SortKey: Sendable {}

extension KeyPath {
  /// The way from an object to a property that a key path is.
  func queryPath<Element: Model, Property>() -> QueryPath
  where Root == Query<Element>, Value == Query<Property> {
    Query<Element>(of: nil)[keyPath: self].part.path
  }
}
