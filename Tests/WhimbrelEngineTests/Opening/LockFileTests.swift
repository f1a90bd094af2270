import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct LockFileTests {
  private func expectUnusable(_ store: OpeningTestStore, _ prepare: () throws -> Void) throws {
    let lock = store.path + "-lock"
    try? FileManager.default.removeItem(atPath: lock)
    try prepare()
    let before = try store.bytes
    for request in [store.request, store.readOnlyRequest] {
      let error = try #require(throws: StoreError.self) { try StoreFile.open(request) }
      #expect(error.code == .lockFileUnusable, "\(error)")
      #expect(error.message.contains("test.whimbrel-lock"), "\(error)")
    }
    #expect(try store.bytes == before)
    try FileManager.default.removeItem(atPath: lock)
    let session = try Session(StoreFile.open(store.request))
    #expect(try session.table("Thing").count() == 20)
  }

  @Test(arguments: [0, 1, 64, 100, 4_096, 8_192, 40_000, 1 << 20])
  func `what an old lock file holds does not matter`(size: Int) throws {
    let store = try OpeningTestStore()
    let lock = URL(fileURLWithPath: store.path + "-lock")
    for byte in [UInt8(0), 0xFF, 0x41] {
      try Data(repeating: byte, count: size).write(to: lock)
      let session = try Session(StoreFile.open(store.request))
      #expect(try IntegrityCheck.run(session).isEmpty)
      try OpeningTestStore.add(Int(byte) * 1_000 + 100..<Int(byte) * 1_000 + 101, to: session)
    }
  }

  @Test func `a folder in place of the lock file is an error`() throws {
    let store = try OpeningTestStore()
    try expectUnusable(store) {
      try FileManager.default.createDirectory(
        atPath: store.path + "-lock", withIntermediateDirectories: false)
    }
  }

  @Test func `a pipe in place of the lock file is an error`() throws {
    let store = try OpeningTestStore()
    try expectUnusable(store) { #expect(unsafe mkfifo(store.path + "-lock", 0o644) == 0) }
  }

  @Test func `a lock file that is a link to itself is an error`() throws {
    let store = try OpeningTestStore()
    try expectUnusable(store) {
      try FileManager.default.createSymbolicLink(
        atPath: store.path + "-lock", withDestinationPath: store.path + "-lock")
    }
  }

  @Test func `a lock file that is a link into a missing folder is an error`() throws {
    let store = try OpeningTestStore()
    try expectUnusable(store) {
      try FileManager.default.createSymbolicLink(
        atPath: store.path + "-lock", withDestinationPath: store.folder + "/none/lock")
    }
  }

  // LMDB creates it for one user. Root, or one member of a group, then locked out the others.
  @Test func `a new lock file has the owner and the permissions of the store`() throws {
    let store = try OpeningTestStore()
    unsafe unlink(store.path + "-lock")
    unsafe chmod(store.path, 0o664)
    if getuid() == 0 { unsafe chown(store.path, 65_534, 65_534) }
    let session = try Session(StoreFile.open(store.request))
    let (file, lock) = (try FileRights(store.path), try FileRights(store.path + "-lock"))
    #expect(lock == file)
    withExtendedLifetime(session) {}
  }

  @Test func `the owner of a file that is only read may write its new lock file`() throws {
    let store = try OpeningTestStore()
    unsafe unlink(store.path + "-lock")
    unsafe chmod(store.path, 0o444)
    let session = try Session(StoreFile.open(store.readOnlyRequest))
    #expect(try FileRights(store.path + "-lock").mode == 0o644)
    withExtendedLifetime(session) {}
  }

  @Test func `a store opened by a symbolic link uses the store's own`() throws {
    let store = try OpeningTestStore()
    try FileManager.default.removeItem(atPath: store.path + "-lock")
    let link = store.folder + "/link.whimbrel"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    let session = try Session(StoreFile.open(OpeningTestStore.request(link)))
    try OpeningTestStore.add(100..<101, to: session)
    #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
    #expect(FileManager.default.fileExists(atPath: store.path + "-lock"))
  }
}
