internal import WhimbrelEngine

/// A set of elements, in the order of the store: a property of a model, or an unmanaged set.
///
/// ```swift
/// @Model
/// final class Country {
///   @PrimaryKey var code: String
///   var languages: StoredSet<String>
/// }
///
/// try store.write {
///   country.languages.insert("ca")
///   country.languages.formUnion(["es", "fr"])
/// }
/// country.languages.contains("ca")
/// ```
///
/// A set contains an element once. −0 equals 0, all NaNs are equal, texts that are canonically
/// equivalent in Unicode are equal, and objects are distinguished by their identity. Values are in
/// ascending order with nil first, and objects are in the order of their IDs.
///
/// Like ``StoredList``, a set is a class, and *managed* or *unmanaged*. The set of an object in a
/// store is live, and can change only inside a write of its store. Changing it elsewhere is a
/// programming error and stops the program. When an object is deleted, the link to it is removed
/// from the set. Setting a property to a set copies the elements.
///
/// A set may change during a loop over it. The loop visits the elements in order, and none of them
/// twice. It skips elements that are removed before it reaches them.
public final class StoredSet<Element: CollectionElement> {
  let storage: CollectionStorage
  /// The elements of an unmanaged set.
  var local = UnmanagedSet<Element>()

  /// Makes an empty unmanaged set.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged set from a sequence.
  ///
  /// - Complexity: O(*n*).
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { _ = local.insert(element) }
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// Whether the set belongs to an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the owner of the set was deleted or its store was closed. Reading an invalidated set
  /// is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredSet: Sendable {}

// MARK: - Reading

extension StoredSet: LiveElements {
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

  /// The element at an index in the order of the store. An index out of range stops the program.
  ///
  /// - Complexity: O(log *n*). O(*n* log *n*) for the first access after a change of an unmanaged
  ///   set.
  public subscript(position: Int) -> Element {
    guard isManaged else {
      storage.requirePosition(position, in: local.count)
      return local.ordered[position]
    }
    return storage.element(at: position)
  }

  /// The elements at a range of indexes in the order of the store. A range out of bounds stops the
  /// program. The slice is live, as the set is.
  ///
  /// - Complexity: O(1).
  public subscript(bounds: Range<Int>) -> Slice<StoredSet> {
    storage.requireBounds(bounds, in: count)
    return Slice(base: self, bounds: bounds)
  }

  /// The first element in the order of the store, or nil.
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element in the order of the store, or nil.
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Returns whether the set contains an element.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ element: Element) -> Bool {
    isManaged ? position(of: element) != nil : local.contains(element)
  }

  /// Returns the index of an element of a managed set, or nil.
  private func position(of element: Element) -> Int? {
    if let object = element._$object {
      // An object of another file may have the same ID.
      guard let owner = storage.owner, object._$row.isOfSameFile(as: owner) else { return nil }
    }
    return storage.position(of: element._$plainValue)
  }

  /// Returns an iterator over the elements in the order of the store.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the elements of a set.
  ///
  /// - Complexity: O(1) for each element, because neighbors are found without a search.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: CollectionCursor?
    /// The elements of an unmanaged set.
    @usableFromInline let elements: [Element]
    @usableFromInline var position = 0

    init(_ set: StoredSet) {
      cursor = CollectionCursor(set.storage)
      elements = set.isManaged ? [] : set.local.ordered
    }

    /// Returns the next element, or nil at the end.
    @inlinable
    public mutating func next() -> Element? {
      CollectionCursor.separate(&cursor)
      guard let cursor else {
        if position == elements.count { return nil }
        position += 1
        return elements[position - 1]
      }
      position = cursor.position(goingOnAt: position)
      guard let value = cursor.value(at: position) else { return nil }
      position += 1
      return Element._$element(value, cursor.owner, cursor.index)
    }
  }
}

// MARK: - Changing

extension StoredSet {
  /// Inserts an element.
  ///
  /// - Returns: Whether the element was new.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func insert(_ element: Element) -> Bool {
    guard isManaged else { return local.insert(element) }
    return storage.edit(adding: CollectionOfOne(element), else: false) { values, editor in
      try values.contains { try editor.insertIntoSet($0) }
    }
  }

  /// Inserts elements. The same as ``formUnion(_:)``.
  public func insert(objectsIn elements: some Sequence<Element>) { formUnion(elements) }

  /// Inserts elements.
  ///
  /// - Complexity: O(*m* log *n*) for *m* elements.
  public func formUnion(_ elements: some Sequence<Element>) {
    guard isManaged else {
      for element in Array(elements) { _ = local.insert(element) }
      return
    }
    storage.edit(adding: elements, else: ()) { values, editor in
      try editor.insertIntoSet(contentsOf: values)
    }
  }

  /// Removes an element.
  ///
  /// - Returns: The element, or nil if the set did not contain it.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func remove(_ element: Element) -> Element? {
    guard isManaged else { return local.remove(element) }
    let position = position(of: element)
    let removed = position.map { self[$0] }
    // Called even if there is nothing to remove, so that it stops the program outside of a write.
    storage.edit(else: ()) { editor in
      if let position { try editor.removeSubrange(position..<position + 1) }
    }
    return removed
  }

  /// Removes all elements.
  public func removeAll() {
    guard isManaged else { return local.removeAll() }
    storage.edit(else: ()) { try $0.removeSubrange(0..<$0.count()) }
  }

  /// Removes the elements that meet a condition.
  ///
  /// - Complexity: O(*n* + *k* log *n*) for *k* removed elements.
  public func removeAll(where condition: (Element) throws -> Bool) rethrows {
    subtract(try filter(condition))
  }

  /// Removes the elements that are not among others.
  ///
  /// - Complexity: O((*n* + *m*) log *n*) for *m* others.
  public func formIntersection(_ others: some Sequence<Element>) {
    let kept = UnmanagedSet(others)
    subtract(filter { !kept.contains($0) })
  }

  /// Removes elements.
  ///
  /// - Complexity: O(*m* log *n*) for *m* elements.
  public func subtract(_ others: some Sequence<Element>) {
    let others = Array(others)
    guard isManaged else { return others.forEach { _ = local.remove($0) } }
    let positions = Set(others.compactMap { position(of: $0) }).sorted(by: >)
    storage.edit(else: ()) { editor in
      for position in positions { try editor.removeSubrange(position..<position + 1) }
    }
  }

  /// Inserts the others that the set does not contain, and removes those that it contains.
  ///
  /// - Complexity: O(*m* log *n*) for *m* others.
  public func formSymmetricDifference(_ others: some Sequence<Element>) {
    let others = StoredSet(others)
    let common = others.filter { contains($0) }
    others.subtract(common)
    subtract(common)
    formUnion(others)
  }
}

extension UnmanagedSet {
  init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { _ = insert(element) }
  }
}
