internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A temporary folder for the files of one reader. It goes with the value.
final class FuzzFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "whimbrel-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { "\(url.path)/\(name)" }

  /// Writes a file, over an older one, and returns its path.
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    let path = path(name)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// Removes a store and its lock file.
  func removeStore(_ name: String) {
    unsafe unlink(path(name))
    unsafe unlink("\(path(name))-lock")
  }

  /// Removes all files.
  func removeAll() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in names { try? FileManager.default.removeItem(at: url.appending(path: name)) }
  }
}

/// The folder of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// Reads a file of the repository.
func repositoryFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: repository.appending(path: path)))
}
