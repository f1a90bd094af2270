import Foundation
import Testing

/// Runs `body`, and expects that it makes the test fail with a message that has these words in it,
/// at the line where it is called.
func expectFailure(
  _ words: String..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try withKnownIssue(sourceLocation: sourceLocation) {
      try body()
    } matching: { issue in
      let message = issue.comments.map(\.rawValue).joined(separator: "\n")
      return words.allSatisfy { message.contains($0) }
        && issue.sourceLocation?.fileID == sourceLocation.fileID
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
