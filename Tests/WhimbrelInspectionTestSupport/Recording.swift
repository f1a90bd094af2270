package import Foundation
package import Testing
import WhimbrelTestSupport

/// Texts that are recorded beside the tests, so that a review shows every change.
///
/// `WHIMBREL_RECORD=1 swift test --filter 'HelpTests'` records them again.
package enum Recording {
  /// Expects that a text equals the recorded one, or records it.
  ///
  /// - Parameter path: the path of the recorded text, relative to `Tests`.
  package static func expect(
    _ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let url = url(path)
    if TestRun.isRecording {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let kept = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == text, "\(path)", sourceLocation: sourceLocation)
  }

  /// Returns the URL of a path relative to `Tests`.
  package static func url(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }
}
