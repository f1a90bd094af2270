internal import Foundation
internal import WhimbrelInspection

extension StoreCheck {
  /// What is wrong in a store's file, from its pages to its links, a sentence each.
  static func problems(ofStoreAt url: URL) throws -> [String] {
    try StoreCheck(path: url.path).run().findings.map { "\($0.description)." }
  }
}
