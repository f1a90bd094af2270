public import WhimbrelEngine

extension StoredMap: ModelValue {
  /// The stored type.
  public static var propertyType: PropertyType { .map(of: Value._$elementType) }
  /// The raw values of the values if they are an enum, as text, otherwise nil.
  public static var propertyCases: [String]? { Value._$elementCases }

  /// Makes an unmanaged map from a stored value. Returns nil if the value has another type, or if
  /// it is a map of links, which lead nowhere without a store.
  public convenience init?(propertyValue: PropertyValue) {
    guard case .map(let pairs) = propertyValue else { return nil }
    let names = Array(pairs.keys)
    guard let values = [Value](propertyValues: names.compactMap { pairs[$0] }) else { return nil }
    self.init()
    local = Dictionary(zip(names, values), uniquingKeysWith: { _, last in last })
  }

  /// The entries as a stored value. Unmanaged objects are stored as null.
  public var propertyValue: PropertyValue { .map(dictionary.mapValues(\._$plainValue)) }

  /// The values by the stored text of their keys.
  private var dictionary: [String: Value] {
    guard isManaged else { return local }
    return Dictionary(map { ($0.key._$name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The empty map.
  public static var _$placeholder: StoredMap { StoredMap() }

  /// Returns the map of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> StoredMap {
    StoredMap(CollectionStorage(row, index))
  }

  /// Replaces the entries of a managed object's map by those of another map.
  public static func _$store(_ value: StoredMap, _ row: inout ModelRow, _ index: Int) {
    let target = CollectionStorage(row, index)
    guard !value.storage.isSame(as: target) else { return }
    let pairs = Array(value)
    target.edit(adding: pairs.lazy.map(\.value), keepsPlaces: true, else: ()) { values, editor in
      try editor.removeSubrange(0..<editor.count())
      let entries = zip(pairs, values).filter { !Value._$isMissing($0.1) }
      try editor.set(entries.map { ($0.0.key._$name, $0.1) })
    }
  }

  /// Encodes the entries of an unmanaged object's map.
  public static func _$encode(
    _ value: StoredMap, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    if !value.isManaged { value.storage.onManaged = { [weak value] in value?.local = [:] } }
    try encoder._$setElements(index, value.dictionary, of: value.storage)
  }

  /// Converts a dictionary whose values can be converted to an unmanaged map. Nil becomes an empty
  /// map.
  public static func _$converted(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> StoredMap {
    let map = StoredMap()
    guard let value = conversion.unwrapped(value), (value as? PropertyValue)?.isNull != true
    else { return map }
    if !Value._$mayBeObject, isClass(value), let other = value as? StoredMap {
      map.local = other.dictionary
      return map
    }
    guard let values = conversion.entries(value) else {
      throw conversion.wrongType(propertyType, value)
    }
    map.local = try conversion.entries(values) { try Value._$convertedElement($0, $1) }
    return map
  }
}

extension StoredMap: MapEntries {
  var entries: [String: Any] { dictionary }
}

extension StoredMap: ExpressibleByDictionaryLiteral {
  /// Makes an unmanaged map from a literal. If a key occurs twice, the last value counts.
  public convenience init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension StoredMap: Equatable {
  /// Returns whether both maps have the same values for the same keys. Either map may be managed or
  /// unmanaged.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: StoredMap, rhs: StoredMap) -> Bool {
    if lhs === rhs || lhs.storage.isSame(as: rhs.storage) { return true }
    return lhs.count == rhs.count
      && zip(lhs, rhs).allSatisfy { $0.key == $1.key && $0.value.isSameElement(as: $1.value) }
  }
}

extension StoredMap: CustomStringConvertible, CustomDebugStringConvertible {
  /// The first hundred entries as text.
  public var description: String {
    if isInvalidated { return "[invalidated map]" }
    let pairs = describe(self) { "\($0.key._$name.debugDescription): \($0.value)" }
    return "[\(pairs.isEmpty ? ":" : pairs)]"
  }

  /// The type, and the first hundred entries as text.
  public var debugDescription: String {
    let pairs =
      isInvalidated
      ? "invalidated"
      : describe(self) { "\($0.key._$name.debugDescription): \(String(reflecting: $0.value))" }
    return "StoredMap<\(Key.self), \(Value.self)>([\(pairs.isEmpty ? ":" : pairs)])"
  }
}

extension StoredMap: Encodable where Value: Encodable {
  /// Encodes the values by their keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MapCodingKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: MapCodingKey(stringValue: key._$name))
    }
  }
}

extension StoredMap: Decodable where Value: Decodable {
  /// Decodes an unmanaged map.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MapCodingKey.self)
    self.init()
    for key in container.allKeys {
      local[key.stringValue] = try container.decode(Value.self, forKey: key)
    }
  }
}

/// A coding key that is the key of a map.
private struct MapCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = String(intValue) }
}
