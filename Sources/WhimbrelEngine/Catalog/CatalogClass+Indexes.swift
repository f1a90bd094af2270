extension CatalogClass {
  /// What is wrong with the indexes, or nil: a file can say anything.
  var indexProblem: String? {
    if Set(indexes.map(\.id)).count != indexes.count {
      return "two indexes of class '\(name)' have the same ID"
    }
    for index in indexes {
      let found = index.properties.compactMap { id in properties.first { $0.id == id } }
      let isOfTexts = index.kind == .fullText
      guard found.count == index.properties.count, !found.isEmpty,
        found.count <= (isOfTexts ? 1 : IndexSchema.propertyLimit),
        found.allSatisfy({ isOfTexts ? $0.type == .string : $0.type.canBeIndexed })
      else { return "an index of class '\(name)' is of properties that cannot have it" }
    }
    return nil
  }

  /// The indexes that the class is to have, with the IDs of those that stay as they are.
  ///
  /// - Parameter isKept: whether the keys of a property are those of before.
  mutating func setIndexes(
    _ schemas: [IndexSchema], of old: CatalogClass?, isKept: (PropertyID) -> Bool
  ) {
    nextIndexID = old?.nextIndexID ?? nextIndexID
    indexes = schemas.map { schema in
      let ids = schema.properties.compactMap { name in properties.first { $0.name == name }?.id }
      let same = old?.indexes.first { $0.kind == schema.kind && $0.properties == ids }
      if let same, ids.allSatisfy(isKept) { return same }
      defer { nextIndexID = IndexID(rawValue: nextIndexID.rawValue + 1) }
      return CatalogIndex(id: nextIndexID, kind: schema.kind, properties: ids)
    }
  }
}
