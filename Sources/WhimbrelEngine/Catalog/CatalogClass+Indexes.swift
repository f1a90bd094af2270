extension CatalogClass {
  /// The first problem of the indexes, or nil. Checked because a file can contain anything.
  var indexProblem: String? {
    if indexes.map(\.id.rawValue).hasDuplicates {
      return "two indexes of class '\(name)' have the same ID"
    }
    for index in indexes {
      let found = index.properties.compactMap { id in properties.first { $0.id == id } }
      let isOfTexts = index.kind == .fullText
      guard found.count == index.properties.count, !found.isEmpty,
        found.count <= (isOfTexts ? 1 : IndexSchema.propertyLimit),
        found.allSatisfy({ isOfTexts ? $0.type == .string : $0.type.canBeIndexed })
      else { return "an index of class '\(name)' has properties that it cannot hold" }
    }
    return nil
  }

  /// Sets the indexes of the class. Unchanged indexes keep their IDs and thereby their tables.
  ///
  /// - Parameter isKept: Returns whether a property's index keys are unchanged.
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
