#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation
  import WhimbrelTestSupport

  @testable import WhimbrelEngine
  @testable import WhimbrelLMDB

  /// Carries out an operation while one call to the disk fails, one call after the other.
  struct FailingDiskProof {
    /// How a disk fails.
    enum Failure: String, CaseIterable {
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

    /// What a store has, or nil for no store.
    private struct State: Equatable {
      let version: SchemaVersion
      let objects: [String: [UInt64: StoreContents.Object]]

      init(_ session: Session) throws {
        let contents = try StoreContents(session)
        (version, objects) = (contents.version, contents.objects)
      }
    }

    private struct Attempt {
      var failed = false
      /// Whether every later call failed, too.
      var call = ""
      /// Whether the folder was synced after it.
      var hasSyncedNames = false
      var error: (any Error)?
      /// Whether the session in which it failed has done it after all.
      var isDoneAgain = false
      var problems: [String] = []
    }

    private let operation: DiskOperation
    private let folder: String
    private let template: Data?
    private let before: State?
    private let after: State?
    private(set) var problems: [String] = []
    private var tally: [String: Int] = [:]

    init(_ operation: DiskOperation, _ folder: String) throws {
      self.operation = operation
      self.folder = folder
      let store = try operation.makeStore()
      template = try store.map { try Data(contentsOf: URL(filePath: $0.path)) }
      before = try store.map { try State($0.session()) }
      let work = folder + "/whole"
      try Self.prepare(work, template)
      try operation.run(in: work)
      after = try Self.state(work + "/Test.whimbrel")
    }

    private static func prepare(_ work: String, _ template: Data?) throws {
      try? FileManager.default.removeItem(atPath: work)
      try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
      try template?.write(to: URL(filePath: work + "/Test.whimbrel"))
    }

    private static func state(_ path: String) throws -> State? {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      // Where objects wait for their conversion, the next opening of the app goes on.
      if try StoreFile.headerWithoutOpening(path).formatVersion == Header.transitionFormat {
        let file = try StoreFile.open(BigMigration.onlineRequest(path))
        try file.finishTransition(by: BigMigration.rules)
      }
      return try State(Session(StoreFile.open(OpenRequest(path: path))))
    }

    /// Fails some calls of each kind, or all.
    mutating func run(atMost limit: Int?) throws {
      let start = ContinuousClock.now
      var counts: [String] = []
      for failure in Failure.allCases {
        let count = try countCalls(failure)
        counts.append("\(failure) \(count)")
        for number in Self.numbers(count, atMost: limit) {
          let name = "\(operation), \(failure) \(number) of \(count)"
          // What a crash leaves behind.
          try ProofFolder.report("crashed: \(name)", in: folder)
          problems += try check(failure, number).map { "\(name): \($0)" }
        }
      }
      let errors = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      try ProofFolder.report(
        """
        calls: \(counts.joined(separator: ", ")); answers: \(errors.joined(separator: ", ")); \
        \(problems.count) problems in \(ContinuousClock.now - start)
        """, in: folder)
    }

    private static func numbers(_ count: Int, atMost limit: Int?) -> [Int] {
      guard let limit, count > limit else { return Array(1..<count + 1) }
      return (0..<limit).map { 1 + $0 * (count - 1) / (limit - 1) }
    }

    /// The number of calls that a failure concerns when none fails.
    private func countCalls(_ failure: Failure) throws -> Int {
      let work = folder + "/counted"
      try Self.prepare(work, template)
      defer { _ = disk_stop() }
      try operation.run(in: work) { arm(work, failure, .max) }
      return disk_count()
    }

    private func arm(_ work: String, _ failure: Failure, _ number: Int) {
      // Safe: the function copies the path.
      unsafe disk_fail(work, failure.number, number)
    }

    private func attempt(_ work: String, _ failure: Failure, _ number: Int) -> Attempt {
      var attempt = Attempt()
      do {
        try operation.run(in: work, { arm(work, failure, number) }) { session, error in
          _ = disk_stop()
          attempt.problems += goOn(session, after: error, &attempt.isDoneAgain)
        }
      } catch {
        attempt.error = error
      }
      attempt.failed = disk_stop()
      attempt.hasSyncedNames = disk_synced_names_since()
      // Safe: the text stays until the next failure.
      attempt.call = unsafe String(cString: disk_failed_call()).replacing(work, with: "")
      return attempt
    }

    /// The session in which a write has failed shows what it was before. It can write again, or
    /// says that the store must be opened again.
    private func goOn(_ session: Session, after error: any Error, _ isDone: inout Bool) -> [String]
    {
      var problems: [String] = []
      do {
        _ = try session.refresh()
        if try State(session) != before { problems.append("the session shows a failed write") }
      } catch let later as StoreError where Self.asksToReopen(later) {
        return []
      } catch {
        problems.append("after the failure: \(error)")
      }
      do {
        try operation.write(session)
        isDone = true
      } catch let later as StoreError where Self.asksToReopen(later) {
      } catch {
        problems.append("the next write: \(error)")
      }
      return problems
    }

    private static func asksToReopen(_ error: StoreError) -> Bool {
      error.code == .ioError && error.recovery.hasSuffix("then open it again.")
    }

    // MARK: - Checking

    private mutating func check(_ failure: Failure, _ number: Int) throws -> [String] {
      let work = folder + "/failed"
      try Self.prepare(work, template)
      let attempt = attempt(work, failure, number)
      var problems = attempt.problems
      if let error = attempt.error as? StoreError {
        tally[error.code.description, default: 0] += 1
        if !error.description.contains(".whimbrel") { problems.append("unnamed: \(error)") }
      } else if let error = attempt.error {
        tally["other", default: 0] += 1
        problems.append("not a StoreError: \(error)")
      } else {
        tally["success", default: 0] += 1
      }
      // What is deleted may come back after a power loss; what is made must not go.
      if attempt.failed, attempt.call == "fsync ", attempt.error == nil, !attempt.hasSyncedNames,
        operation != .delete
      {
        problems.append("the folder was not synced")
      }
      do {
        problems += try checkStore(work, attempt)
      } catch {
        problems.append("then: \(error)")
      }
      if attempt.error != nil, !attempt.failed { problems.append("nothing failed") }
      return problems.map { "\($0) [\(attempt.call): \(attempt.error.map { "\($0)" } ?? "ok")]" }
    }

    /// What is wrong with what a new opener finds.
    private func checkStore(_ work: String, _ attempt: Attempt) throws -> [String] {
      let path = work + "/Test.whimbrel"
      var problems: [String] = []
      if operation == .freshStart {
        // As the next opener does that asks for a fresh start.
        let old = operation.product.map { work + "/" + $0 }
        _ = SecondNames(path: path).removeLeftovers(movedTo: old)
      }
      let found = try Self.state(path)
      let isNew = attempt.error == nil || attempt.isDoneAgain
      if found != after, isNew || found != before {
        problems.append("the store is neither what it was nor what it was to be")
      } else if found == after, after != before, !isNew, !operation.hasSeveralCommits {
        problems.append("a failed write is there")
      }
      problems += try findings(path) + tablesLeft(path)
      if let product = operation.product.map({ work + "/" + $0 }) {
        if FileManager.default.fileExists(atPath: product) {
          if try Self.state(product) != before { problems.append("an incomplete copy") }
          problems += try findings(product)
          try FileManager.default.removeItem(atPath: product)
        } else if attempt.error == nil {
          problems.append("no copy")
        }
      }
      // The failure is over, and everything is possible again.
      if !isNew {
        do { try operation.run(in: work) } catch { problems.append("once more: \(error)") }
        if try Self.state(path) != after { problems.append("once more: another result") }
      }
      return problems
    }

    /// The tables that neither the catalog nor a migration that can be undone has, after an opening.
    private func tablesLeft(_ path: String) throws -> [String] {
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      let file = try StoreFile.open(OpenRequest(path: path))
      if try file.canUndoMigration() { return [] }
      let left = try Set(file.environment.tableNames())
        .subtracting(try StoreContents(Session(file)).tableNames)
      return left.sorted().map { "the table '\($0)' is left" }
    }

    private func findings(_ path: String) throws -> [String] {
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try FileCheck.run(path: path, depth: .everything).findings.kept.map(\.description)
    }
  }
#endif
