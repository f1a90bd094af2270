import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Stores that are compacted when they are opened.
@Suite struct CompactionTests {
  /// A store most of whose pages are free.
  private func sparseStore() throws -> TestStore {
    let store = try BigMigration.store(100)
    try store.write { session in
      let table = try session.table("Item")
      for id in try table.objectIDs().prefix(90) { try table.remove(id) }
    }
    return store
  }

  private func request(
    _ store: TestStore, _ shouldCompact: @escaping @Sendable (FileUsage) -> Bool
  ) -> OpenRequest {
    var request = TestStore.request(store.path, BigMigration.old, version: 1)
    request.file.shouldCompact = shouldCompact
    return request
  }

  private func names(_ store: TestStore) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: (store.path as NSString).deletingLastPathComponent).sorted()
  }

  @Test func `a file is compacted when the app says so, and only then`() throws {
    let store = try sparseStore()
    let (size, before) = (try store.size(), try store.contents())
    let usages = Notes<FileUsage>()
    _ = try StoreFile.open(
      request(store) { usage in
        usages.add(usage)
        return false
      })
    #expect(try store.size() == size)
    let usage = try #require(usages.all.first)
    #expect(usage.totalBytes == size)
    #expect(usage.usedBytes > 0 && usage.usedBytes < size / 2, "\(usage)")
    let file = try StoreFile.open(request(store) { $0.usedBytes < $0.totalBytes / 2 })
    #expect(try store.size() < size / 2)
    #expect(try file.usage().usedBytes == store.size())
    #expect(try store.contents() == before)
    #expect(try store.findings() == [])
    #expect(try names(store) == ["Test.whimbrel", "Test.whimbrel-lock"])
  }

  @Test func `a store that is open here, or only read, stays as it is`() throws {
    let store = try sparseStore()
    let size = try store.size()
    let session = try store.session()
    let calls = Notes<FileUsage>()
    let asking = request(store) { usage in
      calls.add(usage)
      return true
    }
    _ = try StoreFile.open(asking)
    session.close()
    var readOnly = asking
    readOnly.isReadOnly = true
    _ = try StoreFile.open(readOnly)
    #expect(calls.count == 0)
    #expect(try store.size() == size)
    _ = try StoreFile.open(asking)
    #expect(try store.size() < size)
  }

  @Test(.oneAtATime) func `a store that another process has open stays as it is`() async throws {
    let store = try sparseStore()
    let (size, path) = (try store.size(), store.path)
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      Signal.send(path + ".open")
      try Signal.wait(for: path + ".close")
      _ = try session.write { try session.create("Item", ["number": 7_000, "text": "t"]) }
    }
    try await Signal.arrival(of: path + ".open")
    let session = try Session(StoreFile.open(request(store) { _ in true }))
    #expect(try store.size() == size)
    Signal.send(path + ".close")
    _ = await child
    #expect(try session.refresh())
    #expect(try session.table("Item").count() == 11)
  }

  // Somebody may come, and write, between the copy and its taking the place.
  @Test func `what is written meanwhile is not lost`() throws {
    let store = try sparseStore()
    let path = store.path
    FileStepProbe.arm(path) { step in
      guard step == .replacementDecided else { return }
      FileStepProbe.disarm(path)
      do {
        let session = try Session(StoreFile.open(OpenRequest(path: path)))
        _ = try session.write { try session.create("Item", ["number": 7_000, "text": "t"]) }
      } catch {
        Issue.record(error)
      }
    }
    let session = try Session(StoreFile.open(request(store) { _ in true }))
    #expect(try session.table("Item").count() == 11)
    #expect(try names(store) == ["Test.whimbrel", "Test.whimbrel-lock"])
  }

  // Root, who compacted the store of an app, locked out the app.
  @Test(.enabled(if: getuid() == 0, "only root gives files away"))
  func `a compacted file keeps its owner, its group and its permissions`() throws {
    let store = try sparseStore()
    unsafe chown(store.path, 65_534, 65_534)
    unsafe chmod(store.path, 0o660)
    let (size, before) = (try store.size(), try FileRights(store.path))
    _ = try StoreFile.open(request(store) { _ in true })
    #expect(try store.size() < size)
    let (file, lock) = (try FileRights(store.path), try FileRights(store.path + "-lock"))
    #expect(file == before)
    #expect(lock == before)
  }

  @Test func `what a killed compaction has left goes with the next one`() throws {
    let store = try sparseStore()
    let second = store.path + ".old-\(UUID().uuidString)"
    try FileManager.default.linkItem(atPath: store.path, toPath: second)
    Signal.send(store.path + ".new-\(UUID().uuidString)", "half of a store")
    _ = try StoreFile.open(request(store) { _ in true })
    #expect(try names(store) == ["Test.whimbrel", "Test.whimbrel-lock"])
    #expect(try store.contents().list("Item").count == 10)
  }

  @Test func `what undoes a migration is kept`() throws {
    let store = try sparseStore()
    var migrating = BigMigration.request(store.path)
    migrating.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(migrating)
    var asking = BigMigration.request(store.path)
    asking.file.shouldCompact = { _ in true }
    let file = try StoreFile.open(asking)
    #expect(try file.canUndoMigration())
    try file.undoMigration()
    #expect(try store.contents().version == 1)
  }

  @Test func `a damaged store says so, and stays`() throws {
    let store = try sparseStore()
    var bytes = try Data(contentsOf: URL(filePath: store.path))
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    for number in stride(from: 4, to: bytes.count / page, by: 2) {
      bytes.replaceSubrange(number * page..<number * page + 32, with: Data(repeating: 7, count: 32))
    }
    try bytes.write(to: URL(filePath: store.path))
    var asking = request(store) { _ in true }
    asking.file.checks = .allPages
    #expect(storeError { _ = try StoreFile.open(asking) }?.code == .damaged)
    #expect(try Data(contentsOf: URL(filePath: store.path)) == bytes)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `without room for a second file the store is opened as it is`() throws {
    let disk = try #require(SmallDisk(kibibytes: 4_096))
    let original = try BigMigration.store(150)
    let store = try TestStore(copying: original.path, to: disk.path)
    let before = try original.contents()
    try disk.fill(leaving: 300_000)
    let session = try Session(StoreFile.open(request(store) { _ in true }))
    #expect(try StoreContents(session) == before)
    #expect(try names(store) == ["Test.whimbrel", "Test.whimbrel-lock"])
    withExtendedLifetime(disk) {}
  }
}
