/// A catalog is coded as an object with its classes, the next class ID and its history.
extension Catalog: Codable {
  /// Decodes a catalog, which need not be consistent.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    classes = try container.decode([CatalogClass].self, forKey: "classes")
    nextClassID = try container.decode(ClassID.self, forKey: "nextClassID")
    history = try container.decode([MigrationHistoryEntry].self, forKey: "history")
  }

  /// Encodes the catalog.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(classes, forKey: "classes")
    try container.encode(nextClassID, forKey: "nextClassID")
    try container.encode(history, forKey: "history")
  }
}

extension CatalogClass: Codable {
  /// Decodes a class. Missing keys mean that the class is not embedded, has no indexes, has
  /// property indexes without checksums, has no salt, and is not in transition.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    id = try container.decode(ClassID.self, forKey: "id")
    name = try container.decode(String.self, forKey: "name")
    isEmbedded = try container.decodeIfPresent(Bool.self, forKey: "isEmbedded") ?? false
    isDeclared = try container.decode(Bool.self, forKey: "isDeclared")
    generation = try container.decode(Generation.self, forKey: "generation")
    nextGeneration = try container.decode(Generation.self, forKey: "nextGeneration")
    isClustered = try container.decode(Bool.self, forKey: "isClustered")
    properties = try container.decode([CatalogProperty].self, forKey: "properties")
    nextPropertyID = try container.decode(PropertyID.self, forKey: "nextPropertyID")
    indexes = try container.decodeIfPresent([CatalogIndex].self, forKey: "indexes") ?? []
    nextIndexID =
      try container.decodeIfPresent(IndexID.self, forKey: "nextIndexID") ?? IndexID(rawValue: 1)
    layouts = try container.decode([RecordLayout].self, forKey: "layouts")
    currentLayout = try container.decode(LayoutID.self, forKey: "currentLayout")
    guardsIndexes = try container.decodeIfPresent(Bool.self, forKey: "guardsIndexes") ?? false
    salt = try container.decodeIfPresent(ChecksumSalt.self, forKey: "salt") ?? .none
    transition = try container.decodeIfPresent(ClassTransition.self, forKey: "transition")
  }

  /// Encodes the class. A class that never had an index omits the keys of indexes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(id, forKey: "id")
    try container.encode(name, forKey: "name")
    if isEmbedded { try container.encode(isEmbedded, forKey: "isEmbedded") }
    try container.encode(isDeclared, forKey: "isDeclared")
    try container.encode(generation, forKey: "generation")
    try container.encode(nextGeneration, forKey: "nextGeneration")
    try container.encode(isClustered, forKey: "isClustered")
    try container.encode(properties, forKey: "properties")
    try container.encode(nextPropertyID, forKey: "nextPropertyID")
    if !indexes.isEmpty { try container.encode(indexes, forKey: "indexes") }
    if nextIndexID.rawValue > 1 { try container.encode(nextIndexID, forKey: "nextIndexID") }
    try container.encode(layouts, forKey: "layouts")
    try container.encode(currentLayout, forKey: "currentLayout")
    if guardsIndexes { try container.encode(guardsIndexes, forKey: "guardsIndexes") }
    if salt != .none { try container.encode(salt, forKey: "salt") }
    try container.encodeIfPresent(transition, forKey: "transition")
  }
}

extension CatalogIndex: Codable {
  /// Decodes an index.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    id = try container.decode(IndexID.self, forKey: "id")
    kind = try container.decode(IndexKind.self, forKey: "kind")
    properties = try container.decode([PropertyID].self, forKey: "properties")
  }

  /// Encodes the index.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(id, forKey: "id")
    try container.encode(kind, forKey: "kind")
    try container.encode(properties, forKey: "properties")
  }
}

extension CatalogProperty: Codable {
  /// Decodes a property. A missing key of the cases means that it does not hold an enum.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    id = try container.decode(PropertyID.self, forKey: "id")
    name = try container.decode(String.self, forKey: "name")
    type = try container.decode(PropertyType.self, forKey: "type")
    isOptional = try container.decode(Bool.self, forKey: "isOptional")
    isPrimaryKey = try container.decode(Bool.self, forKey: "isPrimaryKey")
    isIndexed = try container.decode(Bool.self, forKey: "isIndexed")
    defaultValue = try container.decode(PropertyDefault.self, forKey: "defaultValue")
    cases = try container.decodeIfPresent([String].self, forKey: "cases")
    fill = try container.decode(PropertyValue.self, forKey: "fill")
    nilFill = try container.decode(PropertyValue.self, forKey: "nilFill")
  }

  /// Encodes the property, without its source and its scope.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(id, forKey: "id")
    try container.encode(name, forKey: "name")
    try container.encode(type, forKey: "type")
    try container.encode(isOptional, forKey: "isOptional")
    try container.encode(isPrimaryKey, forKey: "isPrimaryKey")
    try container.encode(isIndexed, forKey: "isIndexed")
    try container.encode(defaultValue, forKey: "defaultValue")
    try container.encodeIfPresent(cases, forKey: "cases")
    try container.encode(fill, forKey: "fill")
    try container.encode(nilFill, forKey: "nilFill")
  }
}
