internal import WhimbrelEngine

/// A property and a direction that ``QueryableObjects/sorted(by:)`` sorts by.
///
/// ```swift
/// let zones = store.objects(Zone.self)
///   .sorted(by: [.ascending(\.country.name), .descending(\.latitude)])
/// ```
public struct SortKey<Root: Model> {
  let key: Result<QuerySortKey, any Error>

  private init(_ keyPath: KeyPath<ObjectPath<Root>, some SortablePath>, isAscending: Bool) {
    key = Result { QuerySortKey(try ObjectPath.query(keyPath), isAscending: isAscending) }
  }

  /// Returns a key that sorts the smallest value first.
  ///
  /// - Parameter keyPath: A property, or a path to one through links to single objects.
  public static func ascending<Path: SortablePath>(
    _ keyPath: KeyPath<ObjectPath<Root>, Path>
  ) -> SortKey {
    SortKey(keyPath, isAscending: true)
  }

  /// Returns a key that sorts the greatest value first.
  ///
  /// - Parameter keyPath: A property, or a path to one through links to single objects.
  public static func descending<Path: SortablePath>(
    _ keyPath: KeyPath<ObjectPath<Root>, Path>
  ) -> SortKey {
    SortKey(keyPath, isAscending: false)
  }
}

@available(*, unavailable)
extension SortKey: Sendable {}
