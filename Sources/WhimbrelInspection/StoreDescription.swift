public import Foundation
public import WhimbrelEngine

/// What a store is: its versions, its size, its classes and its history. This is
/// what `whimbrel info` shows.
public struct StoreDescription: Hashable, Sendable, Codable {
  /// The path of the file, as it was given.
  public let path: String
  /// The version of the file's format.
  public let formatVersion: Int
  /// The version of the app's schema.
  public let schemaVersion: SchemaVersion
  /// The identity of the store; copies share it.
  public let uuid: UUID
  /// When the store was made.
  public let created: Date
  /// The library that wrote the catalog last, and its version.
  public let lastWriter: String
  /// The size of the file in bytes.
  public let fileSize: Int
  /// The size of a page in bytes.
  public let pageSize: Int
  /// How many pages are in use.
  public let usedPages: Int
  /// How many pages are free for what is written next.
  public let freePages: Int
  /// How many snapshots other processes hold; those pin the pages they see.
  public let readers: Int
  /// The classes, sorted by name.
  public let classes: [ClassDescription]
  /// The migrations that have been run, oldest first.
  public let history: [MigrationHistoryEntry]
}

extension StoreDescription {
  /// What a class is.
  public struct ClassDescription: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// Whether the app declares the class; if not, its data is kept all the same.
    public let isDeclared: Bool
    /// Whether each object belongs to the one object that links to it.
    public let isEmbedded: Bool
    /// How many objects there are.
    public let objects: Int
    /// How many bytes its objects take, in whole pages, with their keys, their indexes
    /// and what does not fit into their records.
    public let bytes: Int
    /// How many layouts its records may have: one more for each change of the
    /// schema that did not rewrite them.
    public let layouts: Int
    /// How many records have which of the layouts, by their numbers; nil when they were not
    /// counted.
    public let layoutsInUse: [LayoutCount]?
    /// How many properties it has.
    public let properties: Int
    /// The name of the primary key, or nil.
    public let primaryKey: String?

    private enum CodingKeys: String, CodingKey {
      case name, objects, bytes, layouts, layoutsInUse, properties, primaryKey
      case isDeclared = "declared"
      case isEmbedded = "embedded"
    }

    /// Writes the class; `primaryKey` is null if there is none, and `layoutsInUse` is left out
    /// if layouts were not counted.
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

  /// How many records of a class have a layout.
  public struct LayoutCount: Hashable, Sendable, Codable {
    /// The number of the layout, which grows with each change of the class.
    public let layout: Int
    /// How many records have it.
    public let objects: Int
    /// Whether it is the one that is written now.
    public let isWritten: Bool

    private enum CodingKeys: String, CodingKey {
      case layout, objects
      case isWritten = "written"
    }
  }

  /// The description as JSON: dates are ISO 8601, keys are sorted.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(StoreDescription.self, from: json)
  }
}
