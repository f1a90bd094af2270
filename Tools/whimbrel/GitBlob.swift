import Foundation

/// The files that git makes for a moment, to hand a version to a tool.
enum GitBlob {
  /// Whether git made a file: it stands in a folder of its own.
  static func isBlob(_ path: String) -> Bool {
    URL(filePath: path).deletingLastPathComponent().lastPathComponent.hasPrefix("git-blob-")
  }

  /// Runs `body`, and removes the lock files that it makes beside files of git: git complains
  /// of a folder that is not empty.
  ///
  /// Nobody else knows these files, so nobody has them open. Beside any other store the lock file
  /// has to stay.
  static func leavingNothing<Result>(
    beside files: [String], _ body: () throws -> Result
  ) rethrows -> Result {
    let locks = files.map { $0 + "-lock" }
      .filter { !FileManager.default.fileExists(atPath: $0) }
    defer { for lock in locks { try? FileManager.default.removeItem(atPath: lock) } }
    return try body()
  }
}
