import Foundation
import Testing
import WhimbrelEngine

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

  @Test(arguments: isLongRun ? Array(stride(from: 0, to: 10_001, by: 400)) : [0, 900, 1_999])
  func `killed at an object`(_ object: Int) async throws {
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

  @Test(arguments: isLongRun ? Array(0..<40) : [2, 7])
  func `killed at a report`(_ report: Int) async throws {
    let store = try BigMigration.store(BigMigration.bigCount)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, report = report as Int] in
      let reports = Notes<Int>()
      var request = BigMigration.request(path)
      request.progress = { progress in
        reports.add(0)
        let isLast = progress.phase == .finishing && progress.completed == 1
        if reports.count > report || isLast { kill(getpid(), SIGKILL) }
        return .continue
      }
      _ = try StoreFile.open(request)
    }
    try check(store, BigMigration.bigCount)
  }

  @Test(arguments: 0..<(isLongRun ? 60 : 3))
  func `killed at any moment`(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let delay = UInt32.random(in: 0..<(isLongRun ? 1_500_000 : 500_000), using: &generator)
    let store = try BigMigration.store(BigMigration.bigCount)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, delay = delay as UInt32] in
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      _ = try StoreFile.open(BigMigration.request(path))
      while true { usleep(1_000) }
    }
    try check(store, BigMigration.bigCount)
  }
}
