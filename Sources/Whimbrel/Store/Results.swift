internal import WhimbrelEngine

/// The objects of a model in a store, live: they show what the store shows at any
/// moment.
///
/// Going through them from the first to the last costs no lookup. Objects that
/// are deleted on the way are left out, and objects that are added on the way are
/// not visited.
///
/// Positions are worked out when the first is asked for, for as long as the store
/// shows the same: 8 bytes an object.
public struct Results<Element: Model>: RandomAccessCollection {
  @usableFromInline let base: ObjectList

  init(_ base: ObjectList) {
    self.base = base
  }

  /// The same objects after another stage.
  func appending(_ stage: QueryStage) -> Results { Results(base.appending([stage])) }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { base.count }

  /// How many objects there are.
  ///
  /// - Complexity: O(1).
  public var count: Int { base.count }

  /// The object at a position.
  ///
  /// - Complexity: O(log *n*); O(*n*) for the first after a change.
  public subscript(position: Int) -> Element {
    Element(_$row: base.row(at: position))
  }

  /// The first object, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var first: Element? { base.first.map(Element.init(_$row:)) }

  /// The last object, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var last: Element? { base.last.map(Element.init(_$row:)) }

  /// Goes through the objects from the first to the last.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(base._$makeCursor()) }

  /// Goes through the objects of a model.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let cursor: ObjectCursor

    @inlinable
    init(_ cursor: ObjectCursor) {
      self.cursor = cursor
    }

    /// The next object, or nil at the end.
    @inlinable
    public mutating func next() -> Element? {
      guard let row = cursor._$next() else { return nil }
      return Element(_$row: row)
    }
  }
}

@available(*, unavailable)
extension Results: Sendable {}
