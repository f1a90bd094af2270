internal import WhimbrelLMDB

extension Overflow {
  /// How many bytes of a property lie outside of the record.
  ///
  /// - Complexity: O(*overflow*).
  package func byteCount(of property: PropertyID) throws -> Int {
    try numbers(of: property).reduce(0) { try $0 + (entry(property, $1)?.count ?? 0) }
  }
}
