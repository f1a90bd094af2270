import Foundation

/// Files by which processes tell each other how far they are.
enum Signal {
  /// Makes a file with a text, all at once.
  static func send(_ path: String, _ text: String = "") {
    _ = FileManager.default.createFile(atPath: path + ".part", contents: Data(text.utf8))
    _ = unsafe rename(path + ".part", path)
  }

  /// Waits until a file is there, and holds up the thread: for what runs in a process of
  /// its own.
  static func wait(for path: String) throws {
    for _ in 0..<24_000 {
      if FileManager.default.fileExists(atPath: path) { return }
      usleep(5_000)
    }
    throw BlockError(reason: "no \(path)")
  }

  /// Waits until a file is there. The process that makes it may need this thread to be
  /// started at all.
  static func arrival(of path: String) async throws {
    for _ in 0..<24_000 {
      if FileManager.default.fileExists(atPath: path) { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BlockError(reason: "no \(path)")
  }
}
