internal import Foundation
internal import Testing

/// Files with which processes and threads signal each other.
public enum Signal {
  /// The limit on a wait. It is longer than all other tests, which may run first.
  private static let patience = Duration.seconds(3_600)

  /// Makes a file with a text in one step, so that no reader sees a part of it.
  public static func send(_ path: String, _ text: String = "") {
    _ = FileManager.default.createFile(atPath: path + ".part", contents: Data(text.utf8))
    _ = unsafe rename(path + ".part", path)
  }

  /// Blocks the thread until a file exists. For code in its own process or on its own thread.
  public static func wait(for path: String) throws {
    let deadline = ContinuousClock.now + patience
    while !FileManager.default.fileExists(atPath: path) {
      guard ContinuousClock.now < deadline else { throw Missing(path: path) }
      usleep(5_000)
    }
  }

  /// Waits until a file exists and returns its text. It does not block the thread, because the
  /// process that makes the file may need this thread to start. The test must be `.oneAtATime`.
  @discardableResult
  public static func arrival(of path: String) async throws -> String {
    if !OneAtATime.hasTurn {
      Issue.record("A test that waits for a signal must be '.oneAtATime'.")
    }
    let deadline = ContinuousClock.now + patience
    while true {
      if let text = FileManager.default.contents(atPath: path) {
        return String(decoding: text, as: UTF8.self)
      }
      guard ContinuousClock.now < deadline else { throw Missing(path: path) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// An error: a file did not appear.
  public struct Missing: Error {
    /// The path of the file.
    public let path: String
  }
}
