import Foundation

/// The temporary files in which git passes a version to a tool.
enum GitBlob {
  /// Returns whether git made a file: git gives each file a folder of its own.
  static func isBlob(_ path: String) -> Bool {
    URL(filePath: path).deletingLastPathComponent().lastPathComponent.hasPrefix("git-blob-")
  }

  /// Runs `body`, then removes the lock files that it makes beside files of git, because git
  /// complains about a folder that is not empty.
  ///
  /// Removing them is safe: no other process knows these files, so none has them open. Beside any
  /// other store the lock file must stay.
  static func leavingNothing<Result>(
    beside files: [String], _ body: () throws -> Result
  ) rethrows -> Result {
    let locks = files.map { $0 + "-lock" }
      .filter { !FileManager.default.fileExists(atPath: $0) }
    defer { for lock in locks { try? FileManager.default.removeItem(atPath: lock) } }
    return try body()
  }
}
