public import WhimbrelEngine

/// Objects of a model in a store, live: those that a query finds, in its order, as the
/// store shows them at any moment.
///
/// ```swift
/// let zones = store.objects(Zone.self)
///   .where { $0.latitude > 60 }
///   .sorted(by: \.country.name)
///   .limit(10)
/// for zone in zones { print(zone.identifier) }
/// ```
///
/// Nothing is looked for until it is asked for. What is found is kept for as long as the
/// store shows the same, 8 bytes an object, and looked for again after a write or a
/// refresh. In a write, each change of an object is one.
///
/// Going through them visits what there is when it begins, in the order of that moment,
/// whatever is changed on the way: an object that no longer belongs to the results is
/// visited too, one that comes to belong to them is not, and those that are deleted are
/// left out. Going through all objects of a model takes no lookups and no memory; there,
/// a new object is visited if its integer primary key lies between those of the current
/// and the last one.
///
/// Positions are those of the moment. Where objects are changed so that others belong to
/// the results, go through them, rather than from position to position.
public struct Results<Element: Model>: QueryableObjects {
  @usableFromInline let base: ObjectList

  init(_ base: ObjectList) {
    self.base = base
  }

  /// The same objects after another stage.
  func appending(_ stage: QueryStage) -> Results { Results(base.appending([stage])) }

  /// The same objects after a stage that may not be one: the results are empty then, and the
  /// next call that can throw says why.
  func appending(_ stage: () throws -> QueryStage) -> Results {
    do { return appending(try stage()) } catch { return Results(base.failing(error)) }
  }

  /// These results.
  public var results: Results { self }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  public var endIndex: Int { base.count }

  /// How many objects there are.
  ///
  /// - Complexity: O(1) for all objects of a model. For others what it takes to find
  ///   them, once for as long as the store shows the same; no objects are made.
  public var count: Int { base.count }

  /// Whether there are no objects.
  ///
  /// - Complexity: that of ``first``.
  public var isEmpty: Bool { base.isEmpty }

  /// The object at a position. A position that is not there stops the program.
  ///
  /// - Complexity: O(log *n*); for the first one after a change, what it takes to find
  ///   them all.
  public subscript(position: Int) -> Element {
    Element(_$row: base.row(at: position))
  }

  /// The objects at positions: those that are there now.
  ///
  /// - Complexity: O(1); for the first time after a change, what it takes to find all.
  public subscript(bounds: Range<Int>) -> ResultsSlice<Element> {
    ResultsSlice(base, base.ids(at: bounds))
  }

  /// The first object, or nil.
  ///
  /// - Complexity: O(log *n*) for all objects of a model. For others what it takes to find
  ///   one.
  public var first: Element? { base.first.map(Element.init(_$row:)) }

  /// The last object, or nil.
  ///
  /// - Complexity: O(log *n*) for all objects of a model. For others what it takes to find
  ///   them all.
  public var last: Element? { base.last.map(Element.init(_$row:)) }

  /// Goes through the objects that there are now, from the first to the last.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(base.makeCursor()) }

  /// Goes through objects of a model.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let cursor: ObjectCursor

    @inlinable
    init(_ cursor: ObjectCursor) {
      self.cursor = cursor
    }

    /// The next object, or nil at the end.
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
  /// How many objects there are, and the first of them with their properties, each on a line.
  public var description: String { base.printed { "\(Element(_$row: $0))" } }
}

// MARK: - Finding

extension Results {
  /// The identities of the objects, in their order. No objects are made.
  ///
  /// ```swift
  /// let far = store.objects(Zone.self).where { $0.latitude > 60 }.ids
  /// ```
  ///
  /// - Complexity: O(1); for the first time after a change, what it takes to find them.
  public var ids: [ObjectID] { base.ids }

  /// The position of an object, or nil when it is not among these.
  ///
  /// - Complexity: O(*n*), and for the first time after a change what it takes to find
  ///   them.
  public func index(of object: Element) -> Int? { base.position(of: object._$row) }

  /// The position of the first object that meets a condition, or nil. No objects are
  /// made.
  ///
  /// ```swift
  /// let position = zones.index(matching: { $0.country.name == "Norway" })
  /// ```
  ///
  /// - Complexity: O(*n*), and for the first time after a change what it takes to find
  ///   them.
  public func index(matching isIncluded: (QueryValue<Element>) -> QueryValue<Bool>) -> Int? {
    base.position { try QueryValue.condition(base.session, isIncluded) }
  }

  /// Whether an object is among these.
  ///
  /// - Complexity: O(log *n*) where there are conditions only, else O(*n*), and for the first
  ///   time after a change what it takes to find them.
  public func contains(_ object: Element) -> Bool { base.contains(object._$row) }

  /// How the results are found: which index is used, what is gone through, and how many
  /// objects were read.
  ///
  /// ```swift
  /// print(try store.objects(Zone.self).where { $0.identifier == "Asia/Tokyo" }.explain())
  /// ```
  ///
  /// They are found anew to tell.
  ///
  /// - Throws: ``StoreError``, where objects cannot be read.
  public func explain() throws -> QueryExplanation { try base.query().explanation() }
}
