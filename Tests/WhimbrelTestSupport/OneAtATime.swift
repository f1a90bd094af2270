public import Testing

/// Lets the tests that have it run one at a time, whatever their suites.
///
/// It is for tests in which a process waits for this one. While a process runs, `#expect`
/// holds up one of the few threads that all tests share: two such processes on a machine
/// of two cores would wait for ever, for this one has no thread left to answer them.
public struct OneAtATime: TestTrait, SuiteTrait, TestScoping {
  /// Those in a suite have it too.
  public let isRecursive = true

  /// Runs a test when its turn has come.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.begin()
    do {
      try await function()
      await Turn.shared.end()
    } catch {
      await Turn.shared.end()
      throw error
    }
  }

  /// Of a suite each test has its own turn.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }
}

extension Trait where Self == OneAtATime {
  /// Tests in which a process waits for this one.
  public static var oneAtATime: Self { Self() }
}

/// Whose turn it is.
private actor Turn {
  static let shared = Turn()
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    if isTaken {
      await withCheckedContinuation { waiting.append($0) }
    }
    isTaken = true
  }

  /// The next in the row takes over, so nobody comes between.
  func end() {
    guard !waiting.isEmpty else { return isTaken = false }
    waiting.removeFirst().resume()
  }
}
