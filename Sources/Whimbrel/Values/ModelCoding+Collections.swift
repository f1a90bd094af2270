internal import WhimbrelEngine

extension CollectionElement {
  /// Whether elements may be objects. A conversion may have to copy them.
  static var _$mayBeObject: Bool { Self.self is any Model.Type || Self.self is AnyValue.Type }
}

extension StoredList: CodableElements {
  var elements: [Any] { map { $0 } }

  static func decodedElements(from decoder: any Decoder) throws -> Any {
    try Element.decodedArray(from: decoder)
  }
}

extension StoredSet: CodableElements {
  var elements: [Any] { map { $0 } }

  static func decodedElements(from decoder: any Decoder) throws -> Any {
    try Element.decodedArray(from: decoder)
  }
}

extension StoredMap: DecodableEntries {
  static func decodedEntries(from decoder: any Decoder) throws -> Any {
    let container = try decoder.singleValueContainer()
    return try container.decode([String: DecodedValue<Value>].self).mapValues(\.valueOrNull)
  }
}

extension CollectionElement {
  fileprivate static func decodedArray(from decoder: any Decoder) throws -> Any {
    var container = try decoder.unkeyedContainer()
    var values: [Any] = []
    while !container.isAtEnd {
      values.append(try container.decode(DecodedValue<Self>.self).valueOrNull)
    }
    return values
  }
}

extension DecodedValue {
  /// The value, or the stored null.
  fileprivate var valueOrNull: Any { value ?? PropertyValue.null }
}
