import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// What is left when a process is killed while it backs up, keeps or undoes.
@Suite(.serialized) struct KeepingCrashTests {
  private static let count = 600

  private static func request(_ path: String) -> OpenRequest {
    var request = BigMigration.request(path)
    request.migration.keepsPreviousGeneration = true
    request.migration.backupPath = path + ".before"
    return request
  }

  @Test(arguments: 0..<TestRun.count(5, long: 200))
  func `a kill at any moment leaves the store or its backup whole`(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let delay = UInt32.random(in: 0..<150_000, using: &generator)
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, delay = delay as UInt32] in
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      _ = try StoreFile.open(Self.request(path))
      while true { usleep(1_000) }
    }
    let version = try store.contents().version
    #expect(try BigMigration.problems(store, Self.count, version: version) == [])
    // There is no copy, or it is whole.
    let backup = store.path + ".before"
    let isThere = FileManager.default.fileExists(atPath: backup)
    if isThere { #expect(try contents(backup) == before) }
    #expect(isThere || version == 1)
    // The next attempt succeeds, and can be undone.
    _ = try StoreFile.open(Self.request(store.path))
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    try StoreFile.open(OpenRequest(path: store.path)).undoMigration()
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
    #expect(try store.tableNames() == before.tableNames)
    #expect(!FileManager.default.fileExists(atPath: backup + ".new"))
  }

  private func contents(_ path: String) throws -> StoreContents {
    var request = TestStore.request(path, BigMigration.old, version: 1)
    request.isReadOnly = true
    return try StoreContents(Session(StoreFile.open(request)))
  }

  @Test(arguments: 0..<TestRun.count(5, long: 200))
  func `an undo that is killed at any moment has done all or nothing`(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let delay = UInt32.random(in: 0..<8_000, using: &generator)
    let store = try BigMigration.store(Self.count)
    let before = try store.contents().withoutNextNumbers
    _ = try StoreFile.open(Self.request(store.path))
    let after = try store.contents().withoutNextNumbers
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, delay = delay as UInt32] in
      let file = try StoreFile.open(OpenRequest(path: path))
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      try file.undoMigration()
      while true { usleep(1_000) }
    }
    let now = try store.contents().withoutNextNumbers
    #expect(now == before || now == after)
    if now == after { try StoreFile.open(OpenRequest(path: store.path)).undoMigration() }
    _ = try StoreFile.open(TestStore.request(store.path, BigMigration.old, version: 1))
    #expect(try store.contents().withoutNextNumbers == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `a kill between undoing and the removal of tables leaves no table`() async throws {
    let store = try BigMigration.store(20)
    let before = try store.contents().withoutNextNumbers
    _ = try StoreFile.open(Self.request(store.path))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = store.path as String] in
      let file = try StoreFile.open(OpenRequest(path: path))
      try file.undoMigration { kill(getpid(), SIGKILL) }
    }
    let file = try StoreFile.attach(OpenRequest(path: store.path))
    #expect(try Set(file.environment.tableNames()).isStrictSuperset(of: before.tableNames))
    // Opening removes them.
    #expect(try store.contents().withoutNextNumbers == before)
    #expect(try store.tableNames() == before.tableNames)
    try store.write { session in
      try session.create("Item", ["number": 20, "text": .string(BigMigration.text(20))])
    }
    _ = try StoreFile.open(Self.request(store.path))
    #expect(try BigMigration.problems(store, 21, version: 2) == [])
  }
}
