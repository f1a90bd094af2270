internal import Foundation
internal import WhimbrelLMDB

/// The names that a store's file has besides its own.
///
/// A file gets its final name before it loses the temporary one, so a process that is killed
/// between the two leaves both. Nobody opens a file by such a temporary name, so these names can be
/// removed. Any other name may be in use and is an error.
struct SecondNames {
  /// The path of the store.
  let path: String

  /// Returns another name of the file in the same folder, if there is one.
  func find() -> String? { inFolder(where: { _ in true }).first }

  /// Removes the names that killed processes left behind, and returns whether the file has only one
  /// name now.
  ///
  /// - Parameter destination: The path to which the app moves a store whose migration failed.
  func removeLeftovers(movedTo destination: String?) -> Bool {
    let real = Environment.resolve(path) ?? path
    guard let identity = FileIdentity(path: real) else { return false }
    let files = TemporaryFiles(path: real)
    // The guard keeps out any process that is about to give the file its name.
    let outcome: Void? = try? Environment.whileGuarded(real, patience: .seconds(2)) {
      for name in SecondNames(path: real).inFolder(where: files.isTemporary) {
        StoreFile.removeFiles(at: name)
      }
    }
    guard outcome != nil else { return false }
    if let destination { removeMoved(to: destination, from: real, identity) }
    var status = stat()
    return unsafe stat(real, &status) == 0 && status.st_nlink == 1
  }

  /// Undoes an interrupted move that left the file with both its new and its old name.
  private func removeMoved(to destination: String, from real: String, _ identity: FileIdentity) {
    let url = URL(fileURLWithPath: destination)
    let (stem, suffix) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let names = Self.names(inFolderOf: destination, identity) { name in
      name.hasPrefix(stem) && (suffix.isEmpty || name.hasSuffix("." + suffix))
    }
    _ = try? Environment.whileUnused(real, identity) {
      for name in names where Environment.resolve(name) != real {
        // The lock file may have been moved already. Nobody uses it.
        StoreFile.removeFiles(at: name)
      }
    }
  }

  private func inFolder(where isWanted: (String) -> Bool) -> [String] {
    guard let identity = FileIdentity(path: path) else { return [] }
    let own = (path as NSString).lastPathComponent
    return Self.names(inFolderOf: path, identity) { $0 != own && isWanted($0) }
  }

  /// Returns the paths in the folder of a path that are names of a file.
  private static func names(
    inFolderOf path: String, _ identity: FileIdentity, where isWanted: (String) -> Bool
  ) -> [String] {
    let folder = FilePreflight.folder(of: path)
    // A folder that cannot be listed counts as empty: nothing in it can be found.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter(isWanted).map { (folder as NSString).appendingPathComponent($0) }
      .filter { FileIdentity(path: $0, followsLinks: false) == identity }.sorted()
  }
}
