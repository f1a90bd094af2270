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
  ///     links themselves have no order.
  ///   - ascending: whether the smallest comes first. The default is `true`.
  /// - Complexity: O(1); finding them takes O(*n* log *n*), and O(*n*) for an indexed
  ///   property.
  public func sorted<Path: SortablePath>(
    by keyPath: KeyPath<ObjectPath<Element>, Path>, ascending: Bool = true
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
    return results.appending { .sort(try keys.map { try $0.key.get() }) }
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
  /// - Parameter keyPaths: properties, or ways to them through links to single objects; also
  ///   links themselves. Objects count as the same when the values of all of them are.
  /// - Complexity: O(1); finding them takes O(*n*).
  public func distinct<each Path: DistinctPath>(
    by keyPaths: repeat KeyPath<ObjectPath<Element>, each Path>
  ) -> Results<Element> {
    results.appending {
      var paths: [QueryPath] = []
      for keyPath in repeat each keyPaths { paths.append(try ObjectPath.query(keyPath)) }
      return .distinct(paths)
    }
  }
}

// MARK: - What has no order

// The compiler comes to these when nothing else fits. Of a property that is not there it says
// itself that `NoSuchProperty<Zone>` is no `SortablePath`.
extension QueryableObjects {
  /// Explains that links have no order.
  @available(
    *, unavailable,
    message: """
      Links have no order. Sort by a property of the objects that they lead to, as in \
      '\\.country.name'.
      """
  )
  @_disfavoredOverload
  public func sorted<Target: Model>(
    by keyPath: KeyPath<ObjectPath<Element>, ObjectPath<Target>>, ascending: Bool = true
  ) -> Results<Element> { results }

  /// Explains which values have an order.
  @available(
    *, unavailable,
    message: """
      Values of this type have no order. Sort by a property that is a Bool, a number, a text, a \
      date, a UUID, an ObjectId or an enum.
      """
  )
  @_disfavoredOverload
  public func sorted<Value: QueryMember>(
    by keyPath: KeyPath<ObjectPath<Element>, PropertyPath<Value>>, ascending: Bool = true
  ) -> Results<Element> { results }

  /// Explains that many values have no order.
  @available(
    *, unavailable,
    message: """
      The path goes on behind a collection or a value, and does not lead to one value. Lead it \
      through links to single objects, as in '\\.country.name'.
      """
  )
  @_disfavoredOverload
  public func sorted<Value>(
    by keyPath: KeyPath<ObjectPath<Element>, NoSingleValue<Value>>, ascending: Bool = true
  ) -> Results<Element> { results }
}
