import Foundation

/// A file that one process makes, to tell another how far it is.
enum FileSignal {
  static func make(_ path: String, _ content: String = "made") {
    _ = FileManager.default.createFile(atPath: path, contents: Data(content.utf8))
  }

  /// Waits until there is something in the file, and returns it. It holds up no thread: the
  /// other process is begun by one of those that tests share.
  @discardableResult
  static func wait(for path: String) async throws -> String {
    for _ in 0..<6_000 {
      if let content = FileManager.default.contents(atPath: path), !content.isEmpty {
        return String(decoding: content, as: UTF8.self)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BlockError(reason: "no \(path)")
  }
}
