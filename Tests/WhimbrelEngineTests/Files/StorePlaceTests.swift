import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Stores whose file or lock file is not what it was when they were opened.
@Suite struct StorePlaceTests {
  private let store: TestStore

  init() throws {
    store = try TestStore([ClassSchema("Item", .key("number"))]) { session in
      try session.create("Item", ["number": 1])
    }
  }

  private func add(_ number: Int64, in session: Session) throws {
    try session.write { _ = try session.create("Item", ["number": .int(number)]) }
  }

  @Test func `a store with a second name is refused, and its error names the other`() throws {
    let other = FileRace.beside(store.path, "other.whimbrel")
    try FileManager.default.linkItem(atPath: store.path, toPath: other)
    var request = OpenRequest(path: store.path)
    for isReadOnly in [false, true] {
      request.isReadOnly = isReadOnly
      let error = try #require(storeError { _ = try StoreFile.open(request) })
      #expect(error.code == .hardLinked)
      #expect(error.message.contains("other.whimbrel"))
    }
    unsafe unlink(other)
    try add(2, in: store.session())
  }

  @Test func `opening and checking take away the name that a killed process left`() throws {
    let other = "\(store.path).new-\(UUID().uuidString)"
    var request = OpenRequest(path: store.path)
    for isReadOnly in [false, true] {
      try FileManager.default.linkItem(atPath: store.path, toPath: other)
      request.isReadOnly = isReadOnly
      _ = try StoreFile.open(request)
      #expect(!FileManager.default.fileExists(atPath: other))
    }
    try FileManager.default.linkItem(atPath: store.path, toPath: other)
    _ = try FileCheck.run(path: store.path, depth: .everything)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func `a store with a second name that nothing can write is read`() throws {
    let other = FileRace.beside(store.path, "other.whimbrel")
    try FileManager.default.linkItem(atPath: store.path, toPath: other)
    let folder = (store.path as NSString).deletingLastPathComponent
    unsafe chmod(store.path, 0o444)
    unsafe chmod(folder, 0o555)
    defer { unsafe chmod(folder, 0o755) }
    var request = OpenRequest(path: store.path)
    request.isReadOnly = true
    let session = try Session(StoreFile.open(request))
    #expect(try session.table("Item").count() == 1)
  }

  @Test func `a write is refused when the lock file has been deleted`() throws {
    let session = try store.session()
    try add(2, in: session)
    unsafe unlink(store.path + "-lock")
    let error = try #require(storeError { try add(3, in: session) })
    #expect(error.code == .lockFileReplaced)
    #expect(!session.isWriting)
    #expect(try session.table("Item").count() == 2)
    session.close()
    try add(3, in: store.session())
  }

  @Test func `a write is refused when the file has been deleted or replaced`() throws {
    let session = try store.session()
    let kept = FileRace.beside(store.path, "kept.whimbrel")
    try FileManager.default.moveItem(atPath: store.path, toPath: kept)
    #expect(storeError { try add(2, in: session) }?.code == .storeMoved)
    try FileManager.default.copyItem(atPath: kept, toPath: store.path)
    #expect(storeError { try add(2, in: session) }?.code == .storeMoved)
    #expect(try session.table("Item").count() == 1)
  }

  @Test func `two processes lose no write when the lock file is deleted between them`()
    async throws
  {
    let session = try store.session()
    unsafe unlink(store.path + "-lock")
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      let error = storeError { _ = try StoreFile.open(OpenRequest(path: path)) }
      #expect(error?.code == .lockFileReplaced)
    }
    #expect(storeError { try add(2, in: session) }?.code == .lockFileReplaced)
    session.close()
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      for number in Int64(10)..<20 {
        try session.write { _ = try session.create("Item", ["number": .int(number)]) }
      }
    }
    #expect(try store.contents().list("Item").count == 11)
    #expect(try store.findings() == [])
  }
}
