internal import WhimbrelEngine

/// What ``QueryableObjects/sorted(by:)`` puts objects of a model in order by.
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

  /// The smallest value first.
  ///
  /// - Parameter keyPath: a property, or a way to one through links to single objects.
  public static func ascending<Path: SortablePath>(
    _ keyPath: KeyPath<ObjectPath<Root>, Path>
  ) -> SortKey {
    SortKey(keyPath, isAscending: true)
  }

  /// The greatest value first.
  ///
  /// - Parameter keyPath: a property, or a way to one through links to single objects.
  public static func descending<Path: SortablePath>(
    _ keyPath: KeyPath<ObjectPath<Root>, Path>
  ) -> SortKey {
    SortKey(keyPath, isAscending: false)
  }
}

@available(*, unavailable)
extension SortKey: Sendable {}
