internal import Foundation
internal import WhimbrelEngine

// The encoding and decoding of properties of models. See Model+Codable.swift.

/// A coding key that is the name of a property.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The path of properties to the object that is being encoded or decoded.
enum CodingPath {
  /// The limit of objects that a path may have. It stops cycles, and keeps values from exhausting
  /// the stack.
  static let limit = 100

  @TaskLocal private static var properties: [String] = []

  /// Encodes a property with the path extended by it.
  static func entering(
    _ property: String, in className: String, _ body: () throws -> Void
  ) throws {
    guard properties.count <= limit else {
      throw StoreError.codingCycle(class: className, path: properties, limit: limit)
    }
    try $properties.withValue(properties + [property], operation: body)
  }

  /// Throws if a decoder is too deep in nested objects.
  fileprivate static func requireDepth(_ decoder: any Decoder) throws {
    let path = decoder.codingPath
    guard path.count > limit, path.count(where: { $0.intValue == nil }) > limit else { return }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: path, debugDescription: "Objects are nested more than \(limit) levels deep."))
  }
}

// MARK: - Encoding

extension KeyedEncodingContainer<PropertyKey> {
  /// Encodes a value of a type that most properties have, and returns whether it has one.
  ///
  /// Asking a value for a protocol takes far longer. A function of its own: its temporary values
  /// would take stack at each level of nested objects.
  @inline(never)
  mutating func encodeCommon(_ value: Any, forKey key: PropertyKey) throws -> Bool {
    // A cast to another type takes longer than comparing the types.
    let type = type(of: value)
    if type == String.self, let value = value as? String {
      try encode(value, forKey: key)
    } else if type == Int.self, let value = value as? Int {
      try encode(value, forKey: key)
    } else if type == Double.self, let value = value as? Double {
      try encode(value, forKey: key)
    } else if type == Bool.self, let value = value as? Bool {
      try encode(value, forKey: key)
    } else if type == Date.self, let value = value as? Date {
      try encode(value, forKey: key)
    } else if type == Data.self, let value = value as? Data {
      try encode(value, forKey: key)
    } else {
      return false
    }
    return true
  }
}

/// The value of a property, encoded as its type requires.
struct EncodedValue: Encodable {
  let value: Any

  init(_ value: Any) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    guard let value = flattened(value) else {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    if isPlain(type(of: value)), let value = value as? any Encodable {
      return try encodeAlone(value, encoder)
    }
    switch value {
    case let value as any PersistableEnum: try Self.rawValue(of: value).encode(to: encoder)
    case let value as any MapEntries:
      // Encoded as a dictionary: the keys are data, so key strategies must not change them.
      try encodeAlone(value.entries.mapValues(EncodedValue.init), encoder)
    case let value as any CodableElements:
      var container = encoder.unkeyedContainer()
      for element in value.elements { try container.encode(EncodedValue(element)) }
    case let object as any Model & Encodable:
      // Direct: encoders have no strategy for models, and each extra call takes stack space.
      try object.encode(to: encoder)
    case let value as any Encodable: try encodeAlone(value, encoder)
    case let value as any CustomPersistable:
      try Self.persistableValue(of: value).encode(to: encoder)
    default:
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "'\(ValueConversion.typeName(of: value))' is not Encodable."))
    }
  }

  /// Encodes a value through a container, so that the encoder's strategies apply, such as those for
  /// dates.
  private func encodeAlone(_ value: some Encodable, _ encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  private static func rawValue(of value: some PersistableEnum) -> EncodedValue {
    EncodedValue(value.rawValue)
  }

  private static func persistableValue(of value: some CustomPersistable) -> EncodedValue {
    EncodedValue(value.persistableValue)
  }
}

/// A list or a set of any element type.
protocol CodableElements {
  var elements: [Any] { get }
  static func decodedElements(from decoder: any Decoder) throws -> Any
}

/// A map of any value type, decoded from a dictionary.
protocol DecodableEntries: MapEntries {
  static func decodedEntries(from decoder: any Decoder) throws -> Any
}

// MARK: - Decoding

/// The value of a property, decoded as its type requires.
struct DecodedValue<Value>: Decodable {
  let value: Any?

  init(from decoder: any Decoder) throws { value = try decodedValue(Value.self, from: decoder) }
}

extension ModelValue {
  /// Returns a value of a type that most properties have, or nil if this is another type.
  ///
  /// Asking a type for a protocol takes far longer.
  static func decodedCommon(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Self? {
    if Self.self == String.self {
      return try container.decode(String.self, forKey: key) as? Self
    }
    if Self.self == Int.self { return try container.decode(Int.self, forKey: key) as? Self }
    if Self.self == Double.self { return try container.decode(Double.self, forKey: key) as? Self }
    if Self.self == Bool.self { return try container.decode(Bool.self, forKey: key) as? Self }
    if Self.self == Date.self { return try container.decode(Date.self, forKey: key) as? Self }
    if Self.self == Data.self { return try container.decode(Data.self, forKey: key) as? Self }
    return nil
  }

  static func decoded(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any? {
    if let optional = Self.self as? any AnyOptional.Type {
      guard try !container.decodeNil(forKey: key) else { return nil }
      return try value(of: optional.contentType, container, key)
    }
    return try container.decode(DecodedValue<Self>.self, forKey: key).value
  }

  private static func value(
    of type: Any.Type, _ container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any? {
    func open<Content>(_ type: Content.Type) throws -> Any? {
      try container.decode(DecodedValue<Content>.self, forKey: key).value
    }
    return try _openExistential(type, do: open)
  }
}

/// Decodes a value of a type that a property may have.
private func decodedValue(_ type: Any.Type, from decoder: any Decoder) throws -> Any? {
  switch try DecodedKind(type, decoder) {
  case .optional(let content): return try decodedValue(content, from: decoder)
  case .null: return nil
  case .enumeration(let type): return try type.decodedCase(from: decoder)
  case .elements(let type): return try type.decodedElements(from: decoder)
  case .entries(let type): return try type.decodedEntries(from: decoder)
  case .decodable(let type): return try decoder.singleValueContainer().decode(type)
  case .custom(let type): return try type.decodedCustom(from: decoder)
  }
}

/// The way to decode a value of a type.
private enum DecodedKind {
  case null, optional(Any.Type)
  case enumeration(any PersistableEnum.Type), custom(any CustomPersistable.Type)
  case elements(any CodableElements.Type), entries(any DecodableEntries.Type)
  case decodable(any Decodable.Type)

  /// A function of its own: its temporary values would take stack at each level of nested objects.
  @inline(never)
  init(_ type: Any.Type, _ decoder: any Decoder) throws {
    if let optional = type as? any AnyOptional.Type {
      let isNil = try decoder.singleValueContainer().decodeNil()
      self = isNil ? .null : .optional(optional.contentType)
    } else if let type = type as? any PersistableEnum.Type {
      self = .enumeration(type)
    } else if let type = type as? any CodableElements.Type {
      self = .elements(type)
    } else if let type = type as? any DecodableEntries.Type {
      self = .entries(type)
    } else if let type = type as? any Decodable.Type {
      if type is any Model.Type { try CodingPath.requireDepth(decoder) }
      self = .decodable(type)
    } else if let type = type as? any CustomPersistable.Type {
      self = .custom(type)
    } else {
      let name = (type as? any Model.Type)?._$schema.name ?? "\(type)"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(name)' is not Decodable."))
    }
  }
}

extension PersistableEnum {
  fileprivate static func decodedCase(from decoder: any Decoder) throws -> Any {
    let raw = try decodedValue(RawValue.self, from: decoder)
    guard let raw = raw as? RawValue, let value = Self(rawValue: raw) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "'\(Self.self)' has no case with that raw value."))
    }
    return value
  }
}

extension CustomPersistable {
  fileprivate static func decodedCustom(from decoder: any Decoder) throws -> Any {
    let stored = try decodedValue(PersistedType.self, from: decoder)
    guard let stored = stored as? PersistedType, let value = Self(persistedValue: stored) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The value cannot be converted to '\(Self.self)'."))
    }
    return value
  }
}

extension PropertySchema {
  /// Whether the property declares a default value.
  fileprivate var hasDefault: Bool {
    if case .none = defaultValue { false } else { true }
  }

  /// Whether an object is valid without a value for the property: it is optional, a collection, or
  /// has a default.
  var hasInitialValue: Bool { isOptional || type.emptyValue != nil || hasDefault }
}
