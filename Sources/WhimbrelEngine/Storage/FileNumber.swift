internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The number of a store's file in this process. The same file at the same path always gets the
/// same number, so identities of objects outlive a store.
package struct FileNumber: Hashable, Sendable {
  let rawValue: UInt32

  /// The number for objects that are not in a file.
  static let none = FileNumber(rawValue: 0)

  /// Looks up the number of the file with a UUID at a path. The first call assigns it.
  init(of uuid: UUID, at path: String) {
    // A copy has the UUID of its original, but is another file.
    let file = KnownFile(uuid: uuid, path: Environment.resolve(path) ?? path)
    self = Self.known.withLock { known in
      if let number = known[file] { return number }
      let number = FileNumber(rawValue: UInt32(known.count + 1))
      known[file] = number
      return number
    }
  }

  private init(rawValue: UInt32) { self.rawValue = rawValue }

  private struct KnownFile: Hashable, Sendable {
    let uuid: UUID
    let path: String
  }

  private static let known = Mutex<[KnownFile: FileNumber]>([:])
}
