public import Foundation
public import WhimbrelEngine

/// A description of a store, as `whimbrel info` shows it: its versions, sizes, classes and history.
public struct StoreDescription: Hashable, Sendable, Codable {
  /// The path of the file as the caller gave it.
  public let path: String
  /// The version of the file format.
  public let formatVersion: Int
  /// The version of the app's schema.
  public let schemaVersion: SchemaVersion
  /// The identity of the store. Copies share it.
  public let uuid: UUID
  /// The date when the store was created.
  public let created: Date
  /// The name and version of the library that wrote the catalog last.
  public let lastWriter: String
  /// The size of the file in bytes.
  public let fileSize: Int
  /// The size of a page in bytes.
  public let pageSize: Int
  /// The number of pages in use.
  public let usedPages: Int
  /// The number of pages that are free for later writes.
  public let freePages: Int
  /// The number of snapshots that other processes hold. They keep old pages from being freed.
  public let readers: Int
  /// The classes, sorted by name.
  public let classes: [ClassDescription]
  /// The completed migrations, oldest first.
  public let history: [MigrationHistoryEntry]
  /// The online migration that is under way, or nil.
  public let transition: TransitionDescription?
  /// The bytes by what they hold, or nil if they were not asked for.
  public var sizes: StoreSizes?
}

extension StoreDescription {
  /// A description of a class.
  public struct ClassDescription: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// Whether the app declares the class. The data of other classes is kept.
    public let isDeclared: Bool
    /// Whether the class is embedded: each object has exactly one owner.
    public let isEmbedded: Bool
    /// The number of objects.
    public let objects: Int
    /// The size of the objects in bytes, in whole pages, with keys, indexes and overflow.
    public let bytes: Int
    /// The number of layouts that records may have. A change of the schema that does not rewrite
    /// the records adds one.
    public let layouts: Int
    /// The number of records per layout, sorted by layout, or nil if they were not counted.
    public let layoutsInUse: [LayoutCount]?
    /// The number of properties.
    public let properties: Int
    /// The name of the primary key, or nil.
    public let primaryKey: String?

    private enum CodingKeys: String, CodingKey {
      case name, objects, bytes, layouts, layoutsInUse, properties, primaryKey
      case isDeclared = "declared"
      case isEmbedded = "embedded"
    }

    /// Encodes the class. `primaryKey` is null if there is none. `layoutsInUse` is missing if the
    /// layouts were not counted.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(isDeclared, forKey: .isDeclared)
      try container.encode(isEmbedded, forKey: .isEmbedded)
      try container.encode(objects, forKey: .objects)
      try container.encode(bytes, forKey: .bytes)
      try container.encode(layouts, forKey: .layouts)
      try container.encodeIfPresent(layoutsInUse, forKey: .layoutsInUse)
      try container.encode(properties, forKey: .properties)
      try container.encode(primaryKey, forKey: .primaryKey)
    }
  }

  /// The number of records of a class with one layout.
  public struct LayoutCount: Hashable, Sendable, Codable {
    /// The number of the layout, which grows with each change of the class.
    public let layout: Int
    /// The number of records with the layout.
    public let objects: Int
    /// Whether new records get this layout.
    public let isWritten: Bool

    private enum CodingKeys: String, CodingKey {
      case layout, objects
      case isWritten = "written"
    }
  }

  /// Returns the description as JSON with ISO 8601 dates and sorted keys.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Decodes the output of ``json()``.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(StoreDescription.self, from: json)
  }
}
