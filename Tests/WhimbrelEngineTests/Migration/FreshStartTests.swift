import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// An empty store in the place of one whose migration failed.
@Suite(.serialized) struct FreshStartTests {
  private static let count = 40

  private static func failedPath(_ path: String) -> String {
    (path as NSString).deletingLastPathComponent + "/failed.whimbrel"
  }

  /// The request for a migration that never succeeds.
  private static func failing(
    _ path: String, movingTo destination: String? = nil, _ error: any Error = BlockError()
  ) -> OpenRequest {
    var request = BigMigration.request(path) { number in
      if number == 3 { throw error }
    }
    request.migration.failedStorePath = destination ?? failedPath(path)
    return request
  }

  /// What a file that was moved holds; it can be written too.
  private func contents(_ path: String) throws -> StoreContents {
    let session = try Session(
      StoreFile.open(TestStore.request(path, BigMigration.old, version: 1)))
    #expect(try IntegrityCheck.run(session).isEmpty)
    try session.write {}
    return try StoreContents(session)
  }

  private func expectEmpty(
    _ store: TestStore, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let contents = try store.contents()
    #expect(contents.version == 2, sourceLocation: sourceLocation)
    #expect(contents.list("Item").count == 0, sourceLocation: sourceLocation)
    #expect(contents.catalog.history.count == 0, sourceLocation: sourceLocation)
    #expect(try store.findings() == [], sourceLocation: sourceLocation)
  }

  @Test func `the old file is moved, and an empty one is in its place`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let file = try StoreFile.open(Self.failing(store.path))
    let start = try #require(file.freshStart)
    #expect(start.reason.code == .migrationBlockFailed)
    #expect(start.oldStore.path == Self.failedPath(store.path))
    try expectEmpty(store)
    try store.write { session in
      try session.create("Item", ["number": 1, "text": "t", "length": 1])
    }
    #expect(try contents(start.oldStore.path) == before)
    #expect(try StoreFile.open(Self.failing(store.path)).freshStart == nil)
    #expect(try store.contents().list("Item").count == 1)
    // With code that works, the old file can be migrated after all.
    _ = try StoreFile.open(BigMigration.request(start.oldStore.path))
  }

  // The backup stayed at its path, and the next migration of the new store threw: its backup does
  // not replace one of another store.
  @Test func `the backup is moved too, and the new store can be migrated`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let folder = (store.path as NSString).deletingLastPathComponent
    var request = Self.failing(store.path)
    request.migration.backupPath = folder + "/backup.whimbrel"
    let start = try #require(try StoreFile.open(request).freshStart)
    let moved = try #require(start.oldBackup)
    #expect(moved.lastPathComponent == "backup-2.whimbrel")
    #expect(try contents(moved.path) == before)
    #expect(FileIdentity(path: folder + "/backup.whimbrel") == nil)

    var next = BigMigration.request(store.path)
    next.schemaVersion = 3
    next.migration.backupPath = request.migration.backupPath
    #expect(try StoreFile.open(next).freshStart == nil)
    #expect(FileIdentity(path: folder + "/backup.whimbrel") != nil)
    #expect(try contents(moved.path) == before)
  }

  @Test func `if the store cannot be moved, its backup keeps its name`() throws {
    let store = try BigMigration.store(Self.count)
    let folder = (store.path as NSString).deletingLastPathComponent
    // The name is too long for a file.
    let destination = folder + "/" + String(repeating: "x", count: 300)
    var request = Self.failing(store.path, movingTo: destination)
    request.migration.backupPath = folder + "/backup.whimbrel"
    for _ in 0..<2 {
      #expect(throws: StoreError.self) { try StoreFile.open(request) }
      #expect(FileIdentity(path: folder + "/backup.whimbrel") != nil)
      #expect(FileIdentity(path: folder + "/backup-2.whimbrel") == nil)
      #expect(try store.contents().list("Item").count == Self.count)
    }
  }

  @Test func `no file is moved over another`() throws {
    let store = try BigMigration.store(5)
    let destination = Self.failedPath(store.path)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: destination))
    for name in ["failed-2.whimbrel", "failed-3.whimbrel"] {
      let file = try StoreFile.open(Self.failing(store.path))
      #expect(file.freshStart?.oldStore.lastPathComponent == name)
      try FileManager.default.removeItem(atPath: store.path)
      let again = try BigMigration.store(5)
      try FileManager.default.copyItem(atPath: again.path, toPath: store.path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: destination)) == Data("mine".utf8))
  }

  @Test(.takesLong) func `what would succeed another time, or is no failed migration, throws`()
    throws
  {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let destination = Self.failedPath(store.path)
    func expect(
      _ code: StoreError.Code, _ request: OpenRequest,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let error = storeError { _ = try StoreFile.open(request) }
      #expect(error?.code == code, sourceLocation: sourceLocation)
      #expect(!FileManager.default.fileExists(atPath: destination), sourceLocation: sourceLocation)
      #expect(try store.contents() == before, sourceLocation: sourceLocation)
    }
    try expect(.migrationBlockFailed, Self.failing(store.path, CancellationError()))
    var cancelled = Self.failing(store.path)
    cancelled.migration.progress = { _ in .cancel }
    try expect(.migrationCancelled, cancelled)
    var readOnly = Self.failing(store.path)
    readOnly.isReadOnly = true
    try expect(.migrationNeeded, readOnly)
    var older = Self.failing(store.path)
    older.schemaVersion = 0
    try expect(.schemaVersionTooNew, older)
    try expect(.freshStartRefused, Self.failing(store.path, movingTo: store.path + "/x/y"))
    var backup = Self.failing(store.path)
    backup.migration.backupPath = store.path + "/x/y"
    try expect(.backupFailed, backup)
  }

  @Test func `what would fail again starts fresh`() throws {
    let item = ClassSchema("Item", .key("number"), .required("text", .string))
    let cases: [(StoreError.Code, [ClassSchema], SchemaVersion, MigrationBlock?)] = [
      (.schemaMismatch, [ClassSchema("Item", .key("number"))], 1, nil),
      (.migrationUnset, BigMigration.new, 2, nil),
      (.migrationUnset, BigMigration.new, 2, { _, _ in }),
      (
        .migrationDuplicateKeys, [item], 2,
        { migration, _ in
          try migration.enumerateObjects(ofType: "Item") { _, new in new?["number"] = 1 }
        }
      ),
      (
        .unknownClass, [item], 2,
        { migration, _ in _ = try migration.create("Nothing") }
      ),
    ]
    for (code, classes, version, block) in cases {
      let store = try BigMigration.store(5)
      let before = try store.contents()
      var request = TestStore.request(store.path, classes, version: version, migration: block)
      request.migration.failedStorePath = Self.failedPath(store.path)
      let start = try StoreFile.open(request).freshStart
      #expect(start?.reason.code == code)
      #expect(try store.contents().list("Item") == [])
      #expect(try contents(Self.failedPath(store.path)) == before)
    }
  }

  @Test(.takesLong) func `a file that is open elsewhere in this process is not moved`() throws {
    let store = try BigMigration.store(Self.count)
    let other = try store.session()
    let before = try StoreContents(other)
    let error = storeError { _ = try StoreFile.open(Self.failing(store.path)) }
    #expect(error?.code == .freshStartRefused)
    #expect((error?.underlying as? StoreError)?.code == .migrationBlockFailed)
    #expect(!FileManager.default.fileExists(atPath: Self.failedPath(store.path)))
    try other.write {}
    #expect(try StoreContents(other) == before)
  }

  @Test(.takesLong, .oneAtATime)
  func `a file that another process has open is not moved`() async throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      Signal.send(path + ".open", "\(getpid())")
      try Signal.wait(for: path + ".close")
      // It goes on as if nothing had been.
      _ = try session.write { try session.create("Note", ["item": .null]) }
    }
    let process = try await Signal.arrival(of: path + ".open")
    let error = storeError { _ = try StoreFile.open(Self.failing(path)) }
    #expect(error?.code == .freshStartRefused)
    #expect(error?.message.contains("process \(process)") == true)
    #expect(!FileManager.default.fileExists(atPath: Self.failedPath(path)))
    #expect(try store.contents() == before)
    Signal.send(path + ".close")
    _ = await child
    #expect(try store.contents().list("Note").count == before.list("Note").count + 1)
    #expect(try StoreFile.open(Self.failing(path)).freshStart != nil)
    try expectEmpty(store)
  }

  // Who has opened a file just before it is moved would go on writing to it.
  @Test func `a store whose file has been moved is no longer written to`() throws {
    let store = try BigMigration.store(5)
    let session = try store.session()
    try session.file.environment.write { view throws(LMDBError) in
      // The mark of a migration whose process has died.
      try view.put(.main, MainKey.migration, [UInt8](repeating: 0, count: 16))
    }
    try session.write {}
    let moved = Self.failedPath(store.path)
    for suffix in ["-lock", ""] {
      try FileManager.default.moveItem(atPath: store.path + suffix, toPath: moved + suffix)
    }
    #expect(storeError { try session.write {} }?.code == .storeMoved)
    _ = try StoreFile.open(BigMigration.request(store.path))
    #expect(storeError { try session.write {} }?.code == .storeMoved)
    #expect(storeError { try session.file.discardPreviousGeneration() }?.code == .storeMoved)
    #expect(try StoreContents(session).list("Item").count == 5)
    session.close()
    #expect(try contents(moved).list("Item").count == 5)
  }

  @Test func `of threads that open at once one starts fresh, and all succeed`() async throws {
    let store = try BigMigration.store(Self.count)
    let path = store.path
    let starts = Notes<String>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let error = storeError {
            let file = try StoreFile.open(Self.failing(path))
            if let start = file.freshStart { starts.add(start.oldStore.path) }
          }
          #expect(error == nil, "\(error?.description ?? "")")
        }
      }
    }
    #expect(starts.all == [Self.failedPath(path)])
    try expectEmpty(store)
  }

  @Test func `of processes that open at once one starts fresh, and all succeed`() async throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = store.path as String] in
            let session = try Session(StoreFile.open(Self.failing(path)))
            #expect(try StoreContents(session).version == 2)
            #expect(try session.table("Item").count() == 0)
          }
        }
      }
    }
    try expectEmpty(store)
    #expect(try contents(Self.failedPath(store.path)) == before)
    let folder = (store.path as NSString).deletingLastPathComponent
    let moved = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("failed") && $0.hasSuffix(".whimbrel") }
    #expect(moved == ["failed.whimbrel"])
  }

  @Test func `a symbolic link goes on leading to the store`() throws {
    let store = try BigMigration.store(5)
    let link = store.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    #expect(try StoreFile.open(Self.failing(link)).freshStart != nil)
    try expectEmpty(store)
    #expect(FileIdentity(path: link) == FileIdentity(path: store.path))
  }

  private static let otherDisk: String? = {
    let folder = "/dev/shm"
    let here = FileIdentity(path: FileManager.default.temporaryDirectory.path)?.device
    guard let there = FileIdentity(path: folder)?.device, there != here,
      FileManager.default.isWritableFile(atPath: folder)
    else { return nil }
    return folder
  }()

  @Test(.enabled(if: otherDisk != nil, "this machine has no second file system"))
  func `the old file is copied to another file system, and then goes`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let folder = try #require(Self.otherDisk) + "/whimbrel-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let destination = folder + "/failed.whimbrel"
    let file = try StoreFile.open(Self.failing(store.path, movingTo: destination))
    #expect(file.freshStart?.oldStore.path == destination)
    try expectEmpty(store)
    #expect(try contents(destination) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.allSatisfy { $0.hasPrefix("failed.whimbrel") && !$0.contains(".new") })
  }

  // The failure was ignored. The store failed to migrate again, and was copied again, without end.
  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a file"))
  func `a file that was copied and cannot be removed is not moved`() throws {
    let store = try BigMigration.store(5)
    let before = try store.contents()
    try #require(SmallDisk.mount(store.path))
    defer { SmallDisk.unmount(store.path) }
    let error = storeError { _ = try StoreFile.open(Self.failing(store.path)) }
    #expect(error?.code == .storeInUse)
    let folder = (store.path as NSString).deletingLastPathComponent
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!names.contains { $0 == "failed.whimbrel" || $0.contains(".new") })
    #expect(try store.contents() == before)
  }

  // For a moment there was no store at the path. After a power loss the next opening made an empty
  // store there, and nobody learned where the old one was.
  @Test(arguments: [FileStep.movingGuarded, .movingLinked, .movingLockMoved, .movingDone])
  func `there is a store at the path at each step`(_ step: FileStep) async throws {
    let store = try BigMigration.store(5)
    let before = try store.contents()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, step = step as FileStep] in
      FileStepProbe.arm(path) { if $0 == step { kill(getpid(), SIGKILL) } }
      _ = try StoreFile.open(Self.failing(path))
    }
    #expect(StoreFile.exists(at: store.path))
    let start = try StoreFile.open(Self.failing(store.path)).freshStart
    #expect((start == nil) == (step == .movingDone))
    try expectEmpty(store)
    #expect(try contents(Self.failedPath(store.path)) == before)
  }

  @Test(arguments: 0..<TestRun.count(6, long: 200))
  func `killed at any moment, the old file is at one place or the other`(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let delay = UInt32.random(in: 0..<40_000, using: &generator)
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, delay = delay as UInt32] in
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      let file = try StoreFile.open(Self.failing(path))
      while true { usleep(1_000) }
      withExtendedLifetime(file) {}
    }
    _ = try StoreFile.open(Self.failing(store.path))
    try expectEmpty(store)
    #expect(try contents(Self.failedPath(store.path)) == before)
  }
}
