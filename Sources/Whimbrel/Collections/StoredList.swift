internal import WhimbrelEngine

/// A list of elements: a property of a model, or an unmanaged list.
///
/// ```swift
/// @Model
/// final class Zone {
///   @PrimaryKey var identifier: String
///   var comments: StoredList<String>
///   var neighbors: StoredList<Zone>
/// }
///
/// let zone = Zone(identifier: "Asia/Tokyo")
/// zone.comments.append(contentsOf: ["the capital", "most of Japan"])
/// try store.write {
///   try store.add(zone)
///   zone.neighbors.append(seoul)
///   zone.comments.move(from: 1, to: 0)
/// }
/// ```
///
/// A list may contain the same element several times. It is a class, so everyone who holds a list
/// sees its changes.
///
/// The list of an object in a store is *managed*. It is live: it always shows the current state of
/// the store, also after a refresh or a rollback. It can change only inside a write of its store.
/// Changing it elsewhere is a programming error and stops the program. When an object is deleted,
/// links to it are removed from the list.
///
/// A list that does not belong to an object in a store is *unmanaged*, and holds its elements in
/// memory. Setting a property to a list copies the elements. The list of the property becomes
/// managed together with its object. To swap two lists, swap copies of them: `(a.tags, b.tags) =
/// (StoredList(b.tags), StoredList(a.tags))`.
///
/// An embedded object belongs to the one list that contains it. It is deleted when it is removed
/// from the list or replaced. Moving, sorting and swapping do not delete it. This does not hold for a
/// slice, whose `sort`, `reverse`, `swapAt` and `removeAll(where:)` set one element after another: with
/// embedded objects, the write fails. Replace the elements at once instead:
/// `list.replaceSubrange(range, with: list[range].sorted { $0.name < $1.name })`.
///
/// A list may change during a loop over it. A loop over objects, integers, `Float`, `Double`, `Date`,
/// `Bool` or an enum of integers visits those that the list contained when the loop began, and skips
/// objects that are deleted. A loop over other values, such as texts, `Decimal`s, types of the app and
/// optional values, goes from index to index: if its body removes the current element, it skips the
/// next one. To remove elements, use ``removeAll(where:)`` or loop over a copy.
public final class StoredList<Element: CollectionElement> {
  let storage: CollectionStorage
  /// The elements of an unmanaged list.
  var local: [Element] = []

  /// Makes an empty unmanaged list.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged list from a sequence.
  ///
  /// - Complexity: O(*n*).
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    local = Array(elements)
  }

  /// Makes an unmanaged list that contains one element several times.
  public convenience init(repeating element: Element, count: Int) {
    self.init()
    local = Array(repeating: element, count: count)
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// Whether the list belongs to an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the owner of the list was deleted or its store was closed. Reading an invalidated list
  /// is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredList: Sendable {}

// MARK: - Reading

extension StoredList: LiveElements {
  /// The index of the first element: 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { count }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public var count: Int { isManaged ? storage.count : local.count }

  /// The element at an index.
  ///
  /// Setting it in a managed list replaces the element. A replaced embedded object is deleted. An
  /// index out of range stops the program.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element {
    get {
      guard isManaged else {
        storage.requirePosition(position, in: local.count)
        return local[position]
      }
      return storage.element(at: position)
    }
    set { replace(index: position, object: newValue) }
  }

  /// The elements at a range of indexes. A range out of bounds stops the program.
  ///
  /// A slice is a view of the list: it shows its changes, and changing the slice changes the list.
  /// Setting it replaces the elements at these indexes, as ``replaceSubrange(_:with:)`` does.
  ///
  /// - Complexity: O(1). Setting it: as ``replaceSubrange(_:with:)``.
  public subscript(bounds: Range<Int>) -> Slice<StoredList> {
    get {
      storage.requireBounds(bounds, in: count)
      return Slice(base: self, bounds: bounds)
    }
    _modify {
      let before = count
      var slice = self[bounds]
      yield &slice
      // What changed in the slice has changed in the list. Only another slice must be set.
      let changed = bounds.lowerBound..<bounds.upperBound + count - before
      if slice.base !== self || slice.startIndex..<slice.endIndex != changed {
        replaceSubrange(changed, with: slice)
      }
    }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// The first element, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Returns an iterator over the elements, from the first to the last.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the elements of a list.
  ///
  /// - Complexity: O(1) for each element, because neighbors are found without a search.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let cursor: CollectionCursor?
    /// The elements of a managed list as bits, if the element type has bits.
    @usableFromInline let bits: [UInt64]?
    /// The elements of an unmanaged list.
    @usableFromInline let local: [Element]
    @usableFromInline var position = 0

    init(_ list: StoredList) {
      cursor = CollectionCursor(list.storage)
      bits = Element._$hasBits ? cursor?.readAll() : nil
      local = list.local
    }

    /// Returns the next element, or nil at the end.
    @inlinable
    public mutating func next() -> Element? {
      guard let cursor else {
        if position == local.count { return nil }
        position += 1
        return local[position - 1]
      }
      guard let bits else {
        guard let value = cursor.value(at: position) else { return nil }
        position += 1
        return Element._$element(value, cursor.owner, cursor.index)
      }
      while position < bits.count {
        position += 1
        let found = bits[position - 1]
        if cursor.isCurrent { return Element._$element(bits: found, cursor.owner, cursor.index) }
        // The object may have been deleted since the loop began.
        let element = Element._$elementIfPresent(bits: found, cursor.owner, cursor.index)
        if let element { return element }
      }
      return nil
    }
  }
}

// MARK: - Searching

extension StoredList where Element: Equatable {
  /// Returns the index of the first element that equals an element, or nil.
  ///
  /// - Complexity: O(*n*).
  public func index(of element: Element) -> Int? { firstIndex { $0 == element } }

  /// Returns the index of the first element that equals an element, or nil.
  ///
  /// - Complexity: O(*n*).
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }

  /// Returns whether an element equals an element.
  ///
  /// - Complexity: O(*n*).
  public func contains(_ element: Element) -> Bool { contains { $0 == element } }
}

extension StoredList {
  /// Returns the index of the first element that meets a condition, or nil.
  ///
  /// - Complexity: O(*n*).
  public func index(matching condition: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndex(where: condition)
  }

  /// Returns the index of the first element that meets a condition, or nil.
  ///
  /// - Complexity: O(*n*).
  public func firstIndex(where condition: (Element) throws -> Bool) rethrows -> Int? {
    try search(condition)?.index
  }

  /// Returns the first element that meets a condition, or nil.
  ///
  /// - Complexity: O(*n*).
  public func first(where condition: (Element) throws -> Bool) rethrows -> Element? {
    try search(condition)?.element
  }

  /// Returns whether an element meets a condition.
  ///
  /// - Complexity: O(*n*).
  public func contains(where condition: (Element) throws -> Bool) rethrows -> Bool {
    try search(condition) != nil
  }

  /// Returns the first element that meets a condition, with its index, or nil.
  private func search(
    _ condition: (Element) throws -> Bool
  ) rethrows -> (index: Int, element: Element)? {
    guard let cursor = CollectionCursor(storage) else {
      let elements = local
      return try elements.firstIndex(where: condition).map { ($0, elements[$0]) }
    }
    // The standard library would search for each element, and a loop would read all of them first.
    var position = 0
    while true {
      let element: Element
      if Element._$hasBits, let bits = cursor.bits(at: position) {
        element = Element._$element(bits: bits, cursor.owner, cursor.index)
      } else if let value = cursor.value(at: position) {
        element = Element._$element(value, cursor.owner, cursor.index)
      } else {
        return nil
      }
      if try condition(element) { return (position, element) }
      position += 1
    }
  }
}
