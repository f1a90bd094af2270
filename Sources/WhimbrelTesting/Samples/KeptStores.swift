internal import Foundation
internal import Synchronization
public import Testing

/// The stores of a running test. They are kept if the test fails.
final class KeptStores: Sendable {
  @TaskLocal static var current: KeptStores?

  private let state = Mutex<(files: [TemporaryStoreFile], hasFailed: Bool)>(([], false))

  func add(_ file: TemporaryStoreFile) { state.withLock { $0.files.append(file) } }

  func noteFailure() { state.withLock { $0.hasFailed = true } }

  /// Keeps the stores if the test has failed.
  func finish() {
    let (files, hasFailed) = state.withLock { $0 }
    guard hasFailed else { return }
    for file in files { file.keepAsAttachment() }
  }
}

extension TemporaryStoreFile {
  /// Leaves the file in place and attaches it to the running test.
  func keepAsAttachment() {
    guard keep(), Test.current != nil, let bytes = try? Data(contentsOf: url) else { return }
    Attachment.record(Array(bytes), named: url.lastPathComponent)
  }
}

/// A trait that keeps the stores of tests that fail: see `.keepsStores`.
public struct KeepsStoresTrait: TestTrait, SuiteTrait, TestScoping {
  /// Always true: the tests of a suite inherit the trait.
  public var isRecursive: Bool { true }

  /// Runs a test and keeps its stores if it fails.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let stores = KeptStores()
    defer { stores.finish() }
    let handling: IssueHandlingTrait = .compactMapIssues { issue in
      stores.noteFailure()
      return issue
    }
    try await KeptStores.$current.withValue(stores) {
      try await handling.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == KeepsStoresTrait {
  /// A trait that keeps the copies of sample stores that a test used if any of its
  /// expectations fails. The files stay in place and become attachments, which
  /// `swift test --attachments-path FOLDER` writes. The folder must exist.
  ///
  /// ```swift
  /// @Suite(.keepsStores) struct MigrationTests { … }
  /// ```
  public static var keepsStores: Self { KeepsStoresTrait() }
}
