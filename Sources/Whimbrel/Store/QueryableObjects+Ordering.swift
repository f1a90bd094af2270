internal import WhimbrelEngine

extension QueryableObjects {
  /// The objects in the order of a property.
  ///
  /// ```swift
  /// let zones = store.objects(Zone.self).sorted(by: \.country.name)
  /// ```
  ///
  /// Nil comes first, also where a link on the way is nil; then `false` before `true`,
  /// numbers and dates by their value with NaN behind them, and text by its UTF-8.
  /// Descending it is the other way round. Objects that tie stay in the order that they
  /// had.
  ///
  /// - Parameters:
  ///   - keyPath: a property, or a way to one through links to single objects, which are
  ///     written as if they were never nil. Data, values of any type, collections and
  ///     links themselves have no order: to ask for it is an error of the program.
  ///   - ascending: whether the smallest comes first. The default is `true`.
  /// - Complexity: O(1); finding them takes O(*n* log *n*), and O(*n*) for an indexed
  ///   property.
  public func sorted<Value>(
    by keyPath: KeyPath<Query<Element>, Query<Value>>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [ascending ? .ascending(keyPath) : .descending(keyPath)])
  }

  /// The objects in the order of several properties: by the second where the first ties,
  /// and so on.
  ///
  /// ```swift
  /// let zones = store.objects(Zone.self)
  ///   .sorted(by: [.ascending(\.country.name), .descending(\.latitude)])
  /// ```
  ///
  /// - Complexity: as ``sorted(by:ascending:)``.
  public func sorted(by keys: [SortKey<Element>]) -> Results<Element> {
    if keys.isEmpty { return results }
    return results.appending(.sort(keys.map(\.key)))
  }

  /// The first of those objects that have the same value.
  ///
  /// ```swift
  /// let onePerCountry = store.objects(Zone.self).sorted(by: \.identifier)
  ///   .distinct(by: \.country.name)
  /// ```
  ///
  /// Nil is a value too, and NaN one.
  ///
  /// - Parameter keyPaths: properties, or ways to them through links to single objects.
  ///   Objects count as the same when the values of all of them are.
  /// - Complexity: O(1); finding them takes O(*n*).
  public func distinct<each Value>(
    by keyPaths: repeat KeyPath<Query<Element>, Query<each Value>>
  ) -> Results<Element> {
    var paths: [QueryPath] = []
    for keyPath in repeat each keyPaths { paths.append(keyPath.queryPath()) }
    return results.appending(.distinct(paths))
  }
}
