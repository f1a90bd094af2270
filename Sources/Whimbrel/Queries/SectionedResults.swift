public import WhimbrelEngine

/// Objects in sections, live: see ``QueryableObjects/sectioned(by:)``.
public struct SectionedResults<Key: Hashable, Element: Model>: RandomAccessCollection {
  private let sections: Sections<Key, Element>

  init(_ sections: Sections<Key, Element>) {
    self.sections = sections
  }

  /// The values that the sections stand for, in their order.
  ///
  /// - Complexity: O(1); O(*n*) for the first time after a change.
  public var allKeys: [Key] { sections.keys }

  /// The position of the first section: 0.
  public var startIndex: Int { 0 }

  /// How many sections there are.
  ///
  /// - Complexity: O(1); O(*n*) for the first time after a change.
  public var endIndex: Int { allKeys.count }

  /// The section at a position. A position that is not there stops the program.
  ///
  /// - Complexity: O(1); O(*n*) for the first time after a change.
  public subscript(position: Int) -> ResultsSection<Key, Element> {
    ResultsSection(allKeys[position], in: sections)
  }

  /// Goes through the sections that there are now.
  public func makeIterator() -> Iterator { Iterator(keys: allKeys[...], sections: sections) }

  /// Goes through sections.
  public struct Iterator: IteratorProtocol {
    fileprivate var keys: ArraySlice<Key>
    fileprivate let sections: Sections<Key, Element>

    /// The next section, or nil at the end.
    public mutating func next() -> ResultsSection<Key, Element>? {
      keys.popFirst().map { ResultsSection($0, in: sections) }
    }
  }
}

@available(*, unavailable)
extension SectionedResults: Sendable {}

/// The objects of one section, live: those with its value. It is empty when there are none
/// any more.
public struct ResultsSection<Key: Hashable, Element: Model>: LiveObjects {
  /// The value that all objects of the section have.
  public let key: Key
  private let sections: Sections<Key, Element>

  init(_ key: Key, in sections: Sections<Key, Element>) {
    self.key = key
    self.sections = sections
  }

  /// The identities of the objects, in their order.
  public var ids: [ObjectID] { sections.ids(of: key) }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  ///
  /// - Complexity: O(1); O(*n*) for the first time after a change.
  public var endIndex: Int { ids.count }

  /// The object at a position. A position that is not there stops the program.
  ///
  /// - Complexity: O(log *n*); O(*n*) for the first time after a change.
  public subscript(position: Int) -> Element {
    let ids = ids
    sections.base.requirePosition(position, in: ids.indices)
    return Element(_$row: sections.base.row(of: ids[position]))
  }

  /// Some of the objects: those that are there now.
  public subscript(bounds: Range<Int>) -> ResultsSlice<Element> {
    ResultsSlice(sections.base, ids[bounds])
  }

  /// Goes through the objects that there are now; those that are deleted on the way are
  /// left out.
  public func makeIterator() -> Results<Element>.Iterator {
    Results<Element>.Iterator(sections.base.cursor(through: ids[...]))
  }
}

@available(*, unavailable)
extension ResultsSection: Sendable {}

/// The objects of results by a value of each, for as long as the store shows the same.
final class Sections<Key: Hashable, Element: Model> {
  let base: ObjectList
  private let key: (Element) -> Key
  private var found: [Key] = []
  private var members: [Key: [ObjectID]] = [:]
  private var epoch: UInt64?

  init(_ base: ObjectList, _ key: @escaping (Element) -> Key) {
    self.base = base
    self.key = key
  }

  /// The values, in the order of the first objects that have them.
  var keys: [Key] {
    follow()
    return found
  }

  /// The objects with a value.
  func ids(of key: Key) -> [ObjectID] {
    follow()
    return members[key] ?? []
  }

  private func follow() {
    if epoch == base.session.epoch { return }
    found = []
    members = [:]
    let cursor = base.makeCursor()
    while let row = cursor.next() {
      let key = key(Element(_$row: row))
      if members[key] == nil { found.append(key) }
      members[key, default: []].append(row.id)
    }
    epoch = base.session.epoch
  }
}
