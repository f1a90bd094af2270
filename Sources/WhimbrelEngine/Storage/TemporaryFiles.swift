internal import Foundation
internal import WhimbrelLMDB

/// The temporary files beside a store, and those that dead processes left behind.
///
/// Each name consists of the store's name, a purpose and a UUID, so that no other file has it.
struct TemporaryFiles {
  enum Purpose: String, CaseIterable {
    /// A file that gets the name of the store, or of a copy, when it is complete.
    case new
    /// A store that is being replaced.
    case old
    /// A copy in which migrations are tried.
    case dryRun = "dry-run"
  }

  /// The path of the store.
  let path: String

  /// Returns a path beside the store where no file exists.
  func newPath(_ purpose: Purpose) -> String { "\(path).\(purpose.rawValue)-\(UUID().uuidString)" }

  /// Removes the temporary files that nobody uses, and returns whether there were any.
  @discardableResult
  func removeLeftovers() -> Bool {
    let folder = FilePreflight.folder(of: path)
    let name = (path as NSString).lastPathComponent
    // A folder that cannot be listed counts as empty: nothing in it can be found.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var isFound = false
    for found in names where isTemporary(found, of: name) {
      let leftover = (folder as NSString).appendingPathComponent(found)
      guard let identity = FileIdentity(path: leftover) else { continue }
      if found.hasSuffix("-lock") {
        // Remove a lock file only if its file is gone.
        let owner = String(leftover.dropLast("-lock".count))
        if FileIdentity(path: owner) == nil, unsafe unlink(leftover) == 0 { isFound = true }
        continue
      }
      let removed = try? Environment.whileUnused(leftover, identity, patience: .zero) {
        StoreFile.removeFiles(at: leftover)
      }
      if case .done? = removed { isFound = true }
    }
    return isFound
  }

  /// Returns whether a name is that of a temporary file of the store.
  func isTemporary(_ found: String) -> Bool {
    isTemporary(found, of: (path as NSString).lastPathComponent)
  }

  private func isTemporary(_ found: String, of name: String) -> Bool {
    guard found.hasPrefix(name + ".") else { return false }
    var rest = found.dropFirst(name.count + 1)
    if rest.hasSuffix("-lock") { rest = rest.dropLast("-lock".count) }
    return Purpose.allCases.contains { purpose in
      rest.hasPrefix(purpose.rawValue + "-")
        && UUID(uuidString: String(rest.dropFirst(purpose.rawValue.count + 1))) != nil
    }
  }
}
