import Foundation

/// A file that one process makes, to tell another how far it is.
enum FileSignal {
  static func make(_ path: String, _ content: String = "") {
    _ = FileManager.default.createFile(atPath: path, contents: Data(content.utf8))
  }

  /// Waits until the file is there, and returns what is in it.
  @discardableResult
  static func wait(for path: String) throws -> String {
    for _ in 0..<6_000 {
      if let content = FileManager.default.contents(atPath: path) {
        return String(decoding: content, as: UTF8.self)
      }
      usleep(5_000)
    }
    throw BlockError(reason: "no \(path)")
  }
}
