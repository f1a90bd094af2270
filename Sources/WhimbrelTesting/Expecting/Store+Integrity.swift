public import Whimbrel
internal import WhimbrelEngine

extension Store {
  /// What does not agree in the store: records, layouts, indexes, keys and links.
  /// Nothing, in a store that is whole.
  ///
  /// - Complexity: O(*n* log *n*).
  public func integrityFindings() throws -> [String] {
    try IntegrityCheck.run(session).map(\.description)
  }
}
