/// A property is coded as an object without its default settings, so that the catalog stays short
/// and readable: `{"name":"latitude","type":"double"}`.
extension PropertySchema {
  private static let keys = [
    "name", "type", "cases", "previousNames", "optional", "primaryKey", "indexed", "default",
  ]

  /// Reads a property.
  public init(from decoder: any Decoder) throws {
    try decoder.requireKnown(Self.keys)
    let container = try decoder.container(keyedBy: SchemaKey.self)
    self.init(
      name: try container.decode(String.self, forKey: "name"),
      type: try container.decode(PropertyType.self, forKey: "type"),
      isOptional: try container.decodeIfPresent(Bool.self, forKey: "optional") ?? false,
      isPrimaryKey: try container.decodeIfPresent(Bool.self, forKey: "primaryKey") ?? false,
      isIndexed: try container.decodeIfPresent(Bool.self, forKey: "indexed") ?? false,
      defaultValue: try container.decodeIfPresent(PropertyDefault.self, forKey: "default")
        ?? .none,
      cases: try container.decodeIfPresent([String].self, forKey: "cases"),
      previousNames: try container.decodeIfPresent([String].self, forKey: "previousNames") ?? [])
  }

  /// Writes the property.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(name, forKey: "name")
    try container.encode(type, forKey: "type")
    // Links are always optional, so this is omitted.
    if isOptional, type.linkTarget == nil { try container.encode(true, forKey: "optional") }
    if isPrimaryKey { try container.encode(true, forKey: "primaryKey") }
    if isIndexed { try container.encode(true, forKey: "indexed") }
    if defaultValue != .none { try container.encode(defaultValue, forKey: "default") }
    try container.encodeIfPresent(cases, forKey: "cases")
    if !previousNames.isEmpty { try container.encode(previousNames, forKey: "previousNames") }
  }
}

/// A default is coded as `{"value":{"int":5}}` or `"generated"`. If there is none, the key is
/// omitted or null.
extension PropertyDefault: Codable {
  /// Reads a default.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .none
    } else if let word = try? single.decode(String.self) {
      guard word == "generated" else {
        throw DecodingError.dataCorruptedError(
          in: single, debugDescription: "'\(word)' is not a kind of default value.")
      }
      self = .generated
    } else {
      let container = try decoder.container(keyedBy: SchemaKey.self)
      self = .value(try container.decode(PropertyValue.self, forKey: "value"))
    }
  }

  /// Writes the default.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .none:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .value(let value):
      var container = encoder.container(keyedBy: SchemaKey.self)
      try container.encode(value, forKey: "value")
    case .generated:
      var container = encoder.singleValueContainer()
      try container.encode("generated")
    }
  }

  /// Returns whether both are the same to the bit: see ``PropertyValue/isIdentical(to:)``.
  package func isIdentical(to other: PropertyDefault) -> Bool {
    guard case .value(let left) = self, case .value(let right) = other else {
      return self == other
    }
    return left.isIdentical(to: right)
  }
}
