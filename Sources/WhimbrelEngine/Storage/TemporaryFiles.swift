internal import Foundation
internal import WhimbrelLMDB

/// The files that are made beside a store for a while, and what a process that died has left of
/// them.
///
/// Each has the name of the store, a mark and a UUID, so that it is nobody else's.
struct TemporaryFiles {
  /// What a file is for.
  enum Purpose: String, CaseIterable {
    /// It is to get the name of the store, or of a copy, when it is whole.
    case new
    /// A store that is being replaced.
    case old
    /// A copy in which migrations are tried.
    case dryRun = "dry-run"
  }

  /// The path of the store.
  let path: String

  /// A path beside the store where no file is.
  func newPath(_ purpose: Purpose) -> String { "\(path).\(purpose.rawValue)-\(UUID().uuidString)" }

  /// Removes those that nobody uses, and returns whether there were any.
  @discardableResult
  func removeLeftovers() -> Bool {
    let folder = FilePreflight.folder(of: path)
    let name = (path as NSString).lastPathComponent
    // A folder that cannot be listed has none that could be removed.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var isFound = false
    for found in names where isTemporary(found, of: name) {
      let leftover = (folder as NSString).appendingPathComponent(found)
      guard let identity = FileIdentity(path: leftover) else { continue }
      if found.hasSuffix("-lock") {
        // That of a file which is gone.
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
