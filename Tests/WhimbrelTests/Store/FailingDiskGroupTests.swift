#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation
  import Testing
  import Whimbrel
  import WhimbrelTestSupport

  /// Groups of asynchronous writes on a disk that fails: one call to the system after the other
  /// returns an error, writes half of its bytes, or is the last one that works.
  ///
  /// When the last step of a commit fails, the file must be closed and opened again. An opener got the
  /// old environment, which refuses everything, if the thread of the queue had not yet let go of it.
  @Suite(.oneAtATime, .mustEnd) struct FailingDiskGroupTests {
    /// How a disk fails.
    enum Failure: String, CaseIterable, Codable, Sendable {
      case inputOutput, noSpace, shortWrite, gone

      var number: disk_failure {
        switch self {
        case .inputOutput: DISK_FAIL_IO
        case .noSpace: DISK_FAIL_SPACE
        case .shortWrite: DISK_FAIL_SHORT
        case .gone: DISK_FAIL_GONE
        }
      }
    }

    @Test(.takesLong, arguments: Failure.allCases)
    func `a group whose disk fails at any call is there as a whole, or never was`(
      _ failure: Failure
    ) async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) { [failure = failure as Failure] in
        var outcomes: [Outcome] = []
        while outcomes.last != .kept {
          outcomes.append(try await Self.failCall(outcomes.count + 1, failure))
        }
        print("a group on a failing disk, \(failure): \(outcomes.map(\.rawValue))")
        #expect(outcomes.contains(.undone))
        #expect(outcomes.contains(.needsReopening))
      }
      if let result { print(String(decoding: result.standardOutputContent, as: UTF8.self)) }
    }

    /// The outcome of a group one of whose calls to the disk was to fail.
    private enum Outcome: String {
      /// There was no such call.
      case kept
      /// The failure concerned nobody.
      case keptDespiteFailure
      case undone
      /// It was undone at its last step. LMDB then refuses everything.
      case needsReopening
    }

    /// Fails one call to the disk while a group is written.
    private static func failCall(_ number: Int, _ failure: Failure) async throws -> Outcome {
      let comment: Comment = "\(failure.rawValue) \(number)"
      let test = try TestStore()
      let crowd = try await WriterCrowd(test)
      WriterCrowd.expectSuccess(try await crowd.write("before"))
      let folder = test.url.deletingLastPathComponent().path
      let errors = try await crowd.write("lost", length: 20_000) {
        // Safe: the function copies the path.
        unsafe disk_fail(folder, failure.number, number)
      }
      let hasFailed = disk_stop()
      let isWritten = errors.allSatisfy { $0 == nil || $0 is RollBack }
      if !hasFailed { #expect(isWritten, comment) }
      var expected = WriterCrowd.names("before")
      if isWritten {
        expected += WriterCrowd.names("lost")
      } else {
        WriterCrowd.expectFailure(errors, [.ioError, .noSpace, .diskQuotaExceeded])
      }
      let needsReopening = try await asksToReopen(crowd)
      if needsReopening {
        #expect(!isWritten, comment)
      } else {
        for member in crowd.members { #expect(await member.names == expected, comment) }
        WriterCrowd.expectSuccess(try await crowd.write("after"))
        expected += WriterCrowd.names("after")
      }
      try await crowd.close()
      let store = try test.open()
      #expect(store.objects(Node.self).map { firstWord($0.name) } == expected, comment)
      try test.expectWhole()
      if isWritten { return hasFailed ? .keptDespiteFailure : .kept }
      return needsReopening ? .needsReopening : .undone
    }

    private static func firstWord(_ name: String) -> String { String(name.prefix { $0 != " " }) }

    /// Whether stores of the file say that they must be opened again.
    private static func asksToReopen(_ crowd: WriterCrowd) async throws -> Bool {
      var answers: [Bool] = []
      for member in crowd.members {
        do {
          try await member.refresh()
          answers.append(false)
        } catch let error as StoreError where error.code == .ioError {
          answers.append(error.recovery.hasSuffix("then open it again."))
        }
      }
      #expect(Set(answers).count == 1)
      return answers.contains(true)
    }
  }
#endif
