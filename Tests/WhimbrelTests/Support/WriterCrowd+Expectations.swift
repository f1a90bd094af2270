import Testing
import Whimbrel

extension WriterCrowd {
  /// Expects that the write that throws has its own error, and that each other one has failed.
  static func expectFailure(
    _ errors: [(any Error)?], _ codes: [StoreError.Code],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(errors.count == count, sourceLocation: sourceLocation)
    for (number, error) in errors.enumerated() {
      let code = (error as? StoreError)?.code
      let isExpected = number == 2 ? error is RollBack : code.map(codes.contains) == true
      #expect(
        isExpected, "write \(number): \(String(describing: error))", sourceLocation: sourceLocation)
    }
  }

  /// Expects that the write that throws has its own error, and that each other one has succeeded.
  static func expectSuccess(
    _ errors: [(any Error)?], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(errors.count == count, sourceLocation: sourceLocation)
    for (number, error) in errors.enumerated() {
      let isExpected = number == 2 ? error is RollBack : error == nil
      #expect(
        isExpected, "write \(number): \(String(describing: error))", sourceLocation: sourceLocation)
    }
  }
}
