import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Migrations in steps.
struct StepTests {
  @Test func `every step is a migration of its own, with its entry in the history`() throws {
    let store = try SteppedMigration.store()
    _ = try StoreFile.open(SteppedMigration.request(store.path))
    let contents = try store.contents()
    #expect(contents.version == 3)
    #expect(contents.list("Item") == SteppedMigration.objects(version: 3))
    let history = contents.catalog.history
    #expect(history.map { [$0.from, $0.to] } == [[1, 2], [2, 3]])
    #expect(history.map { $0.marks.map(\.text) } == [["to 2"], ["to 3"]])
    #expect(try store.tableNames() == contents.tableNames)
    #expect(try store.findings() == [])
  }

  @Test func `a new store is made with the newest schema, and no step is taken`() throws {
    let store = try SteppedMigration.store()
    let visits = Notes<SchemaVersion>()
    let path = store.path + ".other"
    let request = SteppedMigration.request(path) { version, _ in visits.add(version) }
    let session = try Session(StoreFile.open(request))
    #expect(try StoreContents(session).version == 3)
    #expect(visits.count == 0)
  }

  @Test(
    arguments: [(1, [5, 10]), (4, [5, 10]), (5, [10]), (7, [10]), (10, [])] as [(Int, [Int])])
  func `a file begins with the first step above its version`(
    version: Int, expected: [Int]
  ) throws {
    let store = try TestStore(SteppedMigration.first, version: SchemaVersion(version))
    let taken = Notes<[Int]>()
    var request = TestStore.request(store.path, SteppedMigration.first, version: 10)
    request.migration.steps = [3, 5, 10].dropFirst(version < 3 ? 1 : 0).map { step in
      MigrationOptions.Step(to: step, Declaration(StoreSchema(classes: SteppedMigration.first))) {
        _, old in
        taken.add([Int(old), Int(step)])
      }
    }
    _ = try StoreFile.open(request)
    #expect(taken.all.map { $0[1] } == expected)
    #expect(taken.all.map { $0[0] } == Array(([version] + expected).prefix(expected.count)))
    #expect(try store.contents().version == 10)
  }

  @Test func `a step without code makes the changes that need none`() throws {
    let store = try SteppedMigration.store()
    var request = TestStore.request(
      store.path, [ClassSchema("Item", .key("number"), .required("c", .string, was: "b"))],
      version: 3)
    request.migration.steps = [
      MigrationOptions.Step(
        to: 2,
        Declaration(
          StoreSchema(classes: [
            ClassSchema("Item", .key("number"), .required("b", .string, was: "text"))
          ]))),
      MigrationOptions.Step(to: 3, try #require(request.declaration)),
    ]
    _ = try StoreFile.open(request)
    #expect(try store.contents().values("Item", "c") == ["", "x", "xx", "xxx", "xxxx"])
    #expect(try store.contents().generation("Item") == 1)
  }

  @Test func `a step that throws leaves the file at the step before, and is tried again`() throws {
    let store = try SteppedMigration.store()
    for isFirstTime in [true, false] {
      let visits = Notes<SchemaVersion>()
      let error = storeError {
        _ = try StoreFile.open(
          SteppedMigration.request(store.path) { version, number in
            visits.add(version)
            if version == 3, number == 2 { throw BlockError() }
          })
      }
      #expect(error?.code == .migrationBlockFailed && error?.underlying is BlockError)
      #expect(error?.context.storedVersion == 2 && error?.context.declaredVersion == 3)
      let reach = error?.context.migrationReach
      #expect(reach?.step == (isFirstTime ? 2 : 1) && reach?.stepCount == (isFirstTime ? 2 : 1))
      #expect(reach?.objectsRewritten == 2 && reach?.version == 2)
      let contents = try store.contents()
      #expect(contents.version == 2 && contents.catalog.history.count == 1)
      #expect(contents.list("Item") == SteppedMigration.objects(version: 2))
      #expect(try store.tableNames() == contents.tableNames)
      #expect(visits.all.contains(2) == isFirstTime)
    }
    // The app of that version uses the file.
    let session = try Session(store.open(SteppedMigration.second, version: 2))
    _ = try session.write {
      try session.create("Item", ["number": 5, "text": "xxxxx", "length": 5])
    }
    session.close()
    _ = try StoreFile.open(SteppedMigration.request(store.path))
    #expect(try store.contents().list("Item") == SteppedMigration.objects(6, version: 3))
  }

  @Test func `the error says which step failed, and at which version the store is`() throws {
    let store = try SteppedMigration.store()
    let error = storeError {
      _ = try StoreFile.open(
        SteppedMigration.request(store.path) { version, number in
          if version == 3, number == 2 { throw BlockError() }
        })
    }
    #expect(
      error?.description == """
        Could not migrate 'Item' from version 2 to 3: the migration block threw \
        'BlockError(reason: "no")' for the object with primary key 2. Correct the block, or the \
        data that it cannot handle. 2 objects were rewritten; step 2 of 2 failed, and the store \
        stays at version 2.
        """)
  }

  @Test func `the reports say which step it is, and each can be cancelled`() throws {
    let store = try SteppedMigration.store(300)
    let reports = Notes<MigrationProgress>()
    var request = SteppedMigration.request(store.path)
    request.migration.progress = { progress in
      reports.add(progress)
      return progress.step == 2 && progress.phase == .rewriting ? .cancel : .continue
    }
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(error?.code == .migrationCancelled)
    #expect(try store.contents().version == 2)
    #expect(reports.all.allSatisfy { $0.stepCount == 2 })
    #expect(Set(reports.all.map(\.step)) == [1, 2])
    #expect(reports.all.map(\.step) == reports.all.map(\.step).sorted())
  }

  // An app of the version between would otherwise take the file for its own.
  @Test func `who comes meanwhile waits for all steps`() async throws {
    let store = try SteppedMigration.store()
    let path = store.path
    let begun = Notes<Int>()
    let waiting = Notes<MigrationProgress>()
    let visits = Notes<SchemaVersion>()
    // On threads of their own: they wait, and tasks have few threads.
    let (ended, end) = AsyncStream<StoreError?>.makeStream()
    Thread.detachNewThread {
      end.yield(
        storeError {
          _ = try StoreFile.open(
            SteppedMigration.request(path) { version, _ in
              visits.add(version)
              begun.add(0)
              // The first step goes on when the other has come, and has found the lock taken.
              let deadline = ContinuousClock.now + .seconds(60)
              while waiting.count == 0, ContinuousClock.now < deadline { usleep(1_000) }
            })
        })
      end.finish()
    }
    let (refused, refuse) = AsyncStream<StoreError?>.makeStream()
    Thread.detachNewThread {
      while begun.count == 0 { usleep(1_000) }
      refuse.yield(
        storeError {
          try store.open(SteppedMigration.second, version: 2) { _, _ in
            Issue.record("It has run.")
          } progress: { progress in
            if progress.phase == .waiting { waiting.add(progress) }
            return .continue
          }
        })
      refuse.finish()
    }
    for await error in refused {
      #expect(error?.code == .schemaVersionTooNew && error?.context.storedVersion == 3)
    }
    #expect(waiting.count > 0)
    for await error in ended { #expect(error == nil) }
    #expect(visits.count == 10)
  }
}

/// What a process leaves that is killed in a step.
@Suite(.serialized) struct StepCrashTests {
  @Test(arguments: [(2, 0), (2, 99), (3, 0), (3, 50), (3, 99)] as [(SchemaVersion, Int)])
  func `killed in a step, the file has the version of the step before`(
    version: SchemaVersion, number: Int
  ) async throws {
    let store = try SteppedMigration.store(100)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, version = version as SchemaVersion, number = number as Int] in
      _ = try StoreFile.open(
        SteppedMigration.request(path) { step, visited in
          if step == version, visited == number { kill(getpid(), SIGKILL) }
        })
    }
    let contents = try store.contents()
    #expect(contents.version == version - 1)
    #expect(contents.list("Item") == SteppedMigration.objects(100, version: version - 1))
    let visits = Notes<SchemaVersion>()
    _ = try StoreFile.open(
      SteppedMigration.request(store.path) { step, _ in visits.add(step) })
    #expect(visits.all.contains(2) == (version == 2))
    #expect(try store.contents().list("Item") == SteppedMigration.objects(100, version: 3))
    #expect(try store.tableNames() == store.contents().tableNames)
    #expect(try store.findings() == [])
  }

  @Test(arguments: 0..<TestRun.count(4, long: 60))
  func `killed at any moment, the file has one of the three versions`(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let delay = UInt32.random(in: 0..<300_000, using: &generator)
    let count = 3_000
    let store = try SteppedMigration.store(count)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, delay = delay as UInt32] in
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      _ = try StoreFile.open(SteppedMigration.request(path))
      while true { usleep(1_000) }
    }
    let contents = try store.contents()
    #expect(contents.list("Item") == SteppedMigration.objects(count, version: contents.version))
    #expect(try store.findings() == [])
    _ = try StoreFile.open(SteppedMigration.request(store.path))
    #expect(try store.contents().list("Item") == SteppedMigration.objects(count, version: 3))
    #expect(try store.tableNames() == store.contents().tableNames)
  }
}
