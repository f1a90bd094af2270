internal import WhimbrelEngine

/// Different elements, in the order of the store: a property of a model, or unmanaged.
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
/// A set has an element once: −0 is 0, all NaNs are one, texts that Unicode calls
/// equivalent are one, and objects are told apart by their identity. The order is that
/// of the values, nil first, and that of the identities of objects.
///
/// Like ``StoredList``, a set is a class, and *managed* or *unmanaged*: that of an object in a
/// store is live, and can only be changed in a write of its store; changing it elsewhere
/// is a programming error, and stops the program. When an object is deleted, so is the
/// element that is a link to it. Setting a property to a set copies the elements.
///
/// A set may be changed while it is gone through: the elements are looked up by their
/// positions as they come, so that some may be left out, or come twice.
public final class StoredSet<Element: CollectionElement> {
  let storage: CollectionStorage
  /// The elements while the set is unmanaged.
  var local = UnmanagedSet<Element>()

  /// Makes an unmanaged set without elements.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged set of elements.
  ///
  /// - Complexity: O(*n*).
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { _ = local.insert(element) }
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// Whether the set is that of an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the object that the set belongs to was deleted, or its store closed.
  /// Reading such a set is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredSet: Sendable {}

// MARK: - Reading

extension StoredSet: RandomAccessCollection {
  /// The position of the first element: 0.
  public var startIndex: Int { 0 }

  /// How many elements there are.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { count }

  /// How many elements there are.
  ///
  /// - Complexity: O(1).
  public var count: Int { isManaged ? storage.count : local.count }

  /// The element at a position in the order of the store. A position that is not in
  /// the set stops the program.
  ///
  /// - Complexity: O(log *n*); O(*n* log *n*) for the first time after a change of an
  ///   unmanaged set.
  public subscript(position: Int) -> Element {
    guard isManaged else {
      storage.requirePosition(position, in: 0..<local.count)
      return local.ordered[position]
    }
    if position >= 0, let element = storage.element(at: position, as: Element.self) {
      return element
    }
    storage.requirePosition(position, in: 0..<storage.count)
    return storage.placeholder()
  }

  /// The first element in the order of the store, or nil.
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element in the order of the store, or nil.
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Whether the set has an element.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ element: Element) -> Bool {
    isManaged ? position(of: element) != nil : local.contains(element)
  }

  /// The position of an element of a managed set.
  private func position(of element: Element) -> Int? {
    if let object = element._$object {
      // An object of another store may have the same identity.
      guard let owner = storage.owner, object._$row.session === owner.session else { return nil }
    }
    return storage.position(of: element._$plainValue)
  }

  /// Goes through the elements in the order of the store.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Copies the elements into an array. There are fewer than ``count`` when some cannot be read.
  @_documentation(visibility: internal)
  public func _copyToContiguousArray() -> ContiguousArray<Element> { copiedElements() }

  /// Goes through the elements of a set.
  ///
  /// - Complexity: O(1) for each element; the next ones are found without a search.
  public struct Iterator: IteratorProtocol {
    private let set: StoredSet
    private var cursor: CollectionCursor<Element>?
    private let elements: [Element]
    private var position = 0

    init(_ set: StoredSet) {
      self.set = set
      cursor = CollectionCursor(set.storage)
      elements = set.isManaged ? [] : set.local.ordered
    }

    /// The next element, or nil at the end.
    public mutating func next() -> Element? {
      let element: Element?
      if cursor == nil {
        element = position < elements.count ? elements[position] : nil
      } else {
        element = cursor?.element(at: position)
      }
      if element != nil { position += 1 }
      return element
    }
  }
}

// MARK: - Changing

extension StoredSet {
  /// Inserts an element.
  ///
  /// - Returns: whether it was not there.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func insert(_ element: Element) -> Bool {
    guard isManaged else { return local.insert(element) }
    return storage.edit(adding: CollectionOfOne(element), else: false) { values, editor in
      try values.contains { try editor.insertIntoSet($0) }
    }
  }

  /// Inserts elements: another name of ``formUnion(_:)``.
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
      for value in values { _ = try editor.insertIntoSet(value) }
    }
  }

  /// Removes an element.
  ///
  /// - Returns: the element, or nil when it was not there.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func remove(_ element: Element) -> Element? {
    guard isManaged else { return local.remove(element) }
    let position = position(of: element)
    let removed = position.map { self[$0] }
    // Also when there is nothing to remove: only in a write.
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

  /// Removes the elements for which a condition holds.
  ///
  /// - Complexity: O(*n* + *k* log *n*) for *k* elements that go.
  public func removeAll(where condition: (Element) throws -> Bool) rethrows {
    subtract(try filter(condition))
  }

  /// Removes the elements that others have not.
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

  /// Inserts the elements of others that are not there, and removes those that are.
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
