public import WhimbrelEngine

/// The objects of a model in a store that a query finds, in the order of the query. They are live:
/// they always show the current state of the store.
///
/// ```swift
/// let zones = store.objects(Zone.self)
///   .where { $0.latitude > 60 }
///   .sorted(by: \.country.name)
///   .limit(10)
/// for zone in zones { print(zone.identifier) }
/// ```
///
/// The query runs when the results are first used. Its answer is cached, and takes 8 bytes per object.
/// It runs again after a change that it reads: of an object that was added or removed, or of a
/// property in a condition or an order, also in the middle of a write. After a commit of another
/// store, it runs again if any object of the classes has changed. The first time it runs again after
/// any change.
///
/// Iteration visits the objects that exist when it begins, in the order of that moment, even if
/// they change meanwhile. It still visits an object that no longer matches the query, does not
/// visit an object that matches only later, and skips objects that are deleted. Iterating over all
/// objects of a model needs no lookups and no memory. In that case, a new object is visited if its
/// integer primary key lies between the keys of the current and the last object.
///
/// Indexes are valid until the next change. If you change objects so that the results change,
/// iterate over them instead of using indexes.
public struct Results<Element: Model>: QueryableObjects {
  @usableFromInline let base: ObjectList

  @usableFromInline
  init(_ base: ObjectList) {
    self.base = base
  }

  /// Returns the results with a stage appended.
  func appending(_ stage: QueryStage) -> Results { Results(base.appending([stage])) }

  /// Returns the results with a stage appended. If making the stage fails, the results are empty,
  /// and the next throwing call rethrows the deferred error.
  func appending(_ stage: () throws -> QueryStage) -> Results {
    do { return appending(try stage()) } catch { return Results(base.failing(error)) }
  }

  /// The results themselves.
  public var results: Results { self }

  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { base.count }

  /// The number of objects.
  ///
  /// - Complexity: O(1) for all objects of a model. Otherwise the cost of running the query, unless
  ///   its answer is cached. No objects are made.
  public var count: Int { base.count }

  /// Whether the collection is empty.
  ///
  /// - Complexity: As ``first``.
  public var isEmpty: Bool { base.isEmpty }

  /// The object at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(log *n*). The first access after a change costs as much as running the query.
  public subscript(position: Int) -> Element {
    Element(_$row: base.row(at: position))
  }

  /// The objects that are at a range of indexes now.
  ///
  /// - Complexity: O(1). The first access after a change costs as much as running the query.
  public subscript(bounds: Range<Int>) -> ResultsSlice<Element> {
    ResultsSlice(base, base.ids(at: bounds))
  }

  /// Returns the first objects, as they are now, or all if there are fewer.
  ///
  /// - Complexity: As the query with a limit, unless its answer is cached.
  public func prefix(_ maxLength: Int) -> ResultsSlice<Element> {
    precondition(maxLength >= 0, "A prefix has no negative length.")
    return ResultsSlice(base, base.firstIDs(maxLength))
  }

  /// The first object, or nil.
  ///
  /// - Complexity: O(log *n*) for all objects of a model. Otherwise the cost of finding one object.
  ///   Results of a collection or an inverse also read the IDs of its *m* objects, in O(*m*).
  public var first: Element? { base.first.map(Element.init(_$row:)) }

  /// The last object, or nil.
  ///
  /// - Complexity: O(log *n*) for all objects of a model. Otherwise the cost of running the query.
  public var last: Element? { base.last.map(Element.init(_$row:)) }

  /// Returns an iterator over the objects that exist now, from the first to the last.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(base.makeCursor()) }

  /// An iterator over objects of a model.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let cursor: ObjectCursor

    @inlinable
    init(_ cursor: ObjectCursor) {
      self.cursor = cursor
    }

    /// Returns the next object, or nil at the end.
    @inlinable
    public mutating func next() -> Element? {
      guard let row = cursor.next() else { return nil }
      return Element(_$row: row)
    }
  }
}

@available(*, unavailable)
extension Results: Sendable {}

extension Results: CustomStringConvertible {
  /// The number of objects, and the first objects with their properties, one on each line.
  public var description: String { base.printed { "\(Element(_$row: $0))" } }
}

// MARK: - Finding

extension Results {
  /// The IDs of the objects, in their order. No objects are made.
  ///
  /// ```swift
  /// let far = store.objects(Zone.self).where { $0.latitude > 60 }.ids
  /// ```
  ///
  /// - Complexity: O(1). The first access after a change costs as much as running the query.
  public var ids: [ObjectID] { base.ids }

  /// Returns the index of an object, or nil if the results do not contain it.
  ///
  /// The objects in front of it are counted, in the order of an index if one has the order of the
  /// results. This needs no list of the objects, unless a condition follows a limit, the results
  /// are of a collection, or `distinct(by:)` is involved.
  ///
  /// - Complexity: O(*n*), and no memory that grows with *n*.
  public func index(of object: Element) -> Int? { base.position(of: object._$row) }

  /// Returns the index of the first object that meets a condition, or nil. No objects are made.
  ///
  /// ```swift
  /// let position = zones.index(matching: { $0.country.name == "Norway" })
  /// ```
  ///
  /// - Complexity: O(*n*). The first call after a change also runs the query.
  public func index(matching isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Int? {
    base.position { try QueryValue.condition(base.session, isIncluded) }
  }

  /// Returns whether the results contain an object.
  ///
  /// - Complexity: O(log *n*) if the query has only conditions on all objects of a model. Otherwise
  ///   O(*n*), and the first call after a change also runs the query.
  public func contains(_ object: Element) -> Bool { base.contains(object._$row) }

  /// Returns how the store finds the results: the index it uses, the data it scans, and the number
  /// of objects it reads.
  ///
  /// ```swift
  /// print(try store.objects(Zone.self).where { $0.identifier == "Asia/Tokyo" }.explain())
  /// ```
  ///
  /// The call runs the query to find out.
  ///
  /// - Throws: ``StoreError`` if objects cannot be read.
  public func explain() throws -> QueryExplanation { try base.explanation() }
}
