internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The number of a store's file in this process: the same whenever the same file is opened at
/// the same path, so that identities of objects outlive a store.
package struct FileNumber: Hashable, Sendable {
  let rawValue: UInt32

  /// The number of what is in no file.
  static let none = FileNumber(rawValue: 0)

  /// The number of the file with a UUID at a path.
  init(of uuid: UUID, at path: String) {
    // A copy of a file has its UUID, and is another file.
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
