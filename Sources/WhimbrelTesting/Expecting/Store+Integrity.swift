internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension Store {
  /// What does not agree in the store: records, layouts, indexes, keys and links.
  /// Nothing, in a store that is whole.
  ///
  /// - Complexity: O(*n* log *n*).
  public func integrityFindings() throws -> [String] {
    try IntegrityCheck.run(session).map(\.description)
  }
}

extension StoreCheck {
  /// What is wrong in a store's file, from its pages to its links, a sentence each.
  static func problems(ofStoreAt url: URL) throws -> [String] {
    try StoreCheck(path: url.path).run().findings.map { "\($0.description)." }
  }
}
