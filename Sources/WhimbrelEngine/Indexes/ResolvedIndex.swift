package import WhimbrelLMDB

/// An index of several properties, or a unique or full-text one, with everything worked
/// out that keeping and searching it needs.
package struct ResolvedIndex: Sendable {
  package let entry: CatalogIndex
  /// Where the properties stand in the class.
  package let positions: [Int]
  /// How many bytes of each string are kept.
  package let textLimit: Int

  package var kind: IndexKind { entry.kind }

  /// - Parameter properties: those of the class, as the catalog was checked to have them.
  init(_ entry: CatalogIndex, _ properties: [CatalogProperty]) {
    self.entry = entry
    positions = entry.properties.compactMap { id in properties.firstIndex { $0.id == id } }
    textLimit =
      entry.kind == .fullText
      ? FullText.wordLimit : KeyEncoding.textLimit(parts: positions.count)
  }
}

extension ResolvedIndex {
  /// What the keys of all objects with some values begin with: those of all properties, or
  /// of the first ones.
  package func prefix(_ values: some Sequence<PropertyValue>) -> [UInt8] {
    var key: [UInt8] = []
    for value in values { KeyEncoding.append(part: value, textLimit: textLimit, to: &key) }
    return key
  }

  /// Whether a key does not hold all of a value, so that other values may have the same.
  package func isTruncated(_ values: some Sequence<PropertyValue>) -> Bool {
    values.contains { KeyEncoding.isTruncated($0, limit: textLimit) }
  }
}

extension ResolvedClass {
  /// Whether there is an index of the words of a property.
  func hasFullTextIndex(_ position: Int) -> Bool {
    indexes.contains { $0.kind == .fullText && $0.positions == [position] }
  }

  /// The values that an object has of the properties of an index.
  func values(
    _ index: ResolvedIndex, of record: PageBytes, _ layout: ResolvedLayout, _ overflow: Overflow
  ) throws -> [PropertyValue] {
    try index.positions.map { try layout.value($0, of: record, overflow) }
  }

  /// Appends the key that an object has in an index of values, which is not one of words.
  func appendIndexKey(
    _ index: ResolvedIndex, of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ overflow: Overflow, to key: inout some KeyBytes
  ) throws {
    for position in index.positions {
      try layout.appendKey(
        part: position, of: record, overflow, textLimit: index.textLimit, to: &key)
    }
    KeyEncoding.append(id, to: &key)
  }

  /// The keys that an object has in an index: one of its values, or one for each of its
  /// words, in their order.
  package func indexKeys(
    _ index: ResolvedIndex, of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ overflow: Overflow
  ) throws -> [[UInt8]] {
    guard index.kind == .fullText else {
      var key: [UInt8] = []
      try appendIndexKey(index, of: record, layout, id, overflow, to: &key)
      return [key]
    }
    let values = try values(index, of: record, layout, overflow)
    guard case .string(let text)? = values.first else { return [] }
    // Long words may have the same key.
    var keys: Set<[UInt8]> = []
    for word in FullText.words(of: text) {
      var key = FullText.key(of: word)
      KeyEncoding.append(id, to: &key)
      keys.insert(key)
    }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
