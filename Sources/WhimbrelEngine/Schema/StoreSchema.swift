/// The number that an app gives to its schema; it grows with each change of it.
public typealias SchemaVersion = UInt64

/// The classes of a store, sorted by name.
public struct StoreSchema: Hashable, Sendable, Codable {
  /// The classes, sorted by name.
  public let classes: [ClassSchema]

  /// Makes a schema of classes in any order.
  public init(classes: [ClassSchema]) {
    self.classes = classes.sorted { $0.name < $1.name }
  }

  /// The class with this name, or nil.
  ///
  /// - Complexity: O(*n*) in the number of classes.
  public subscript(name: String) -> ClassSchema? {
    classes.first { $0.name == name }
  }
}

/// A class of a schema: its name and its properties in the order declared.
public struct ClassSchema: Hashable, Sendable, Codable {
  /// The name of the class.
  public let name: String
  /// Whether objects of the class are embedded: each belongs to the one object that
  /// links to it, and is deleted with it.
  public let isEmbedded: Bool
  /// The properties in the order declared.
  public let properties: [PropertySchema]
  /// The indexes but those that properties say they have, in their order.
  public let indexes: [IndexSchema]
  /// The names that the class had in earlier schema versions, of `@Model(renamedFrom:)`.
  public let previousNames: [String]

  /// Makes a class of its name, its properties, and its indexes in any order.
  public init(
    name: String, isEmbedded: Bool = false, properties: [PropertySchema],
    indexes: [IndexSchema] = [], previousNames: [String] = []
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.indexes = indexes.sorted()
    self.previousNames = previousNames
  }

  /// The property with this name, or nil.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public subscript(name: String) -> PropertySchema? {
    properties.first { $0.name == name }
  }

  /// The primary key, or nil when the class has none.
  public var primaryKey: PropertySchema? {
    properties.first { $0.isPrimaryKey }
  }
}

extension ClassSchema {
  private enum CodingKeys: String, CodingKey {
    case name, isEmbedded, properties, indexes, previousNames
  }

  /// Reads a class; one that does not say so is not embedded and has no indexes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: .isEmbedded) ?? false,
      properties: try container.decode([PropertySchema].self, forKey: .properties),
      indexes: try container.decodeIfPresent([IndexSchema].self, forKey: .indexes) ?? [],
      previousNames: try container.decodeIfPresent([String].self, forKey: .previousNames) ?? [])
  }

  /// Writes the class; only embedded ones say that they are, and those with indexes that
  /// they have some.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    if isEmbedded { try container.encode(isEmbedded, forKey: .isEmbedded) }
    try container.encode(properties, forKey: .properties)
    if !indexes.isEmpty { try container.encode(indexes, forKey: .indexes) }
    if !previousNames.isEmpty { try container.encode(previousNames, forKey: .previousNames) }
  }
}

/// A property of a class.
public struct PropertySchema: Hashable, Sendable, Codable {
  /// The name of the property.
  public var name: String
  /// The type as it is stored.
  public var type: PropertyType
  /// Whether the property may be nil. Links always may.
  public var isOptional: Bool
  /// Whether the property is the primary key of its class.
  public var isPrimaryKey: Bool
  /// Whether the property has an index.
  public var isIndexed: Bool
  /// What an object gets that is created without a value.
  public var defaultValue: PropertyDefault
  /// The raw values of the enum that the property holds, as text and in the
  /// order declared, or nil when it holds no enum.
  public var cases: [String]?
  /// The names that the property had in earlier schema versions, of
  /// `@Renamed(from:)`.
  public var previousNames: [String]

  /// Makes a property; by default it is required, not indexed, and without a
  /// default value.
  public init(
    name: String, type: PropertyType, isOptional: Bool = false, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, defaultValue: PropertyDefault = .none, cases: [String]? = nil,
    previousNames: [String] = []
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional || type.linkTarget != nil
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.cases = cases
    self.previousNames = previousNames
  }
}

/// What an object gets for a property that nobody gave a value.
public enum PropertyDefault: Hashable, Sendable {
  /// Nothing: an optional property is nil, and a required one must be set.
  case none
  /// The same value each time.
  case value(PropertyValue)
  /// Another value each time, as `UUID()` gives; only the model can make it.
  case generated
}
