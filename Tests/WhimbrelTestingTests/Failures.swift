import Foundation
import Synchronization
import Testing

/// Runs `body`, and expects that it makes the test fail with a message that has these words in it,
/// at the line where it is called. Returns the messages.
@discardableResult
func expectFailure(
  _ words: String..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> [String] {
  let messages = Mutex<[String]>([])
  do {
    try withKnownIssue(sourceLocation: sourceLocation) {
      try body()
    } matching: { issue in
      let message = issue.comments.map(\.rawValue).joined(separator: "\n")
      messages.withLock { $0.append(message) }
      return words.allSatisfy { message.contains($0) }
        && issue.sourceLocation?.fileID == sourceLocation.fileID
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return messages.withLock { $0 }
}
