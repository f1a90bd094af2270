internal import WhimbrelEngine

extension QueryableObjects {
  /// Returns the objects sorted by a property.
  ///
  /// ```swift
  /// let zones = store.objects(Zone.self).sorted(by: \.country.name)
  /// ```
  ///
  /// Nil comes first, also if a link on the path is nil. Then `false` comes before `true`, numbers
  /// and dates are ordered by value with NaN last, and text is ordered by its UTF-8. Descending
  /// reverses this order. Objects with equal values keep their order.
  ///
  /// - Parameters:
  ///   - keyPath: A property, or a path to one through links to single objects, written as if the
  ///     links were never nil. Data, `AnyValue`, collections and links themselves have no order.
  ///   - ascending: Whether the smallest value comes first. The default is `true`.
  /// - Complexity: O(1). Finding the objects takes O(*n* log *n*), or O(*n*) for an indexed
  ///   property.
  public func sorted<Path: SortablePath>(
    by keyPath: KeyPath<ObjectPath<Element>, Path>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [ascending ? .ascending(keyPath) : .descending(keyPath)])
  }

  /// Returns the objects sorted by several properties. The second property orders objects with
  /// equal values of the first, and so on.
  ///
  /// ```swift
  /// let zones = store.objects(Zone.self)
  ///   .sorted(by: [.ascending(\.country.name), .descending(\.latitude)])
  /// ```
  ///
  /// - Complexity: As ``sorted(by:ascending:)``.
  public func sorted(by keys: [SortKey<Element>]) -> Results<Element> {
    if keys.isEmpty { return results }
    return results.appending { .sort(try keys.map { try $0.key.get() }) }
  }

  /// Returns the first object of each group of objects with the same values.
  ///
  /// ```swift
  /// let onePerCountry = store.objects(Zone.self).sorted(by: \.identifier)
  ///   .distinct(by: \.country.name)
  /// ```
  ///
  /// Nil counts as a value, and so does NaN.
  ///
  /// - Parameter keyPaths: Properties, or paths to them through links to single objects. Links
  ///   themselves are also allowed. Objects are the same if all of these values are equal.
  /// - Complexity: O(1). Finding the objects takes O(*n*).
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

// MARK: - Paths without an order

// The compiler chooses these overloads if nothing else fits. For a property that does not exist,
// its own message says that `NoSuchProperty<Zone>` does not conform to `SortablePath`.
extension QueryableObjects {
  /// Unavailable. Explains in the compiler's message that links have no order.
  @available(
    *, unavailable,
    message: """
      Links have no order. Sort by a property of the linked objects, as in '\\.country.name'.
      """
  )
  @_disfavoredOverload
  public func sorted<Target: Model>(
    by keyPath: KeyPath<ObjectPath<Element>, ObjectPath<Target>>, ascending: Bool = true
  ) -> Results<Element> { results }

  /// Unavailable. Explains in the compiler's message which values have an order.
  @available(
    *, unavailable,
    message: """
      Values of this type have no order. Sort by a property that is a Bool, a number, a String, a \
      date, a UUID, an ObjectId or an enum.
      """
  )
  @_disfavoredOverload
  public func sorted<Value: QueryMember>(
    by keyPath: KeyPath<ObjectPath<Element>, PropertyPath<Value>>, ascending: Bool = true
  ) -> Results<Element> { results }

  /// Unavailable. Explains in the compiler's message that the path does not lead to a single value.
  @available(
    *, unavailable,
    message: """
      The path continues after a collection or a value, and does not lead to one value. Follow \
      only links to single objects, as in '\\.country.name'.
      """
  )
  @_disfavoredOverload
  public func sorted<Value>(
    by keyPath: KeyPath<ObjectPath<Element>, NoSingleValue<Value>>, ascending: Bool = true
  ) -> Results<Element> { results }
}
