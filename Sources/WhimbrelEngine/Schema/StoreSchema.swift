/// The version that an app gives its schema.
///
/// It must increase with each change of the schema, except for changes that are
/// ``SchemaChange/isAllowedWithoutVersionChange``.
public typealias SchemaVersion = UInt64

/// The schema of a store: all its classes.
public struct StoreSchema: Hashable, Sendable, Codable {
  /// The classes, sorted by name.
  public let classes: [ClassSchema]

  /// Makes a schema from classes in any order.
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

/// A class of a schema: its name, its properties and its indexes.
public struct ClassSchema: Hashable, Sendable, Codable {
  /// The name of the class.
  public let name: String
  /// Whether the class is embedded. An embedded object belongs to its owner, the one object that
  /// links to it, and is deleted with the owner.
  public let isEmbedded: Bool
  /// The properties, in the order declared.
  public let properties: [PropertySchema]
  /// The sorted indexes, without those that properties declare by ``PropertySchema/isIndexed``.
  public let indexes: [IndexSchema]
  /// The names of the class in earlier schema versions, from `@Model(renamedFrom:)`.
  public let previousNames: [String]

  /// Makes a class. The indexes can be in any order.
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

  /// The primary key, or nil if the class does not have one.
  public var primaryKey: PropertySchema? {
    properties.first { $0.isPrimaryKey }
  }
}

extension ClassSchema {
  /// Reads a class. By default it is not embedded and has no indexes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    self.init(
      name: try container.decode(String.self, forKey: "name"),
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: "isEmbedded") ?? false,
      properties: try container.decode([PropertySchema].self, forKey: "properties"),
      indexes: try container.decodeIfPresent([IndexSchema].self, forKey: "indexes") ?? [],
      previousNames: try container.decodeIfPresent([String].self, forKey: "previousNames") ?? [])
  }

  /// Writes the class. Default settings are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(name, forKey: "name")
    if isEmbedded { try container.encode(isEmbedded, forKey: "isEmbedded") }
    try container.encode(properties, forKey: "properties")
    if !indexes.isEmpty { try container.encode(indexes, forKey: "indexes") }
    if !previousNames.isEmpty { try container.encode(previousNames, forKey: "previousNames") }
  }
}

/// A property of a class.
public struct PropertySchema: Hashable, Sendable, Codable {
  /// The name of the property.
  public var name: String
  /// The type of the stored property.
  public var type: PropertyType
  /// Whether the property can be nil. Links always can.
  public var isOptional: Bool
  /// Whether the property is the primary key of its class.
  public var isPrimaryKey: Bool
  /// Whether the property has an index.
  public var isIndexed: Bool
  /// The value of the property in new objects that do not set it.
  public var defaultValue: PropertyDefault
  /// The raw values of the property's enum, as text and in the order declared, or nil if the
  /// property does not hold an enum.
  public var cases: [String]?
  /// The names of the property in earlier schema versions, from `@Renamed(from:)`.
  public var previousNames: [String]

  /// Makes a property. By default it is required, not indexed, and without a default value.
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

/// The default value of a property.
public enum PropertyDefault: Hashable, Sendable {
  /// No default: an optional property is nil, and a required one must be set.
  case none
  /// The same value for every object.
  case value(PropertyValue)
  /// A new value for each object, such as `UUID()`. Only the model can generate it.
  case generated
}
