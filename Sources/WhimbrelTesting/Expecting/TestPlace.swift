internal import Testing
internal import XCTest

/// A place in a test at which failures are shown, in Swift Testing and in XCTest.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Makes the running test fail.
  ///
  /// A detached task and a thread of its own belong to no test that Swift Testing knows, and
  /// XCTest does not say whether it runs one. There, both are told: each ignores what is said
  /// while the other one runs.
  func fail(_ message: String) {
    if Test.current == nil { XCTFail(message, file: filePath, line: line) }
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
  }
}
