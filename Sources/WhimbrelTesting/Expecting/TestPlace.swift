internal import Testing
internal import XCTest

/// Where in a test something is asked for: failures are shown there, in Swift Testing and in
/// XCTest.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Makes the running test fail.
  func fail(_ message: String) {
    guard Test.current != nil else {
      return XCTFail(message, file: filePath, line: line)
    }
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
  }
}
