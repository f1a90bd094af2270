package import Foundation
package import Testing

/// Texts that are kept beside the tests, word for word: a change of one is to be seen in
/// review.
///
/// `WHIMBREL_RECORD=1 swift test --filter 'HelpTests'` writes them anew.
package enum Recording {
  private static let isRecorded = ProcessInfo.processInfo.environment["WHIMBREL_RECORD"] == "1"

  /// Expects that a text is the one that is kept, or keeps it.
  ///
  /// - Parameter path: where it is kept, from `Tests` on.
  package static func expect(
    _ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let url = url(path)
    if isRecorded {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let kept = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == text, "\(path)", sourceLocation: sourceLocation)
  }

  /// Where something is, from `Tests` on.
  package static func url(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }
}
