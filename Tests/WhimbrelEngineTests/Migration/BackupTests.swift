import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// The copy of a file that a migration begins with.
struct BackupTests {
  private static let count = 60

  private static func request(_ store: TestStore, _ path: String? = nil) -> OpenRequest {
    var request = BigMigration.request(store.path)
    request.migration.backupPath = path ?? backup(store)
    return request
  }

  private static func backup(_ store: TestStore) -> String { store.path + ".before" }

  /// What a copy holds, opened with the old schema and read-only.
  private func contents(_ path: String, version: SchemaVersion = 1) throws -> StoreContents {
    var request = TestStore.request(path, BigMigration.old, version: version)
    request.isReadOnly = true
    let session = try Session(StoreFile.open(request))
    #expect(try IntegrityCheck.run(session).isEmpty)
    return try StoreContents(session)
  }

  private func files(_ store: TestStore) throws -> [String] {
    let folder = (store.path as NSString).deletingLastPathComponent
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `the copy is the store as it was`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    #expect(unsafe chmod(store.path, 0o600) == 0)
    _ = try StoreFile.open(Self.request(store))
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    let backup = Self.backup(store)
    #expect(try contents(backup) == before)
    let mode = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Nothing of a migration is left in it, and it can be written.
    let file = try StoreFile.open(TestStore.request(backup, BigMigration.old, version: 1))
    #expect(try Set(file.environment.tableNames()) == before.tableNames)
    let session = try Session(file)
    _ = try session.write { try session.create("Note", ["item": .null]) }
    #expect(try contents(backup).list("Note").count == before.list("Note").count + 1)
    #expect(try files(store).filter { $0.contains(".new") } == [])
  }

  @Test func `a change without code makes a backup unless the version stays`() throws {
    let store = try BigMigration.store(Self.count)
    let indexed = [
      ClassSchema("Item", .key("number"), .indexed("text", .string)), BigMigration.old[1],
    ]
    let path = Self.backup(store)
    for (classes, version, isMade) in [
      (BigMigration.old, 1, false), (indexed, 1, false), (indexed, 2, true),
    ] {
      var request = TestStore.request(store.path, classes, version: SchemaVersion(version))
      request.migration.backupPath = path
      _ = try StoreFile.open(request)
      #expect(FileManager.default.fileExists(atPath: path) == isMade)
    }
    let session = try Session(StoreFile.open(OpenRequest(path: path)))
    #expect(try StoreContents(session).version == 1)
  }

  @Test func `a dry run and a plan make no backup`() throws {
    let store = try BigMigration.store(5)
    let request = Self.request(store)
    _ = try StoreFile.dryRunMigration(request)
    #expect(!FileManager.default.fileExists(atPath: Self.backup(store)))
  }

  @Test func `a failed migration keeps the backup, and the next attempt renews it`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    var failing = BigMigration.request(store.path) { number in
      if number == 7 { throw BlockError() }
    }
    failing.migration.backupPath = Self.backup(store)
    for _ in 0..<3 {
      #expect(storeError { _ = try StoreFile.open(failing) }?.code == .migrationBlockFailed)
      #expect(try contents(Self.backup(store)) == before)
      #expect(try store.contents() == before)
    }
    try store.write { session in try session.create("Note", ["item": .null]) }
    let later = try store.contents()
    _ = try StoreFile.open(Self.request(store))
    #expect(try contents(Self.backup(store)) == later)
  }

  // With the same path in each version of an app, the second migration was refused.
  @Test func `the backup of an earlier version is replaced`() throws {
    let store = try BigMigration.store(Self.count)
    _ = try StoreFile.open(Self.request(store))
    let second = try store.contents()
    var request = TestStore.request(store.path, BigMigration.new, version: 3)
    request.migration.backupPath = Self.backup(store)
    _ = try StoreFile.open(request)
    let session = try Session(StoreFile.open(OpenRequest(path: Self.backup(store))))
    #expect(try StoreContents(session) == second)
  }

  private func expectRefused(
    _ store: TestStore, _ request: OpenRequest, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try store.contents()
    let backup = try? Data(contentsOf: URL(fileURLWithPath: request.migration.backupPath ?? ""))
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(error?.code == .backupFailed, sourceLocation: sourceLocation)
    #expect(error?.message.contains(words) == true, sourceLocation: sourceLocation)
    #expect(try store.contents() == before, sourceLocation: sourceLocation)
    if request.migration.backupPath != store.path {
      let after = try? Data(contentsOf: URL(fileURLWithPath: request.migration.backupPath ?? ""))
      #expect(after == backup, sourceLocation: sourceLocation)
    }
    // A writer is not held up by what was refused.
    try store.write { session in try session.create("Note", ["item": .null]) }
  }

  @Test func `what is no older copy of the store is never replaced`() throws {
    let store = try BigMigration.store(5)
    let other = try BigMigration.store(3)
    try expectRefused(store, Self.request(store, other.path), "another store")
    try expectRefused(store, Self.request(store, store.path), "the store itself")
    try expectRefused(store, Self.request(store, store.path + "/x/y"), "does not exist")
    let text = store.path + ".txt"
    for content in ["", "hello", String(repeating: "hello ", count: 10_000)] {
      try Data(content.utf8).write(to: URL(fileURLWithPath: text))
      try expectRefused(store, Self.request(store, text), "not a Whimbrel store")
    }
    let copy = store.path + ".copy"
    try FileManager.default.copyItem(atPath: store.path, toPath: copy)
    _ = try StoreFile.open(TestStore.request(copy, BigMigration.old, version: 9))
    try expectRefused(store, Self.request(store, copy), "higher schema version 9")
    #expect(try files(store).filter { $0.contains(".new") } == [])
  }

  @Test func `a backup that is open is not replaced`() throws {
    let store = try BigMigration.store(5)
    let path = Self.backup(store)
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    let here = try StoreFile.open(OpenRequest(path: path))
    try expectRefused(store, Self.request(store), "open in this process")
    withExtendedLifetime(here) {}
  }

  @Test(.oneAtATime)
  func `a backup that another process has open is not replaced`() async throws {
    let store = try BigMigration.store(5)
    let path = Self.backup(store)
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let file = try StoreFile.open(OpenRequest(path: path))
      Signal.send(path + ".open", "\(getpid())")
      try Signal.wait(for: path + ".close")
      withExtendedLifetime(file) {}
    }
    let process = try await Signal.arrival(of: path + ".open")
    try expectRefused(store, Self.request(store), "open in process \(process)")
    Signal.send(path + ".close")
    _ = await child
    _ = try StoreFile.open(Self.request(store))
    #expect(try contents(path).version == 1)
  }

  @Test func `a file that may not grow leaves no half of a backup`() async throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    await #expect(processExitsWith: .success) {
      [path = store.path as String, size = try store.size() as Int] in
      signal(SIGXFSZ, SIG_IGN)
      try limitFiles(to: size / 2)
      var request = TestStore.request(path, BigMigration.old, version: 2)
      request.migration.backupPath = path + ".before"
      let error = storeError { _ = try StoreFile.open(request) }
      #expect(error?.code == .diskQuotaExceeded, "\(error?.description ?? "")")
    }
    #expect(try files(store).filter { $0.contains("before") } == [])
    #expect(try store.contents() == before)
    _ = try StoreFile.open(Self.request(store))
    #expect(try contents(Self.backup(store)) == before)
  }

  @Test func `making a backup is reported, and can be cancelled`() throws {
    let store = try BigMigration.store(5)
    let phases = Notes<MigrationProgress.Phase>()
    var request = Self.request(store)
    request.migration.progress = { progress in
      phases.add(progress.phase)
      return progress.phase == .backingUp ? .cancel : .continue
    }
    #expect(storeError { _ = try StoreFile.open(request) }?.code == .migrationCancelled)
    #expect(phases.all == [.backingUp])
    #expect(!FileManager.default.fileExists(atPath: Self.backup(store)))
  }
}
