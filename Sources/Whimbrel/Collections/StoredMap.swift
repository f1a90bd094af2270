internal import WhimbrelEngine

/// A type that the keys of a ``StoredMap`` may have: `String`.
public protocol StoredMapKey: Hashable, Comparable, SendableMetatype, Codable {
  /// Makes a key of the text that is stored.
  init(_$name: String)
  /// The text that is stored.
  var _$name: String { get }
}

extension String: StoredMapKey {
  /// Makes a key of the text that is stored.
  public init(_$name: String) { self = _$name }
  /// The text that is stored.
  public var _$name: String { self }
}

/// Values by key, in the order of the keys: a property of a model, or unmanaged.
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
/// A key is any text that is not empty and takes up to 16 KiB. Texts that Unicode calls
/// equivalent are one key, as for `==`. The keys are in the order of their UTF-8, in
/// Unicode's normal form C. A key that is not allowed is an error: the write fails with
/// it, or the adding of the object that the map belongs to.
///
/// Like ``StoredList``, a map is a class, and *managed* or *unmanaged*: that of an object in a
/// store is live, and can only be changed in a write of its store; changing it elsewhere
/// is a programming error, and stops the program. When an object is deleted, so are the
/// pairs whose values are links to it. An embedded object is deleted when it is removed
/// or replaced. Setting a property to a map copies the pairs.
///
/// A map may be changed while it is gone through: the pairs are looked up by their
/// positions as they come, so that some may be left out, or come twice.
public final class StoredMap<Key: StoredMapKey, Value: CollectionElement> {
  let storage: CollectionStorage
  /// The pairs while the map is unmanaged.
  var local: [String: Value] = [:] {
    didSet { sortedNames = nil }
  }
  private var sortedNames: [String]?

  /// Makes an unmanaged map without pairs.
  public init() {
    storage = CollectionStorage()
  }

  /// Makes an unmanaged map of a dictionary.
  public convenience init(_ values: [Key: Value]) {
    self.init()
    local = Dictionary(
      values.map { ($0.key._$name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  init(_ storage: CollectionStorage) {
    self.storage = storage
  }

  /// The keys of an unmanaged map in order; worked out once after a change.
  var names: [String] {
    if let sortedNames { return sortedNames }
    let sorted = local.keys.sorted { $0.precedesInOrder($1) }
    sortedNames = sorted
    return sorted
  }

  /// Whether the map is that of an object in a store.
  public var isManaged: Bool { storage.isManaged }

  /// Whether the object that the map belongs to was deleted, or its store closed.
  /// Reading such a map is a programming error.
  public var isInvalidated: Bool { storage.isInvalidated }
}

@available(*, unavailable)
extension StoredMap: Sendable {}

// MARK: - Reading

extension StoredMap: RandomAccessCollection {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  /// The position of the first pair: 0.
  public var startIndex: Int { 0 }

  /// How many pairs there are.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { count }

  /// How many pairs there are.
  ///
  /// - Complexity: O(1).
  public var count: Int { isManaged ? storage.count : local.count }

  /// The pair at a position in the order of the keys. A position that is not in the map
  /// stops the program.
  ///
  /// - Complexity: O(log *n*); O(*n* log *n*) for the first time after a change of an
  ///   unmanaged map.
  public subscript(position: Int) -> (key: Key, value: Value) {
    guard isManaged else {
      storage.requirePosition(position, in: 0..<local.count)
      let name = names[position]
      return (Key(_$name: name), local[name] ?? storage.placeholder())
    }
    if position >= 0, let name = storage.name(at: position),
      let value = storage.element(at: position, as: Value.self)
    {
      return (Key(_$name: name), value)
    }
    storage.requirePosition(position, in: 0..<storage.count)
    return (Key(_$name: ""), storage.placeholder())
  }

  /// Goes through the pairs in the order of the keys.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Copies the elements into an array. There are fewer than ``count`` when some cannot be read.
  @_documentation(visibility: internal)
  public func _copyToContiguousArray() -> ContiguousArray<(key: Key, value: Value)> {
    copiedElements()
  }

  /// Goes through the pairs of a map.
  ///
  /// - Complexity: O(1) for each pair; the next ones are found without a search.
  public struct Iterator: IteratorProtocol {
    private var cursor: CollectionCursor<Value>?
    private let names: [String]
    private let values: [String: Value]
    private var position = 0

    init(_ map: StoredMap) {
      cursor = CollectionCursor(map.storage)
      names = map.isManaged ? [] : map.names
      values = map.isManaged ? [:] : map.local
    }

    /// The next pair, or nil at the end.
    public mutating func next() -> (key: Key, value: Value)? {
      let position = position
      self.position += 1
      if cursor == nil {
        guard position < names.count, let value = values[names[position]] else { return nil }
        return (Key(_$name: names[position]), value)
      }
      guard let name = cursor?.name(at: position), let value = cursor?.element(at: position)
      else {
        self.position = position
        return nil
      }
      return (Key(_$name: name), value)
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

  /// Whether there is a value for a key.
  ///
  /// - Complexity: O(log *n*).
  public func contains(key: Key) -> Bool {
    isManaged ? storage.position(ofName: key._$name) != nil : local[key._$name] != nil
  }
}
