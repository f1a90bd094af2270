internal import WhimbrelLMDB

extension Overflow {
  /// Returns the size of a property's overflow, in bytes.
  ///
  /// - Complexity: O(*overflow*).
  package func byteCount(of property: PropertyID) throws -> Int {
    try numbers(of: property).reduce(0) { try $0 + (entry(property, $1)?.count ?? 0) }
  }
}
