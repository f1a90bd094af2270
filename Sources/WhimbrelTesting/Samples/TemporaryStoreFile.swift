public import Foundation
internal import Synchronization

/// A store file in a temporary folder, which a test may change freely.
///
/// ```swift
/// let file = try TemporaryStoreFile(copying: url)
/// let store = try Store(configuration(for: file.url))
/// ```
///
/// The folder belongs to this file alone and is removed with this value, unless ``keep()``
/// was called.
public final class TemporaryStoreFile: Sendable {
  /// The location of the file.
  public let url: URL
  private let folder: URL
  private let isKept = Atomic(false)

  /// Copies a store file. A symbolic link is followed, and the copy can be written.
  ///
  /// - Throws: an error of the file system.
  public init(copying original: URL) throws {
    folder = try Self.makeFolder()
    url = folder.appending(path: original.lastPathComponent)
    // Build systems and stores of large files make links of resources. The copy of a link would lead
    // to the original.
    try FileManager.default.copyItem(at: original.resolvingSymlinksInPath(), to: url)
    // A copy has the permissions of the original, which may be read-only.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
  }

  /// Creates a folder for a store that does not exist yet.
  ///
  /// - Throws: an error of the file system.
  public init(named name: String = "Test.whimbrel") throws {
    folder = try Self.makeFolder()
    url = folder.appending(path: name)
  }

  deinit {
    if !isKept.load(ordering: .relaxed) { try? FileManager.default.removeItem(at: folder) }
  }

  /// Leaves the file in place, for people to examine.
  ///
  /// - Returns: Whether this is the first call.
  @discardableResult
  public func keep() -> Bool { !isKept.exchange(true, ordering: .relaxed) }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
