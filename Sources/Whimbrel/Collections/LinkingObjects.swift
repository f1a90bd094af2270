internal import WhimbrelEngine

/// The objects that link to an object: what a property marked ``Inverse(of:)`` has.
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
/// The links may be those of a property of one object, or of a list, a set or a map. An
/// object that links several times appears once. The order is that of the identities:
/// that in which the objects were added, or that of their integer primary keys.
///
/// They are live: they show what the store shows at any moment. They are found when they
/// are first asked for, for as long as the store shows the same: keep the value in a
/// variable when you need more than one of them. For an object that is in no store there
/// are none.
public struct LinkingObjects<Element: Model>: RandomAccessCollection {
  let sources: LinkSources

  /// Finds the objects that link to the object of a place.
  ///
  /// - Parameters:
  ///   - row: the place of the object that the links lead to.
  ///   - property: the name of the property that links, in code.
  ///   - path: the property, which must be there.
  public init<Value>(_ row: ModelRow, of property: String, as path: KeyPath<Element, Value>) {
    let schema = Element._$schema
    sources = LinkSources(row, schema.name, schema.name(ofDeclared: property))
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  public var endIndex: Int { count }

  /// How many objects there are.
  ///
  /// - Complexity: O(1); O(*n*) for the first time after a change.
  public var count: Int { sources.ids.count }

  /// The object at a position. A position that is not there stops the program.
  ///
  /// - Complexity: O(log *n*); O(*n*) for the first time after a change.
  public subscript(position: Int) -> Element {
    Element(_$row: sources.row(at: position) ?? ModelRow())
  }

  /// Goes through the objects that there are now; those that are deleted on the way are
  /// left out.
  public func makeIterator() -> Iterator { Iterator(sources) }

  /// Copies the elements into an array. There are fewer than ``count`` when some cannot be read.
  @_documentation(visibility: internal)
  public func _copyToContiguousArray() -> ContiguousArray<Element> { copiedElements() }

  /// Goes through objects that link to an object.
  public struct Iterator: IteratorProtocol {
    private let sources: LinkSources
    private let ids: [ObjectID]
    private var position = 0

    init(_ sources: LinkSources) {
      self.sources = sources
      ids = sources.ids
    }

    /// The next object, or nil at the end.
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
  /// How many objects there are, and the first of them with their properties, each on a line.
  public var description: String {
    if sources.target.isInvalidated { return "objects that link to one that is gone" }
    return PrintedValue.objects(
      Element._$schema.name, count: count,
      prefix(PrintedValue.objectLimit).map { "\($0)" })
  }
}
