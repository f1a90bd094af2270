extension CatalogClass: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, isEmbedded, isDeclared, generation, nextGeneration, isClustered, properties,
      nextPropertyID, indexes, nextIndexID, layouts, currentLayout, guardsIndexes, salt,
      transition
  }

  /// Decodes a class. Missing keys mean that the class is not embedded, has no indexes, has
  /// property indexes without checksums, has no salt, and is not in transition.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(ClassID.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    isEmbedded = try container.decodeIfPresent(Bool.self, forKey: .isEmbedded) ?? false
    isDeclared = try container.decode(Bool.self, forKey: .isDeclared)
    generation = try container.decode(Generation.self, forKey: .generation)
    nextGeneration = try container.decode(Generation.self, forKey: .nextGeneration)
    isClustered = try container.decode(Bool.self, forKey: .isClustered)
    properties = try container.decode([CatalogProperty].self, forKey: .properties)
    nextPropertyID = try container.decode(PropertyID.self, forKey: .nextPropertyID)
    indexes = try container.decodeIfPresent([CatalogIndex].self, forKey: .indexes) ?? []
    nextIndexID =
      try container.decodeIfPresent(IndexID.self, forKey: .nextIndexID) ?? IndexID(rawValue: 1)
    layouts = try container.decode([RecordLayout].self, forKey: .layouts)
    currentLayout = try container.decode(LayoutID.self, forKey: .currentLayout)
    guardsIndexes = try container.decodeIfPresent(Bool.self, forKey: .guardsIndexes) ?? false
    salt = try container.decodeIfPresent(ChecksumSalt.self, forKey: .salt) ?? .none
    transition = try container.decodeIfPresent(ClassTransition.self, forKey: .transition)
  }

  /// Encodes the class. A class that never had an index omits the keys of indexes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    if isEmbedded { try container.encode(isEmbedded, forKey: .isEmbedded) }
    try container.encode(isDeclared, forKey: .isDeclared)
    try container.encode(generation, forKey: .generation)
    try container.encode(nextGeneration, forKey: .nextGeneration)
    try container.encode(isClustered, forKey: .isClustered)
    try container.encode(properties, forKey: .properties)
    try container.encode(nextPropertyID, forKey: .nextPropertyID)
    if !indexes.isEmpty { try container.encode(indexes, forKey: .indexes) }
    if nextIndexID.rawValue > 1 { try container.encode(nextIndexID, forKey: .nextIndexID) }
    try container.encode(layouts, forKey: .layouts)
    try container.encode(currentLayout, forKey: .currentLayout)
    if guardsIndexes { try container.encode(guardsIndexes, forKey: .guardsIndexes) }
    if salt != .none { try container.encode(salt, forKey: .salt) }
    try container.encodeIfPresent(transition, forKey: .transition)
  }
}
