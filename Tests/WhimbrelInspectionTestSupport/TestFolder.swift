package import Foundation

/// A temporary folder that is removed with the value.
package final class TestFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-tool-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A test may have removed the permission to delete files in the folder.
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    try? FileManager.default.removeItem(at: url)
  }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// Returns the names of all files in the folder, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Returns the bytes of a file, or nil when it does not exist.
  package func contents(_ name: String) -> Data? {
    FileManager.default.contents(atPath: path(name))
  }
}
