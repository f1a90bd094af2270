internal import WhimbrelLMDB

extension Extents {
  /// How many bytes of a property lie outside of the record.
  ///
  /// - Complexity: O(*extents*).
  package func byteCount(of property: PropertyID) throws -> Int {
    try numbers(of: property).reduce(0) { try $0 + (extent(property, $1)?.count ?? 0) }
  }
}
