/// Elements in an order: a property of a model, or unmanaged.
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
/// zone.comments.append("the capital")
/// try store.write {
///   try store.add(zone)
///   zone.neighbors.append(seoul)
///   zone.comments.move(from: 1, to: 0)
/// }
/// ```
///
/// A list may have the same element several times. It is a class: all who hold a list
/// see its changes.
///
/// The list of an object that is in a store is *managed*. It is live: it shows what the
/// store shows at any moment, after a refresh or a rollback too. It can only be changed
/// in a write of its store; changing it elsewhere is a programming error, and stops the
/// program. When an object is deleted, the elements that are links to it go.
///
/// A list that belongs to no object of a store is *unmanaged*, and has its elements in
/// memory. Setting a property to a list copies the elements; the list that the property then
/// has becomes managed with its object. To exchange two lists, exchange copies of them:
/// `(a.tags, b.tags) = (StoredList(b.tags), StoredList(a.tags))`.
///
/// Embedded objects belong to the one list that they are in: taken out of it, or
/// replaced, they are deleted. Moving, sorting and swapping leaves them as they are.
///
/// A list may be changed while it is gone through: the elements are looked up by their
/// positions as they come, until there are no more.
public final class StoredList<Element: CollectionElement> {
  let storage: CollectionStorage
  /// The elements while the list is unmanaged.
  var local: [Element] = []

  /// Makes an unmanaged list without elements.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged list of elements.
  ///
  /// - Complexity: O(*n*).
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    local = Array(elements)
  }

  /// Makes an unmanaged list that has an element several times.
  public convenience init(repeating element: Element, count: Int) {
    self.init()
    local = Array(repeating: element, count: count)
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// Whether the list is that of an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the object that the list belongs to was deleted, or its store closed.
  /// Reading such a list is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredList: Sendable {}

// MARK: - Reading

extension StoredList: RandomAccessCollection {
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

  /// The element at a position.
  ///
  /// Setting it in a managed list replaces the element; an embedded object that is
  /// replaced is deleted. A position that is not in the list stops the program.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element {
    get {
      guard isManaged else {
        storage.requirePosition(position, in: 0..<local.count)
        return local[position]
      }
      if position >= 0, let element = storage.element(at: position, as: Element.self) {
        return element
      }
      storage.requirePosition(position, in: 0..<storage.count)
      // It is there and cannot be read, which the next call that can throw says.
      return storage.placeholder()
    }
    set { replace(index: position, object: newValue) }
  }

  /// The first element, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element, or nil.
  ///
  /// - Complexity: O(log *n*).
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Goes through the elements from the first to the last.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Copies the elements into an array. There are fewer than ``count`` when some cannot be read.
  @_documentation(visibility: internal)
  public func _copyToContiguousArray() -> ContiguousArray<Element> { copiedElements() }

  /// Goes through the elements of a list.
  ///
  /// - Complexity: O(1) for each element; the next ones are found without a search.
  public struct Iterator: IteratorProtocol {
    private let list: StoredList
    private var cursor: CollectionCursor<Element>?
    private var position = 0

    init(_ list: StoredList) {
      self.list = list
      cursor = CollectionCursor(list.storage)
    }

    /// The next element, or nil at the end.
    public mutating func next() -> Element? {
      defer { position += 1 }
      if let element = cursor?.element(at: position) { return element }
      if cursor == nil {
        if position < list.local.count { return list.local[position] }
        // The list may have become one of a store since.
        cursor = CollectionCursor(list.storage)
        return cursor?.element(at: position)
      }
      position -= 1
      return nil
    }
  }
}

// MARK: - Searching

extension StoredList where Element: Equatable {
  /// The position of the first element that equals one, or nil.
  ///
  /// - Complexity: O(*n*).
  public func index(of element: Element) -> Int? { firstIndex(of: element) }
}

extension StoredList {
  /// The position of the first element for which a condition holds, or nil.
  ///
  /// - Complexity: O(*n*).
  public func index(matching condition: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndex(where: condition)
  }
}
