package import WhimbrelLMDB

/// An index of several properties, a unique index or a full-text index, resolved against its class.
package struct ResolvedIndex: Sendable {
  package let entry: CatalogIndex
  /// The positions of the properties in the class.
  package let positions: [Int]
  /// The limit on the bytes of each string in a key.
  package let textLimit: Int

  package var kind: IndexKind { entry.kind }

  /// - Parameter properties: The properties of the class. The catalog has been checked, so they
  ///   include those of the index.
  init(_ entry: CatalogIndex, _ properties: [CatalogProperty]) {
    self.entry = entry
    positions = entry.properties.compactMap { id in properties.firstIndex { $0.id == id } }
    textLimit =
      entry.kind == .fullText
      ? FullText.wordLimit : KeyEncoding.textLimit(parts: positions.count)
  }
}

extension ResolvedIndex {
  /// Returns the common prefix of the keys of all objects with some values. The values may be those
  /// of the first properties only.
  package func prefix(_ values: some Sequence<PropertyValue>) -> [UInt8] {
    var key: [UInt8] = []
    for value in values { KeyEncoding.append(part: value, textLimit: textLimit, to: &key) }
    return key
  }

  /// Returns whether a key contains only the beginning of a value, so that different values may
  /// have the same key.
  package func isTruncated(_ values: some Sequence<PropertyValue>) -> Bool {
    values.contains { KeyEncoding.isTruncated($0, limit: textLimit) }
  }
}

extension ResolvedClass {
  func hasFullTextIndex(_ position: Int) -> Bool {
    indexes.contains { $0.kind == .fullText && $0.positions == [position] }
  }

  /// Returns the values of an object for the properties of an index.
  func values(
    _ index: ResolvedIndex, of record: PageBytes, _ layout: ResolvedLayout, _ overflow: Overflow
  ) throws -> [PropertyValue] {
    try index.positions.map { try layout.value($0, of: record, overflow) }
  }

  /// Appends the key of an object in an index of values. The index must not be a full-text index.
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

  /// Returns the sorted keys of an object in an index: one for its values or, in a full-text index,
  /// one for each word.
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
    // Different long words may have the same key.
    var keys: Set<[UInt8]> = []
    for word in FullText.words(of: text) {
      var key = FullText.key(of: word)
      KeyEncoding.append(id, to: &key)
      keys.insert(key)
    }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
