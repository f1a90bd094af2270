internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension Store {
  /// Returns the problems that an integrity check finds in records, layouts, indexes, keys
  /// and links. The result is empty for an intact store.
  ///
  /// - Throws: ``StoreError`` with `storeClosed`, or if the file cannot be read.
  /// - Complexity: O(*n* log *n*).
  public func integrityFindings() throws -> [String] {
    if session.isClosed { throw session.closedError }
    return try session.file.explaining { try IntegrityCheck.run(session).map(\.description) }
  }
}

extension StoreCheck {
  /// Returns the problems of a store's file, from its pages to its links, one sentence
  /// each.
  static func problems(ofStoreAt url: URL) throws -> [String] {
    try StoreCheck(path: url.path).run().findings.map { "\($0.description)." }
  }
}
