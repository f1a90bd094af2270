public import WhimbrelEngine

/// The objects of a class that a query finds, as ``DynamicObject``s, in the order of the query.
/// They are live: they always show the current state of the store.
///
/// ```swift
/// let zones = try store.dynamicObjects("Zone").sorted(by: "country.name").limit(10)
/// for zone in zones { print(zone["identifier"]) }
/// ```
///
/// They behave like ``Results``. Methods that take the name of a property check that the class has
/// it, and throw otherwise.
public struct DynamicResults: LiveElements {
  let base: ObjectList
  private let known: StoredObjects

  init(_ base: ObjectList, _ objects: StoredObjects) {
    self.base = base
    known = objects
  }

  /// The objects of the class that has the name now.
  var objects: StoredObjects { known.present }

  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { base.count }

  /// The number of objects.
  ///
  /// - Complexity: O(1) for all objects of a class. Otherwise the cost of running the query, once
  ///   until the store changes.
  public var count: Int { base.count }

  /// Whether the collection is empty.
  public var isEmpty: Bool { base.isEmpty }

  /// The object at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(1). The first access after a change costs as much as running the query.
  public subscript(position: Int) -> DynamicObject {
    objects.object(base.row(at: position).id)
  }

  /// The first object, or nil.
  public var first: DynamicObject? { base.first.map { objects.object($0.id) } }

  /// The last object, or nil.
  public var last: DynamicObject? { base.last.map { objects.object($0.id) } }

  /// The IDs of the objects, in their order.
  public var ids: [ObjectID] { base.ids }

  /// Returns an iterator over the objects that exist now. Objects that are deleted during the
  /// iteration are skipped.
  public func makeIterator() -> Iterator {
    Iterator(cursor: base.makeCursor(), objects: objects)
  }

  /// An iterator over objects of a class.
  public struct Iterator: IteratorProtocol {
    fileprivate let cursor: ObjectCursor
    fileprivate let objects: StoredObjects

    /// Returns the next object, or nil at the end.
    public mutating func next() -> DynamicObject? {
      cursor.next().map { objects.object($0.id) }
    }
  }
}

@available(*, unavailable)
extension DynamicResults: Sendable {}

extension DynamicResults: CustomStringConvertible {
  /// The number of objects, and the first objects with their properties, one on each line.
  public var description: String { base.printed { objects.object($0.id).description } }
}

// MARK: - Stages

extension DynamicResults {
  private func appending(_ stage: QueryStage) throws -> DynamicResults {
    DynamicResults(try base.appendingChecked([stage]), objects)
  }

  /// Returns the objects that match a query in text. The query may also sort and limit them.
  ///
  /// ```swift
  /// let zones = try store.dynamicObjects("Zone").where("latitude > $0 LIMIT(10)", 60)
  /// ```
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - arguments: The values of `$0`, `$1` and so on, or of `%@`: values that properties may
  ///     have, objects of this store, nil, and arrays of these.
  /// - Throws: ``StoreError`` with `invalidQuery`, whose ``StoreError/underlying`` error has the
  ///   position in the text, or with `queryMismatch`.
  public func `where`(_ text: String, _ arguments: Any?...) throws -> DynamicResults {
    DynamicResults(try base.appending(text, arguments), objects)
  }

  /// Returns the objects sorted by a property. Nil comes first, and objects with equal values keep
  /// their order.
  ///
  /// - Parameters:
  ///   - name: A property, or a path to one through links to single objects, in the syntax of
  ///     queries: `"country.name"`, or "`link origin`.name" for a name that queries quote.
  ///   - ascending: Whether the smallest value comes first. The default is `true`.
  /// - Throws: ``StoreError`` with `unknownProperty`, and an error if the values of the property
  ///   have no order.
  public func sorted(by name: String, ascending: Bool = true) throws -> DynamicResults {
    try appending(.sort([QuerySortKey(path(name), isAscending: ascending)]))
  }

  /// Returns the first object of each group of objects with the same values.
  ///
  /// - Parameter names: Properties, or paths to them through links to single objects.
  /// - Throws: ``StoreError`` as ``sorted(by:ascending:)``.
  public func distinct(by names: String...) throws -> DynamicResults {
    try appending(.distinct(names.map(path)))
  }

  /// Returns the first objects of these.
  ///
  /// - Parameter count: The limit. A negative limit returns no objects.
  public func limit(_ count: Int) -> DynamicResults {
    DynamicResults(base.appending([.limit(Swift.max(count, 0))]), objects)
  }

  /// Returns these objects without the first ones.
  ///
  /// - Parameter count: The number of objects to skip. A negative number skips none.
  public func offset(_ count: Int) -> DynamicResults {
    DynamicResults(base.appending([.offset(Swift.max(count, 0))]), objects)
  }

  /// Returns how the store finds the results: see ``Results/explain()``.
  public func explain() throws -> QueryExplanation { try base.explanation() }
}

// MARK: - Aggregates

extension DynamicResults {
  /// Returns the smallest value of a property, or null if there is none. If values of any type are of
  /// different kinds, they have the order of a set.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, and an error if the values have no order.
  public func min(of name: String) throws -> PropertyValue { try aggregate(.minimum, name) }

  /// Returns the greatest value of a property, or null if there is none.
  ///
  /// - Throws: ``StoreError`` as ``min(of:)``.
  public func max(of name: String) throws -> PropertyValue { try aggregate(.maximum, name) }

  /// Returns the sum of a numeric property, or 0 if there are no values.
  ///
  /// - Throws: ``StoreError`` as ``average(of:)``.
  public func sum(of name: String) throws -> PropertyValue { try aggregate(.sum, name) }

  /// Returns the average of a numeric property, or null if there are no values.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, and an error if the property is not a number.
  public func average(of name: String) throws -> PropertyValue { try aggregate(.average, name) }

  private func aggregate(_ aggregate: QueryAggregate, _ name: String) throws -> PropertyValue {
    try base.session.file.explaining { try base.query().aggregate(aggregate, path(name)) }
  }
}

extension DynamicResults {
  /// Returns the path for a text: a property of that name, even with special characters, or else a
  /// path in the query language.
  private func path(_ text: String) -> QueryPath {
    let table = base.session.find(base.className)
    let isName = table?.resolved.position(of: text) != nil
    return (isName ? nil : QueryPath(parsing: text)) ?? QueryPath(text)
  }
}
