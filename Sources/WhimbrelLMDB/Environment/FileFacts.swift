internal import CWhimbrelLMDB

/// The identity of a file, independent of the paths that lead to it.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let node: UInt64

  /// Reads the identity of the file at a path; nil if there is none.
  ///
  /// - Parameter followsLinks: Whether to follow a symbolic link to its target.
  package init?(path: String, followsLinks: Bool = true) {
    guard let facts = FileFacts(path: path, followsLinks: followsLinks) else { return nil }
    self = facts.identity
  }

  /// Reads the identity of an open file; nil if the descriptor is not valid.
  init?(descriptor: Int32) {
    guard let facts = FileFacts(descriptor: descriptor) else { return nil }
    self = facts.identity
  }

  fileprivate init(_ file: whimbrel_file) {
    device = file.device
    node = file.node
  }
}

/// The identity, size, mode and number of names of a file.
///
/// It does not ask for the times of the file, because that can slow down the next commit.
struct FileFacts {
  let identity: FileIdentity
  /// The number of paths that lead to the file.
  let names: Int
  /// The size in bytes.
  let size: Int
  let mode: UInt32

  /// Reads the facts of the file at a path. Nil if that fails; `errno` then says why.
  init?(path: String, followsLinks: Bool = true) {
    var file = whimbrel_file()
    guard unsafe whimbrel_look_at(-1, path, followsLinks ? 1 : 0, &file) == 0 else { return nil }
    self.init(file)
  }

  /// Reads the facts of an open file. Nil if that fails; `errno` then says why.
  init?(descriptor: Int32) {
    var file = whimbrel_file()
    guard unsafe whimbrel_look_at(descriptor, nil, 0, &file) == 0 else { return nil }
    self.init(file)
  }

  private init(_ file: whimbrel_file) {
    identity = FileIdentity(file)
    names = Int(clamping: file.names)
    size = max(0, Int(file.size))
    mode = file.mode
  }
}
