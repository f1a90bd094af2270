public import Foundation
public import WhimbrelEngine

/// A schema as a file for version control, as `whimbrel schema --json` writes it.
///
/// ```json
/// {
///   "classes" : [
///     {
///       "name" : "Country",
///       "properties" : [
///         { "name" : "code", "primaryKey" : true, "type" : "string" },
///         { "name" : "name", "type" : "string" }
///       ]
///     }
///   ],
///   "schemaVersion" : 4
/// }
/// ```
///
/// Classes are sorted by name, properties stand in the declared order, and keys are sorted.
/// Defaults are left out.
///
/// A class has `name`, `properties`, `declared` if it is false, `embedded` if it is true,
/// `previousNames` if the class had other names in earlier versions, and `indexes` if it has unique
/// indexes, full-text indexes or indexes on several properties, such as
/// `{"kind":"unique","properties":["email"]}`. An index without `kind` is ordered. A property has
/// these keys:
///
/// | key | content | left out |
/// |---|---|---|
/// | `name` | the name | never |
/// | `type` | `bool`, `int8` … `int`, `uint8` … `uint32`, `float`, `double`, `string`, `data`, `date`, `uuid`, `decimal`, `objectId`, `any`, or `<Country>` for a link; `[int]` is a list, `{int}` a set, `[string: int]` a map, and `[int?]` a list whose elements may be nil | never |
/// | `optional` | whether it may be nil | if false, and for links |
/// | `primaryKey` | whether it is the primary key | if false |
/// | `indexed` | whether it has an index | if false |
/// | `default` | `{"value":{"int":5}}`, or `"generated"` | if there is none |
/// | `cases` | the raw values of its enum, as text | if it has no enum |
/// | `previousNames` | the names of the property in earlier versions | if there are none |
///
/// Integers beyond 2⁵³ are strings, `{"int":"9007199254740993"}`, because many JSON readers would
/// round them.
///
/// Later versions may add keys. ``init(json:)`` ignores unknown keys. ``SchemaSource`` refuses them,
/// because a person may have misspelt a key.
public struct SchemaExport: Hashable, Sendable, Codable {
  /// The version of the app's schema.
  public let schemaVersion: SchemaVersion
  /// The classes, sorted by name.
  public let classes: [ClassExport]

  /// A class of a schema.
  public struct ClassExport: Hashable, Sendable {
    /// The name of the class.
    public let name: String
    /// Whether the app declares the class. The data of other classes is kept.
    public let isDeclared: Bool
    /// Whether the class is embedded: each object has exactly one owner.
    public let isEmbedded: Bool
    /// The properties in the declared order.
    public let properties: [PropertySchema]
    /// The indexes that are not declared by a single property, in sorted order.
    public let indexes: [IndexSchema]
    /// The names of the class in earlier versions, from `@Model(renamedFrom:)`. A store does not
    /// keep them.
    public let previousNames: [String]

    /// Creates a class from its parts.
    public init(
      name: String, isDeclared: Bool = true, isEmbedded: Bool = false,
      properties: [PropertySchema], indexes: [IndexSchema] = [], previousNames: [String] = []
    ) {
      self.name = name
      self.isDeclared = isDeclared
      self.isEmbedded = isEmbedded
      self.properties = properties
      self.indexes = indexes.sorted()
      self.previousNames = previousNames
    }
  }

  /// Creates a schema from classes in any order.
  public init(schemaVersion: SchemaVersion, classes: [ClassExport]) {
    self.schemaVersion = schemaVersion
    self.classes = classes.sorted { $0.name < $1.name }
  }

  /// Returns the schema as JSON. Equal schemas give the same bytes.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Decodes the output of ``json()``.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws { try self.init(json: json, refusesUnknownKeys: false) }

  init(json: Data, refusesUnknownKeys: Bool) throws {
    self = try Coding.decoder(refusesUnknownKeys: refusesUnknownKeys)
      .decode(SchemaExport.self, from: json)
  }
}

extension SchemaExport {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case schemaVersion, classes
  }

  /// Decodes a schema.
  public init(from decoder: any Decoder) throws {
    try decoder.requireKnown(CodingKeys.allCases.map(\.stringValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schemaVersion = try container.decode(SchemaVersion.self, forKey: .schemaVersion)
    classes = try container.decode([ClassExport].self, forKey: .classes)
  }
}

extension SchemaExport.ClassExport: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, properties, indexes, previousNames
    case isDeclared = "declared"
    case isEmbedded = "embedded"
  }

  /// Decodes a class.
  public init(from decoder: any Decoder) throws {
    try decoder.requireKnown(CodingKeys.allCases.map(\.stringValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      isDeclared: try container.decodeIfPresent(Bool.self, forKey: .isDeclared) ?? true,
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: .isEmbedded) ?? false,
      properties: try container.decode([PropertySchema].self, forKey: .properties),
      indexes: try container.decodeIfPresent([IndexSchema].self, forKey: .indexes) ?? [],
      previousNames: try container.decodeIfPresent([String].self, forKey: .previousNames) ?? [])
  }

  /// Encodes the class.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    if !isDeclared { try container.encode(false, forKey: .isDeclared) }
    if isEmbedded { try container.encode(true, forKey: .isEmbedded) }
    try container.encode(properties, forKey: .properties)
    if !indexes.isEmpty { try container.encode(indexes, forKey: .indexes) }
    if !previousNames.isEmpty { try container.encode(previousNames, forKey: .previousNames) }
  }
}
