internal import Foundation
internal import Synchronization
internal import Whimbrel
internal import WhimbrelEngine

/// A test that interrupts the migration of one sample again and again.
struct SurvivalTest {
  private let sample: SampleStore
  private let configuration: Store.Configuration
  private let ignoredProperties: [String]
  private let place: TestPlace
  private let runningTest: RunningTest

  /// The number of intervals between the points at which one interruption is tried. There
  /// is at most one point more.
  private static let limit = 10

  init(
    _ sample: SampleStore, _ configuration: Store.Configuration, _ ignoredProperties: [String],
    _ place: TestPlace, _ runningTest: RunningTest
  ) {
    self.sample = sample
    self.configuration = configuration
    self.ignoredProperties = ignoredProperties
    self.place = place
    self.runningTest = runningTest
  }

  func run(_ interruptions: [Interruption]) throws {
    let original = try sample.copy()
    let expected: ExpectedStores
    do {
      expected = try ExpectedStores(original, configuration, ignoredProperties)
    } catch {
      return sample.fail("it does not migrate: \(error)", original, place)
    }
    do {
      if let problem = try expected.problemOfRepetition(original) {
        return sample.fail(problem, original, place)
      }
    } catch {
      return sample.fail("\(error)", original, place)
    }
    let child = try countInChild(for: interruptions, expected)
    if case .differing = child { return }
    for interruption in interruptions {
      switch (interruption, child) {
      case (.killed, .done(let commits)): try kill(expected, commits)
      case (.diskFull, .done): try fillDisk(expected)
      case (.killed, _), (.diskFull, _): break
      case (.cancelled, _): try cancel(expected)
      case (.failing, _): try fail(expected)
      }
    }
  }

  /// Returns the first number, the last one and some between, evenly spread.
  private static func places(upTo count: Int) -> [Int] {
    if count <= limit { return Array(1...max(count, 1)).filter { $0 <= count } }
    return Set((0...limit).map { 1 + $0 * (count - 1) / limit }).sorted()
  }

  // MARK: In this process

  private func cancel(_ expected: ExpectedStores) throws {
    let reports = Atomic(0)
    try interrupt(.counting, expected) { configuration in
      configuration.probe?.reportsEachObject = true
      configuration.migrationProgress = { _ in
        reports.add(1, ordering: .relaxed)
        return .continue
      }
    }
    for number in Self.places(upTo: reports.load(ordering: .relaxed)) {
      let left = Counter(number)
      try interrupt(.cancelled(report: number), expected) { configuration in
        configuration.probe?.reportsEachObject = true
        configuration.migrationProgress = { _ in left.isLast() ? .cancel : .continue }
      }
    }
  }

  private func fail(_ expected: ExpectedStores) throws {
    let visits = Atomic(0)
    try interrupt(.counting, expected) { configuration in
      configuration.probe?.willVisitObject = { visits.add(1, ordering: .relaxed) }
    }
    for number in Self.places(upTo: visits.load(ordering: .relaxed)) {
      let left = Counter(number)
      try interrupt(.failing(object: number), expected) { configuration in
        configuration.probe?.willVisitObject = { if left.isLast() { throw Thrown() } }
      }
    }
  }

  /// The error that the code of a migration is made to throw.
  private struct Thrown: Error {}

  private func interrupt(
    _ fault: Fault, _ expected: ExpectedStores,
    _ arrange: (inout Store.Configuration) -> Void
  ) throws {
    let copy = try sample.copy()
    var configuration = configuration.at(copy.url)
    configuration.probe = MigrationProbe(batchSize: ChildOrder.batchSize)
    arrange(&configuration)
    _ = try? Store.migrated(configuration)
    check(copy, fault, expected)
  }

  // MARK: In child processes

  private func kill(_ expected: ExpectedStores, _ commits: Int) throws {
    for commit in Self.places(upTo: commits) {
      for isAfter in [false, true] {
        let copy = try sample.copy()
        let fault = Fault.killed(isAfter: isAfter, commit: commit)
        guard let ending = try runChild(fault, copy) else { return }
        if ending != .killed {
          return sample.fail("a child process was not killed at commit \(commit).", copy, place)
        }
        check(copy, fault, expected)
      }
    }
  }

  private func fillDisk(_ expected: ExpectedStores) throws {
    for pages in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024, 65_536] {
      let copy = try sample.copy()
      guard let ending = try runChild(.diskFull(pages: pages), copy) else { return }
      check(copy, .diskFull(pages: pages), expected)
      if ending == .done { return }
    }
  }

  /// A migration in a child process that nothing interrupts.
  private enum UninterruptedChild {
    case done(commits: Int)
    /// It gave other objects than this process. The test has failed.
    case differing
    /// It did not migrate, and the test has failed; or no interruption needs a child.
    case none
  }

  /// Migrates a copy in a child process that nothing interrupts, if an interruption needs children.
  /// Without this run, a migration that always fails in a child would pass for one that survives.
  private func countInChild(
    for interruptions: [Interruption], _ expected: ExpectedStores
  ) throws -> UninterruptedChild {
    guard interruptions.contains(.killed) || interruptions.contains(.diskFull) else { return .none }
    let copy = try sample.copy()
    guard let ending = try runChild(.counting, copy) else { return .none }
    guard ending == .done,
      let text = try? String(contentsOfFile: ChildOrder.countPath(copy.url.path), encoding: .utf8),
      let commits = Int(text)
    else {
      let reason = if case .failed(let text) = ending { text } else { "It ended: \(ending)." }
      sample.fail("it does not migrate in a child process. \(reason)", copy, place)
      return .none
    }
    guard let problem = try expected.problemOfOtherProcess(copy) else {
      return .done(commits: commits)
    }
    sample.fail(problem, copy, place)
    return .differing
  }

  /// Runs a child process and returns how it ended. Returns nil if it did not carry out the
  /// order; the test has then failed.
  private func runChild(
    _ fault: Fault, _ copy: TemporaryStoreFile
  ) throws -> RunningTest.Ending? {
    let order = ChildOrder(
      sample: sample.name, call: ChildOrder.call(at: place, configuration), path: copy.url.path,
      fault: fault)
    let ending = try runningTest.run(order)
    guard case .lost(let reason) = ending else { return ending }
    sample.fail("a child process did not migrate it. \(reason)", copy, place)
    return nil
  }

  // MARK: After it

  /// Checks the interrupted store, and completes its migration.
  private func check(_ copy: TemporaryStoreFile, _ fault: Fault, _ expected: ExpectedStores) {
    do {
      if let problem = try expected.problem(copy) {
        return sample.fail("after \(fault.description), \(problem)", copy, place)
      }
      var configuration = configuration.at(copy.url)
      configuration.probe = nil
      configuration.migrationProgress = nil
      try Store.migrated(configuration)
      if let problem = try expected.problemWhenComplete(copy) {
        sample.fail("after \(fault.description), it was opened again, and \(problem)", copy, place)
      }
    } catch {
      sample.fail("after \(fault.description), it does not open: \(error)", copy, place)
    }
  }
}

private final class Counter: Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }

  /// Counts one call. Returns whether it is the last of the given number.
  func isLast() -> Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }
}
