internal import Foundation

/// Files by which processes and threads tell each other how far they are.
public enum Signal {
  /// How long to wait: longer than all other tests take, which may come first.
  private static let patience = Duration.seconds(3_600)

  /// Makes a file with a text, all at once.
  public static func send(_ path: String, _ text: String = "") {
    _ = FileManager.default.createFile(atPath: path + ".part", contents: Data(text.utf8))
    _ = unsafe rename(path + ".part", path)
  }

  /// Waits until a file is there, and holds up the thread: for what runs in a process, or
  /// on a thread, of its own.
  public static func wait(for path: String) throws {
    let deadline = ContinuousClock.now + patience
    while !FileManager.default.fileExists(atPath: path) {
      guard ContinuousClock.now < deadline else { throw Missing(path: path) }
      usleep(5_000)
    }
  }

  /// Waits until a file is there, and returns its text. The process that makes it may need
  /// this thread to be started at all.
  @discardableResult
  public static func arrival(of path: String) async throws -> String {
    let deadline = ContinuousClock.now + patience
    while true {
      if let text = FileManager.default.contents(atPath: path) {
        return String(decoding: text, as: UTF8.self)
      }
      guard ContinuousClock.now < deadline else { throw Missing(path: path) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// A file that did not come.
  public struct Missing: Error {
    /// The path that was waited for.
    public let path: String
  }
}
