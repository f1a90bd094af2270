internal import WhimbrelEngine

/// A part of ``Results``, selected by indexes at one moment.
///
/// ```swift
/// let page = store.objects(Zone.self).sorted(by: \.identifier)[20..<40]
/// ```
///
/// A slice keeps the IDs of its objects. The objects are live, and iteration skips those that are
/// deleted. For a part that follows every change, use ``QueryableObjects/offset(_:)`` and
/// ``QueryableObjects/limit(_:)``.
public struct ResultsSlice<Element: Model>: LiveElements {
  private let base: ObjectList
  private let ids: ArraySlice<ObjectID>
  /// The epoch in which the objects were found. Later some of them may be deleted.
  private let epoch: UInt64
  /// The table in which the objects were found. Later another class may have its name.
  private let table: ClassTable

  /// Creates a slice of objects that have just been found.
  init(_ base: ObjectList, _ ids: ArraySlice<ObjectID>) {
    self.init(base, ids, foundIn: base.session.epoch, base.table)
  }

  private init(
    _ base: ObjectList, _ ids: ArraySlice<ObjectID>, foundIn epoch: UInt64, _ table: ClassTable
  ) {
    self.base = base
    self.ids = ids
    self.epoch = epoch
    self.table = table
  }

  /// The index of the first object, as in the results.
  public var startIndex: Int { ids.startIndex }

  /// The index after the last object.
  public var endIndex: Int { ids.endIndex }

  /// The object at an index. An index out of range stops the program.
  public subscript(position: Int) -> Element {
    base.requirePosition(position, in: ids.indices)
    return Element(_$row: base.row(of: ids[position], foundIn: epoch, in: table))
  }

  /// The objects at a range of indexes. An index out of range stops the program.
  public subscript(bounds: Range<Int>) -> ResultsSlice {
    base.requirePositions(bounds, in: ids.indices)
    return ResultsSlice(base, ids[bounds], foundIn: epoch, table)
  }

  /// Returns an iterator over the objects. It skips those that are deleted.
  public func makeIterator() -> Results<Element>.Iterator {
    Results<Element>.Iterator(base.cursor(through: ids, foundIn: epoch, in: table))
  }
}

@available(*, unavailable)
extension ResultsSlice: Sendable {}

extension ResultsSlice: CustomStringConvertible {
  /// The number of objects, and the first objects with their properties, one on each line.
  public var description: String {
    PrintedValue.objects(
      Element._$schema.name, count: ids.count,
      ids.prefix(PrintedValue.objectLimit).map {
        "\(Element(_$row: base.row(of: $0, foundIn: epoch, in: table)))"
      })
  }
}
