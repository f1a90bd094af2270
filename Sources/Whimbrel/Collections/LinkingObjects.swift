internal import WhimbrelEngine

/// The objects that link to an object. A property marked ``Inverse(of:)`` has this type.
///
/// ```swift
/// @Model
/// final class Country {
///   @PrimaryKey var code: String
///   @Inverse(of: \Zone.country) var zones: LinkingObjects<Zone>
/// }
///
/// let country = Country(code: "AD")
/// for zone in country.zones { print(zone.identifier) }
/// ```
///
/// The property that links may be a link, a list, a set or a map. An object that links several
/// times appears once. The objects are in the order of their IDs: the order in which they were
/// added, or the order of their integer primary keys.
///
/// They are live: they always show the current state of the store. They are found on first use and
/// cached until an object is added, removed or linked differently. The cache belongs to this value.
/// A store also keeps those that it found last, if they are fewer than 131,072. Keep the value in a
/// variable if you use several by turns. For an unmanaged object there are none.
public struct LinkingObjects<Element: Model>: LiveElements {
  let sources: LinkSources

  /// Finds the objects that link to an object. For use by generated code.
  ///
  /// - Parameters:
  ///   - row: The row of the object that the links lead to.
  ///   - property: The name of the property that links, in the code.
  ///   - path: The key path of that property. It lets the compiler check that the property exists.
  public init<Value>(_ row: ModelRow, of property: String, as path: KeyPath<Element, Value>) {
    let schema = Element._$schema
    sources = LinkSources(row, schema.name, schema.name(ofDeclared: property))
  }

  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { count }

  /// The number of objects.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public var count: Int { sources.ids.count }

  /// Whether the collection is empty.
  ///
  /// - Complexity: O(log *n*).
  public var isEmpty: Bool { first == nil }

  /// The first object, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var first: Element? { sources.first.map(Element.init(_$row:)) }

  /// The object at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(log *n*). O(*n*) for the first access after a change.
  public subscript(position: Int) -> Element {
    Element(_$row: sources.row(at: position))
  }

  /// The objects at a range of indexes. A range out of bounds stops the program. The slice is live,
  /// as all of the objects are.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public subscript(bounds: Range<Int>) -> Slice<LinkingObjects> {
    sources.requirePosition(bounds.upperBound, orEnd: true)
    return Slice(base: self, bounds: bounds)
  }

  /// Returns an iterator over the objects that exist now. Objects that are deleted during the
  /// iteration are skipped.
  public func makeIterator() -> Iterator { Iterator(sources) }

  /// An iterator over objects that link to an object.
  public struct Iterator: IteratorProtocol {
    private let sources: LinkSources
    private let ids: [ObjectID]
    private var position = 0

    init(_ sources: LinkSources) {
      self.sources = sources
      ids = sources.ids
    }

    /// Returns the next object, or nil at the end.
    public mutating func next() -> Element? {
      while position < ids.count {
        defer { position += 1 }
        if let row = sources.row(of: ids[position]) { return Element(_$row: row) }
      }
      return nil
    }
  }
}

@available(*, unavailable)
extension LinkingObjects: Sendable {}

extension LinkingObjects: CustomStringConvertible {
  /// The number of objects, and the first objects with their properties, one on each line.
  public var description: String {
    if sources.target.isInvalidated { return "objects that link to an invalidated object" }
    return PrintedValue.objects(
      Element._$schema.name, count: count,
      prefix(PrintedValue.objectLimit).map { "\($0)" })
  }
}
