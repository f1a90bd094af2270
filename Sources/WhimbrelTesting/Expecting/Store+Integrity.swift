internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension Store {
  /// Returns the problems that an integrity check finds in records, layouts, indexes, keys
  /// and links. The result is empty for an intact store.
  ///
  /// - Complexity: O(*n* log *n*).
  public func integrityFindings() throws -> [String] {
    try IntegrityCheck.run(session).map(\.description)
  }
}

extension StoreCheck {
  /// Returns the problems of a store's file, from its pages to its links, one sentence
  /// each.
  static func problems(ofStoreAt url: URL) throws -> [String] {
    try StoreCheck(path: url.path).run().findings.map { "\($0.description)." }
  }
}
