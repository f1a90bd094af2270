public import Foundation
public import WhimbrelEngine

/// A schema as a file for version control: what `whimbrel schema --json` writes.
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
/// The classes are sorted by name, the properties stand in the order declared,
/// and keys are sorted; what is as usual is left out. A class has `name`,
/// `properties`, `declared` if that is false, `embedded` if that is true,
/// `previousNames` if the class had other names in earlier versions, and `indexes` if it has
/// any of several properties, unique or full-text ones, as
/// `{"kind":"unique","properties":["email"]}`; without `kind` one is ordered. A
/// property has
///
/// | key | what | left out |
/// |---|---|---|
/// | `name` | its name | never |
/// | `type` | `bool`, `int8` … `int`, `uint8` … `uint32`, `float`, `double`, `string`, `data`, `date`, `uuid`, `decimal`, `objectId`, `any`, or `<Country>` for a link; `[int]` is a list, `{int}` a set, `[string: int]` a map, and `[int?]` a list whose elements may be nil | never |
/// | `optional` | whether it may be nil | if false, and for links |
/// | `primaryKey` | whether it is the primary key | if false |
/// | `indexed` | whether it has an index | if false |
/// | `default` | `{"value":{"int":5}}`, or `"generated"` | if there is none |
/// | `cases` | the raw values of its enum, as text | if it has no enum |
/// | `previousNames` | the names of the property in earlier versions | if it had no others |
///
/// Whole numbers beyond 2⁵³ are strings, `{"int":"9007199254740993"}`: many readers of JSON would
/// round them.
///
/// Later versions may add keys; readers ignore those that they do not know.
public struct SchemaExport: Hashable, Sendable, Codable {
  /// The version of the app's schema.
  public let schemaVersion: SchemaVersion
  /// The classes, sorted by name.
  public let classes: [ClassExport]

  /// A class of a schema.
  public struct ClassExport: Hashable, Sendable {
    /// The name of the class.
    public let name: String
    /// Whether the app declares the class; if not, its data is kept all the same.
    public let isDeclared: Bool
    /// Whether each object belongs to the one object that links to it.
    public let isEmbedded: Bool
    /// The properties in the order declared.
    public let properties: [PropertySchema]
    /// The indexes but those that properties say they have, in their order.
    public let indexes: [IndexSchema]
    /// The names that the class had in earlier versions, of `@Model(renamedFrom:)`; a store does
    /// not keep them.
    public let previousNames: [String]

    /// Makes a class of its parts.
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

  /// Makes a schema of classes in any order.
  public init(schemaVersion: SchemaVersion, classes: [ClassExport]) {
    self.schemaVersion = schemaVersion
    self.classes = classes.sorted { $0.name < $1.name }
  }

  /// The schema as JSON: the same bytes for the same schema.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(SchemaExport.self, from: json)
  }
}

extension SchemaExport.ClassExport: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, properties, indexes, previousNames
    case isDeclared = "declared"
    case isEmbedded = "embedded"
  }

  /// Reads a class.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      isDeclared: try container.decodeIfPresent(Bool.self, forKey: .isDeclared) ?? true,
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: .isEmbedded) ?? false,
      properties: try container.decode([PropertySchema].self, forKey: .properties),
      indexes: try container.decodeIfPresent([IndexSchema].self, forKey: .indexes) ?? [],
      previousNames: try container.decodeIfPresent([String].self, forKey: .previousNames) ?? [])
  }

  /// Writes the class.
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
