import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Copies of a running store.
@Suite struct WrittenCopyTests {
  private func beside(_ store: TestStore, _ name: String) -> String {
    (store.path as NSString).deletingLastPathComponent + "/" + name
  }

  private func read(_ path: String) throws -> StoreContents {
    let session = try Session(StoreFile.open(OpenRequest(path: path)))
    #expect(try IntegrityCheck.run(session).isEmpty)
    return try StoreContents(session)
  }

  @Test func `a copy has what the session shows, is compact, and can be written`() throws {
    let store = try BigMigration.store(60)
    try store.write { session in
      let table = try session.table("Item")
      for id in try table.objectIDs().prefix(40) { try table.remove(id) }
    }
    let session = try store.session()
    let before = try StoreContents(session)
    let writer = try store.session()
    _ = try writer.write { try writer.create("Item", ["number": 1_000, "text": "later"]) }
    let path = beside(store, "copy.whimbrel")
    try session.writeCopy(to: path)
    #expect(try read(path) == before)
    let (old, new) = (try store.size(), try Data(contentsOf: URL(filePath: path)).count)
    #expect(new < old, "\(new) bytes of \(old)")
    #expect(try StoreFile.open(OpenRequest(path: path)).usage().usedBytes == new)
    let copy = try Session(StoreFile.open(OpenRequest(path: path)))
    _ = try copy.write { try copy.create("Item", ["number": 1_001, "text": "copy"]) }
    #expect(try session.refresh())
    _ = try session.write { try session.create("Item", ["number": 1_002, "text": "store"]) }
  }

  @Test func `nothing is written over`() throws {
    let store = try BigMigration.store(3)
    let session = try store.session()
    let path = beside(store, "copy.whimbrel")
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(storeError { try session.writeCopy(to: path) }?.code == .fileExists)
    #expect(storeError { try session.writeCopy(to: store.path) }?.code == .fileExists)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    let link = beside(store, "link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    #expect(storeError { try session.writeCopy(to: link) }?.code == .fileExists)
    let missing = beside(store, "no/copy.whimbrel")
    let folderError = storeError { try session.writeCopy(to: missing) }
    #expect(folderError?.code == .parentFolderMissing)
    #expect(folderError?.message.hasPrefix("Could not create the store at ") == true)
    try session.write {
      let error = storeError { try session.writeCopy(to: beside(store, "b.whimbrel")) }
      #expect(error?.code == .inWrite)
    }
    session.close()
    let closed = storeError { try session.writeCopy(to: beside(store, "b.whimbrel")) }
    #expect(closed?.code == .storeClosed)
    #expect(!FileManager.default.fileExists(atPath: beside(store, "b.whimbrel")))
  }

  // Somebody else may make a file there while the copy is written.
  @Test func `a file that comes meanwhile stays`() throws {
    let store = try BigMigration.store(3)
    let session = try store.session()
    let path = beside(store, "copy.whimbrel")
    FileStepProbe.arm(path) { step in
      if step == .copyWhole { Signal.send(path, "theirs") }
    }
    defer { FileStepProbe.disarm(path) }
    #expect(storeError { try session.writeCopy(to: path) }?.code == .fileExists)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("theirs".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: (path as NSString).deletingLastPathComponent
      ).allSatisfy { !$0.contains(".new-") })
  }

  @Test func `a copy is for those who may use the store`() throws {
    let store = try BigMigration.store(3)
    unsafe chmod(store.path, 0o600)
    let path = beside(store, "copy.whimbrel")
    try store.session().writeCopy(to: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// The pages of the file at the path were checked, which was another file or none. The only way to
  /// save a store whose file was deleted was an error.
  @Test func `an open store is copied after its file was deleted or replaced`() throws {
    let store = try BigMigration.store(3)
    let session = try store.session()
    let before = try StoreContents(session)
    #expect(unsafe unlink(store.path) == 0)
    try session.writeCopy(to: beside(store, "deleted.whimbrel"))
    try Data("something else".utf8).write(to: URL(fileURLWithPath: store.path))
    try session.writeCopy(to: beside(store, "replaced.whimbrel"))
    for name in ["deleted.whimbrel", "replaced.whimbrel"] {
      #expect(try read(beside(store, name)) == before)
    }
  }

  @Test func `of a damaged store no copy is made`() throws {
    let store = try BigMigration.store(40)
    let session = try store.session()
    let handle = try FileHandle(forUpdating: URL(filePath: store.path))
    let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
    for number in [UInt64](stride(from: 5, to: try handle.seekToEnd() / page, by: 3)) {
      try handle.seek(toOffset: number * page)
      try handle.write(contentsOf: Data(repeating: 0xA5, count: 64))
    }
    try handle.close()
    let path = beside(store, "copy.whimbrel")
    let error = storeError { try session.writeCopy(to: path) }
    #expect([.damaged, .truncated].contains(error?.code), "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a full disk leaves nothing of a copy`() throws {
    let disk = try #require(SmallDisk(kibibytes: 512))
    let store = try BigMigration.store(BigMigration.bigCount / 10)
    let session = try store.session()
    let path = disk.path + "/copy.whimbrel"
    #expect(storeError { try session.writeCopy(to: path) }?.code == .noSpace)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    try session.write {}
    withExtendedLifetime(disk) {}
  }

  @Test(arguments: [FileStep.copyWhole, .copyNamed])
  func `a process killed while it writes a copy leaves none, or a whole one`(
    _ step: FileStep
  ) async throws {
    let store = try BigMigration.store(20)
    let before = try store.contents()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, step = step as FileStep] in
      let copy = path + ".copy"
      FileStepProbe.arm(copy) { if $0 == step { kill(getpid(), SIGKILL) } }
      try Session(StoreFile.open(OpenRequest(path: path))).writeCopy(to: copy)
    }
    let copy = store.path + ".copy"
    #expect(FileManager.default.fileExists(atPath: copy) == (step == .copyNamed))
    if step == .copyNamed { #expect(try read(copy) == before) }
    #expect(try StoreFile.deleteFiles(at: copy))
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: (copy as NSString).deletingLastPathComponent
      ).allSatisfy { !$0.contains(".copy") })
  }
}
