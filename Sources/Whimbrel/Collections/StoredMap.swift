internal import WhimbrelEngine

/// A type that the keys of a ``StoredMap`` may have: `String`.
public protocol StoredMapKey: Hashable, Comparable, SendableMetatype, Codable {
  /// Makes a key from its stored text.
  init(_$name: String)
  /// The stored text.
  var _$name: String { get }
}

extension String: StoredMapKey {
  /// Makes a key from its stored text.
  public init(_$name: String) { self = _$name }
  /// The stored text.
  public var _$name: String { self }
}

/// A map from keys to values, in the order of the keys: a property of a model, or an unmanaged map.
///
/// ```swift
/// @Model
/// final class Country {
///   @PrimaryKey var code: String
///   var names: StoredMap<String, String>
/// }
///
/// try store.write {
///   country.names["en"] = "Andorra"
///   country.names["fr"] = "Andorre"
///   country.names["de"] = nil
/// }
/// for (language, name) in country.names { print(language, name) }
/// ```
///
/// A key is any text of 1 byte to 16 KiB. Texts that are canonically equivalent in Unicode are the
/// same key, as with `==`. Keys are ordered by their UTF-8 in Unicode's normal form C. If a key is
/// not allowed, the write fails, or adding the owner of the map fails.
///
/// Like ``StoredList``, a map is a class, and *managed* or *unmanaged*. The map of an object in a
/// store is live, and can change only inside a write of its store. Changing it elsewhere is a
/// programming error and stops the program. When an object is deleted, entries whose value links to
/// it are removed. An embedded object is deleted when it is removed or replaced. Setting a property
/// to a map copies the entries.
///
/// A map may change during a loop over it. The loop visits the entries in the order of their keys,
/// and none of them twice. It skips entries that are removed before it reaches them.
public final class StoredMap<Key: StoredMapKey, Value: CollectionElement> {
  let storage: CollectionStorage
  /// The entries of an unmanaged map.
  var local: [String: Value] = [:] {
    didSet { sortedNames = nil }
  }
  private var sortedNames: [String]?

  /// Makes an empty unmanaged map.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged map from a dictionary.
  public convenience init(_ values: [Key: Value]) {
    self.init()
    local = Dictionary(
      values.map { ($0.key._$name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// The keys of an unmanaged map in order. They are sorted once after each change.
  var names: [String] {
    if let sortedNames { return sortedNames }
    let sorted = local.keys.sorted { $0.precedesInOrder($1) }
    sortedNames = sorted
    return sorted
  }

  /// Whether the map belongs to an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the owner of the map was deleted or its store was closed. Reading an invalidated map
  /// is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredMap: Sendable {}

// MARK: - Reading

extension StoredMap: LiveElements {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  /// The index of the first entry: 0.
  public var startIndex: Int { 0 }

  /// The number of entries.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { count }

  /// The number of entries.
  ///
  /// - Complexity: O(1).
  public var count: Int { isManaged ? storage.count : local.count }

  /// The entry at an index in the order of the keys. An index out of range stops the program.
  ///
  /// - Complexity: O(log *n*). O(*n* log *n*) for the first access after a change of an unmanaged
  ///   map.
  public subscript(position: Int) -> (key: Key, value: Value) {
    guard isManaged else {
      storage.requirePosition(position, in: local.count)
      let name = names[position]
      return (Key(_$name: name), local[name] ?? storage.placeholder())
    }
    if position >= 0, let name = storage.name(at: position),
      let value = storage.element(at: position, as: Value.self)
    {
      return (Key(_$name: name), value)
    }
    storage.requirePosition(position, in: storage.count)
    return (Key(_$name: ""), storage.placeholder())
  }

  /// The entries at a range of indexes in the order of the keys. A range out of bounds stops the
  /// program. The slice is live, as the map is.
  ///
  /// - Complexity: O(1).
  public subscript(bounds: Range<Int>) -> Slice<StoredMap> {
    storage.requireBounds(bounds, in: count)
    return Slice(base: self, bounds: bounds)
  }

  /// Returns an iterator over the entries in the order of their keys.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the entries of a map.
  ///
  /// - Complexity: O(1) for each entry, because neighbors are found without a search.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: CollectionCursor?
    /// The keys of an unmanaged map.
    @usableFromInline let names: [String]
    /// The values of an unmanaged map.
    @usableFromInline let values: [String: Value]
    @usableFromInline var position = 0

    init(_ map: StoredMap) {
      cursor = CollectionCursor(map.storage)
      names = map.isManaged ? [] : map.names
      values = map.isManaged ? [:] : map.local
    }

    /// Returns the next entry, or nil at the end.
    @inlinable
    public mutating func next() -> (key: Key, value: Value)? {
      CollectionCursor.separate(&cursor)
      guard let cursor else {
        guard position < names.count, let value = values[names[position]] else { return nil }
        position += 1
        return (Key(_$name: names[position - 1]), value)
      }
      position = cursor.position(goingOnAt: position)
      guard let value = cursor.value(at: position) else { return nil }
      let name = cursor.name(at: position)
      position += 1
      return (Key(_$name: name), Value._$element(value, cursor.owner, cursor.index))
    }
  }
}

extension StoredMap {
  /// The keys in their order.
  ///
  /// - Complexity: O(*n*).
  public var keys: [Key] { map(\.key) }

  /// The values in the order of their keys.
  ///
  /// - Complexity: O(*n*).
  public var values: [Value] { map(\.value) }

  /// Returns whether the map has a value for a key.
  ///
  /// - Complexity: O(log *n*).
  public func contains(key: Key) -> Bool {
    isManaged ? storage.contains(name: key._$name) : local[key._$name] != nil
  }
}
