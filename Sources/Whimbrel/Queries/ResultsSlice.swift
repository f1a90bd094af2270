internal import WhimbrelEngine

/// Some of the objects of ``Results``, by their positions at one moment.
///
/// ```swift
/// let page = store.objects(Zone.self).sorted(by: \.identifier)[20..<40]
/// ```
///
/// A slice keeps which objects it has. They are live; those that are deleted are left out
/// when it is gone through. Results that follow every change have
/// ``QueryableObjects/offset(_:)`` and ``QueryableObjects/limit(_:)``.
public struct ResultsSlice<Element: Model>: LiveObjects {
  private let base: ObjectList
  private let ids: ArraySlice<ObjectID>

  init(_ base: ObjectList, _ ids: ArraySlice<ObjectID>) {
    self.base = base
    self.ids = ids
  }

  /// The position of the first object: that which it had in the results.
  public var startIndex: Int { ids.startIndex }

  /// The position behind the last object.
  public var endIndex: Int { ids.endIndex }

  /// The object at a position. A position that is not there stops the program.
  public subscript(position: Int) -> Element {
    base.requirePosition(position, in: ids.indices)
    return Element(_$row: base.row(of: ids[position]))
  }

  /// Some of the objects.
  public subscript(bounds: Range<Int>) -> ResultsSlice { ResultsSlice(base, ids[bounds]) }

  /// Goes through the objects; those that are deleted are left out.
  public func makeIterator() -> Results<Element>.Iterator {
    Results<Element>.Iterator(base.cursor(through: ids))
  }
}

@available(*, unavailable)
extension ResultsSlice: Sendable {}

extension ResultsSlice: CustomStringConvertible {
  /// How many objects there are, and the first of them with their properties, each on a line.
  public var description: String {
    PrintedValue.objects(
      Element._$schema.name, count: ids.count,
      ids.prefix(PrintedValue.objectLimit).map { "\(Element(_$row: base.row(of: $0)))" })
  }
}
