public import WhimbrelEngine

/// Live objects in sections, as `sectioned(by:)` of ``QueryableObjects`` makes them.
public struct SectionedResults<Key: Hashable, Element: Model>: RandomAccessCollection {
  let sections: Sections<Key, Element>

  init(_ sections: Sections<Key, Element>) {
    self.sections = sections
  }

  /// The values of the sections, in their order.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public var allKeys: [Key] { sections.keys }

  /// The index of the first section: 0.
  public var startIndex: Int { 0 }

  /// The number of sections.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public var endIndex: Int { allKeys.count }

  /// The section at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public subscript(position: Int) -> ResultsSection<Key, Element> {
    let keys = allKeys
    sections.base.requireSection(position, in: keys.indices)
    return ResultsSection(keys[position], in: sections)
  }

  /// Returns an iterator over the sections that exist now.
  public func makeIterator() -> Iterator { Iterator(keys: allKeys[...], sections: sections) }

  /// An iterator over sections.
  public struct Iterator: IteratorProtocol {
    fileprivate var keys: ArraySlice<Key>
    fileprivate let sections: Sections<Key, Element>

    /// Returns the next section, or nil at the end.
    public mutating func next() -> ResultsSection<Key, Element>? {
      keys.popFirst().map { ResultsSection($0, in: sections) }
    }
  }
}

@available(*, unavailable)
extension SectionedResults: Sendable {}

/// The live objects of one section: those with its value. It is empty if no object has the value
/// any more.
public struct ResultsSection<Key: Hashable, Element: Model>: LiveElements {
  /// The value that all objects of the section have.
  public let key: Key
  let sections: Sections<Key, Element>

  init(_ key: Key, in sections: Sections<Key, Element>) {
    self.key = key
    self.sections = sections
  }

  /// The IDs of the objects, in their order.
  public var ids: [ObjectID] { sections.ids(of: key) }

  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  ///
  /// - Complexity: O(1). O(*n*) for the first access after a change.
  public var endIndex: Int { ids.count }

  /// The object at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(log *n*). O(*n*) for the first access after a change.
  public subscript(position: Int) -> Element {
    let ids = ids
    sections.base.requirePosition(position, in: ids.indices)
    return Element(_$row: sections.base.row(of: ids[position]))
  }

  /// The objects that are at a range of indexes now. An index out of range stops the program.
  public subscript(bounds: Range<Int>) -> ResultsSlice<Element> {
    let ids = ids
    sections.base.requirePositions(bounds, in: ids.indices)
    return ResultsSlice(sections.base, ids[bounds])
  }

  /// Returns an iterator over the objects that exist now. Objects that are deleted during the
  /// iteration are skipped.
  public func makeIterator() -> Results<Element>.Iterator {
    Results<Element>.Iterator(sections.base.cursor(through: ids[...]))
  }
}

@available(*, unavailable)
extension ResultsSection: Sendable {}

/// The objects of results grouped by a value of each. The groups are cached until the store
/// changes.
final class Sections<Key: Hashable, Element: Model> {
  let base: ObjectList
  let key: (Element) -> Key
  /// The stored name of the property that has the value, or nil if the value may come from anywhere.
  let keyProperty: String?
  private var found = SectionContents<Key>()
  /// The objects of the sections that were asked for.
  private var ids: [SectionKey<Key>: [ObjectID]] = [:]
  private var epoch: UInt64?

  /// - Parameter contents: The sections as the store shows them now, if they are known.
  init(
    _ base: ObjectList, _ key: @escaping (Element) -> Key, property: String? = nil,
    knowing contents: SectionContents<Key>? = nil
  ) {
    self.base = base
    self.key = key
    keyProperty = property
    if let contents {
      found = contents
      epoch = base.session.epoch
    }
  }

  /// The values, in the order of the first objects that have them.
  var keys: [Key] {
    follow()
    return found.keys
  }

  func ids(of key: Key) -> [ObjectID] {
    follow()
    if let known = ids[SectionKey(key)] { return known }
    let made = found[key]?.ids ?? []
    ids[SectionKey(key)] = made
    return made
  }

  private func follow() {
    // The values may be read from anywhere, and are not read again.
    base.session.readTracker?.noteEverything()
    if epoch == base.session.epoch { return }
    found = Self.contents(base.makeCursor(), key)
    ids = [:]
    epoch = base.session.epoch
  }

  /// Returns the sections of the objects that a cursor visits.
  static func contents(
    _ cursor: ObjectCursor, _ key: (Element) -> Key
  ) -> SectionContents<Key> {
    var elements: [(id: ObjectID, key: Key)] = []
    while let row = cursor.next() { elements.append((row.id, key(Element(_$row: row)))) }
    return SectionContents(elements)
  }
}
