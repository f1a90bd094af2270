public import WhimbrelEngine

/// Objects of a class as ``DynamicObject``s, live: those that a query finds, in its order,
/// as the store shows them at any moment.
///
/// ```swift
/// let zones = try store.dynamicObjects("Zone").sorted(by: "country.name").limit(10)
/// for zone in zones { print(zone["identifier"]) }
/// ```
///
/// All is as with ``Results``; what names a property checks that the class has it, and
/// throws.
public struct DynamicResults: LiveObjects {
  let base: ObjectList
  let objects: StoredObjects

  init(_ base: ObjectList, _ objects: StoredObjects) {
    self.base = base
    self.objects = objects
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  public var endIndex: Int { base.count }

  /// How many objects there are.
  ///
  /// - Complexity: O(1) for all objects of a class. For others what it takes to find them,
  ///   once for as long as the store shows the same.
  public var count: Int { base.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { base.isEmpty }

  /// The object at a position. A position that is not there stops the program.
  ///
  /// - Complexity: O(1); for the first one after a change, what it takes to find them all.
  public subscript(position: Int) -> DynamicObject {
    objects.object(base.row(at: position).id)
  }

  /// The first object, or nil.
  public var first: DynamicObject? { base.first.map { objects.object($0.id) } }

  /// The last object, or nil.
  public var last: DynamicObject? { base.last.map { objects.object($0.id) } }

  /// The identities of the objects, in their order.
  public var ids: [ObjectID] { base.ids }

  /// Goes through the objects that there are now, from the first to the last; those that
  /// are deleted on the way are left out.
  public func makeIterator() -> Iterator {
    Iterator(cursor: base.makeCursor(), objects: objects)
  }

  /// Goes through objects of a class.
  public struct Iterator: IteratorProtocol {
    fileprivate let cursor: ObjectCursor
    fileprivate let objects: StoredObjects

    /// The next object, or nil at the end.
    public mutating func next() -> DynamicObject? {
      cursor.next().map { objects.object($0.id) }
    }
  }
}

@available(*, unavailable)
extension DynamicResults: Sendable {}

extension DynamicResults: CustomStringConvertible {
  /// How many objects there are, and the first of them with their properties, each on a line.
  public var description: String { base.printed { objects.object($0.id).description } }
}

// MARK: - Stages

extension DynamicResults {
  private func appending(_ stage: QueryStage) throws -> DynamicResults {
    DynamicResults(try base.appendingChecked([stage]), objects)
  }

  /// The objects that a query in text is met by, and what else it says: an order, a
  /// limit.
  ///
  /// ```swift
  /// let zones = try store.dynamicObjects("Zone").where("latitude > $0 LIMIT(10)", 60)
  /// ```
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - arguments: the values of `$0`, `$1` … or `%@`: what properties may have, objects
  ///     of this store, nil, and arrays of them.
  /// - Throws: ``StoreError`` with `invalidQuery`, whose ``StoreError/underlying`` error has
  ///   the place in the text, or `queryMismatch`.
  public func `where`(_ text: String, _ arguments: Any?...) throws -> DynamicResults {
    DynamicResults(try base.appending(text, arguments), objects)
  }

  /// The objects in the order of a property: nil first, and those that tie as they were.
  ///
  /// - Parameters:
  ///   - name: a property, or a way to one through links to single objects, as queries have
  ///     it: `"country.name"`, or "`link origin`.name" for a name that is quoted in queries.
  ///   - ascending: whether the smallest comes first. The default is `true`.
  /// - Throws: ``StoreError`` with `unknownProperty`, or when objects have no order by it.
  public func sorted(by name: String, ascending: Bool = true) throws -> DynamicResults {
    try appending(.sort([QuerySortKey(path(name), isAscending: ascending)]))
  }

  /// The first of those objects that have the same values.
  ///
  /// - Parameter names: properties, or ways to them through links to single objects.
  /// - Throws: ``StoreError`` as ``sorted(by:ascending:)``.
  public func distinct(by names: String...) throws -> DynamicResults {
    try appending(.distinct(names.map(path)))
  }

  /// The first objects of these.
  ///
  /// - Parameter count: how many at most; none when it is negative.
  public func limit(_ count: Int) -> DynamicResults {
    DynamicResults(base.appending([.limit(Swift.max(count, 0))]), objects)
  }

  /// The objects of these but the first.
  ///
  /// - Parameter count: how many are left out; none when it is negative.
  public func offset(_ count: Int) -> DynamicResults {
    DynamicResults(base.appending([.offset(Swift.max(count, 0))]), objects)
  }

  /// How the results are found: see ``Results/explain()``.
  public func explain() throws -> QueryExplanation { try base.query().explanation() }
}

// MARK: - Aggregates

extension DynamicResults {
  /// The smallest value of a property, or nil when there is none.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or when the values have no order.
  public func min(of name: String) throws -> PropertyValue { try aggregate(.minimum, name) }

  /// The greatest value of a property, or nil when there is none.
  ///
  /// - Throws: ``StoreError`` as ``min(of:)``.
  public func max(of name: String) throws -> PropertyValue { try aggregate(.maximum, name) }

  /// The sum of a property that is a number; 0 when there is none.
  ///
  /// - Throws: ``StoreError`` as ``average(of:)``.
  public func sum(of name: String) throws -> PropertyValue { try aggregate(.sum, name) }

  /// The average of a property that is a number, or nil when there is none.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or when it is no number.
  public func average(of name: String) throws -> PropertyValue { try aggregate(.average, name) }

  private func aggregate(_ aggregate: QueryAggregate, _ name: String) throws -> PropertyValue {
    try base.query().aggregate(aggregate, path(name))
  }
}

extension DynamicResults {
  /// The path that a text is: the name of a property, whatever characters it has, or a path in
  /// the language of queries.
  private func path(_ text: String) -> QueryPath {
    let table = base.session.find(base.request.className)
    let isName = table?.resolved.position(of: text) != nil
    return (isName ? nil : QueryPath(parsing: text)) ?? QueryPath(text)
  }
}
