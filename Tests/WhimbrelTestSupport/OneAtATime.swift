public import Testing

/// A trait whose tests run one at a time, across all suites.
///
/// It is for tests that start a process, or block a thread, which waits for this one. While a process
/// runs, `#expect` blocks one of the few threads that all tests share. On a machine with two cores,
/// two of these processes would wait forever, because this process has no thread left to answer them.
public struct OneAtATime: TestTrait, SuiteTrait, TestScoping {
  /// The trait of a suite applies to its tests.
  public let isRecursive = true

  /// Whether the code runs as a part of a test that has the turn.
  @TaskLocal static var hasTurn = false

  /// Waits for the turn of a test, then runs it.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.begin()
    do {
      try await Self.$hasTurn.withValue(true, operation: function)
      await Turn.shared.end()
    } catch {
      await Turn.shared.end()
      throw error
    }
  }

  /// Returns a provider for each test, so that a suite does not hold the turn.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }
}

extension Trait where Self == OneAtATime {
  /// A trait for tests that start a process which waits for this one.
  public static var oneAtATime: Self { Self() }
}

/// The turn of the running test.
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

  /// Passes the turn to the next waiting test, so that no other test can take it in between.
  func end() {
    guard !waiting.isEmpty else { return isTaken = false }
    waiting.removeFirst().resume()
  }
}
