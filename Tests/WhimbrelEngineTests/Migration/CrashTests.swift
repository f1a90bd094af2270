import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// What is left of a migration whose process is killed.
///
/// Each test runs the migration in a child of its own, which kills itself.
@Suite(.serialized) struct CrashTests {
  /// Looks at what a killed migration has left: the old objects, or all new ones;
  /// then writes with the old schema, and migrates to the end.
  private func check(_ store: TestStore, _ count: Int) throws {
    let version = try store.contents().version
    #expect(try BigMigration.problems(store, count, version: version) == [])
    var total = count
    if version == 1 {
      // A writer is allowed again, and its objects are migrated too.
      let session = try Session(store.open(BigMigration.old, version: 1))
      _ = try session.write {
        try session.create(
          "Item",
          ["number": .int(Int64(count)), "text": .string(BigMigration.text(count))])
      }
      total += 1
    }
    _ = try StoreFile.open(BigMigration.request(store.path))
    #expect(try BigMigration.problems(store, total, version: 2) == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test(
    .takesLong,
    arguments: TestRun.isLong ? Array(stride(from: 0, to: 10_001, by: 400)) : [0, 900, 1_999])
  func `a migration that is killed at an object starts anew`(_ object: Int) async throws {
    let store = try BigMigration.store(BigMigration.bigCount)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, object = object as Int] in
      _ = try StoreFile.open(
        BigMigration.request(path) { number in
          if number == object { kill(getpid(), SIGKILL) }
        })
      kill(getpid(), SIGKILL)
    }
    try check(store, BigMigration.bigCount)
  }

  @Test(.takesLong, arguments: TestRun.isLong ? Array(0..<40) : [2, 7])
  func `a migration that is killed at a report starts anew`(_ report: Int) async throws {
    let store = try BigMigration.store(BigMigration.bigCount)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, report = report as Int] in
      let reports = Notes<Int>()
      var request = BigMigration.request(path)
      request.migration.progress = { progress in
        reports.add(0)
        let isLast = progress.phase == .finishing && progress.completed == 1
        if reports.count > report || isLast { kill(getpid(), SIGKILL) }
        return .continue
      }
      _ = try StoreFile.open(request)
    }
    try check(store, BigMigration.bigCount)
  }

  @Test(.takesLong, arguments: [CrashScenario.rewrite, .dryRun])
  func `a kill at any moment leaves all or nothing`(_ scenario: CrashScenario) async throws {
    let comparison = try CrashComparison(scenario)
    let duration = comparison.duration / .microseconds(1)
    var generator = SeededGenerator(seed: 1)
    var (early, inside, late) = (0, 0, 0)
    let count = TestRun.isLong ? (scenario == .rewrite ? 300 : 60) : 3
    for number in 0..<count {
      let delay = UInt32.random(in: 0..<UInt32(duration * 1.05), using: &generator)
      let copy = try TestStore(copying: comparison.original.path)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = copy.path as String, scenario = scenario as CrashScenario, delay = delay as UInt32
        ] in
        Thread.detachNewThread {
          usleep(delay)
          kill(getpid(), SIGKILL)
        }
        try scenario.run(path)
        while true { usleep(1_000) }
      }
      let hasLeftovers = try copy.hasLeftovers()
      let (problems, isDone) = try comparison.problems(copy)
      #expect(problems == [], "kill \(number), after \(delay) of \(Int(duration)) µs")
      if hasLeftovers { inside += 1 } else if isDone { late += 1 } else { early += 1 }
    }
    guard TestRun.isLong else { return }
    print("\(scenario): \(early) kills left nothing, \(inside) a part, \(late) the whole")
    #expect(inside >= count / 10)
  }

  /// What a block can do wrong.
  enum Crash: Codable, CaseIterable { case abort, trap, badAccess }

  @Test(.takesLong, arguments: Crash.allCases, [CrashScenario.rewrite, .dryRun])
  func `a block that crashes leaves the file as it was`(_ crash: Crash, _ scenario: CrashScenario)
    async throws
  {
    let comparison = try CrashComparison(scenario)
    let copy = try TestStore(copying: comparison.original.path)
    await #expect(processExitsWith: .failure) {
      [path = copy.path as String, crash = crash as Crash, scenario = scenario as CrashScenario] in
      let request = BigMigration.request(path) { number in
        guard number == 500 else { return }
        switch crash {
        case .abort: abort()
        case .trap: fatalError("the block")
        case .badAccess: raise(SIGSEGV)
        }
      }
      if scenario == .dryRun {
        _ = try StoreFile.dryRunMigration(request)
      } else {
        _ = try StoreFile.open(request)
      }
    }
    #expect(try copy.hasLeftovers())
    #expect(try comparison.problems(copy).problems == [])
  }
}
