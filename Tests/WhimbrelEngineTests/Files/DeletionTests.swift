import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Deleting a store's files.
@Suite struct DeletionTests {
  private static let classes = [ClassSchema("Item", .key("number"))]

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: (path as NSString).deletingLastPathComponent
    )
    .sorted()
  }

  @Test func `the file, its lock file and what processes have left go, and nothing else`() throws {
    let store = try TestStore(Self.classes)
    let uuid = UUID().uuidString
    let kept = [
      "Test.whimbrel.backup", "Test.whimbrel.new-", "Test.whimbrel.new-x", "Test.whimbrel2",
      "Test.whimbrel.old", "Other.whimbrel.new-\(uuid)",
    ]
    let gone = ["new", "old", "dry-run"].flatMap { purpose in
      ["Test.whimbrel.\(purpose)-\(uuid)", "Test.whimbrel.\(purpose)-\(uuid)-lock"]
    }
    let folder = (store.path as NSString).deletingLastPathComponent
    for name in kept + gone { Signal.send(folder + "/" + name) }
    #expect(try StoreFile.deleteFiles(at: store.path))
    #expect(try names(store.path) == kept.sorted())
    #expect(try !StoreFile.deleteFiles(at: store.path))
    // A new one can be made.
    #expect(try store.open(Self.classes, version: 1).isReadOnly == false)
  }

  @Test func `a store that is open in this process stays`() throws {
    let store = try TestStore(Self.classes)
    let session = try store.session()
    let before = try names(store.path)
    let error = storeError { _ = try StoreFile.deleteFiles(at: store.path) }
    #expect(error?.code == .storeInUse && error?.context.processID == getpid())
    #expect(error?.message.hasSuffix("it is open in this process.") == true)
    #expect(try names(store.path) == before)
    _ = try session.write { try session.create("Item", ["number": 1]) }
    session.close()
    #expect(try StoreFile.deleteFiles(at: store.path))
    #expect(try names(store.path) == [])
  }

  @Test(.oneAtATime) func `a store that another process has open stays`() async throws {
    let store = try TestStore(Self.classes)
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      Signal.send(path + ".open", "\(getpid())")
      try Signal.wait(for: path + ".close")
      _ = try session.write { try session.create("Item", ["number": 1]) }
    }
    let process = try await Signal.arrival(of: path + ".open")
    let error = storeError { _ = try StoreFile.deleteFiles(at: path) }
    #expect(error?.code == .storeInUse)
    #expect(error?.context.processID == Int32(process))
    #expect(error?.message.contains("process \(process)") == true)
    Signal.send(path + ".close")
    _ = await child
    #expect(try store.contents().list("Item").count == 1)
    #expect(try StoreFile.deleteFiles(at: path))
  }

  @Test func `a store that is being migrated stays`() throws {
    let store = try TestStore(Self.classes)
    let errors = Notes<StoreError>()
    let path = store.path
    let new = [ClassSchema("Item", .key("number"), .required("text", .string, default: "a"))]
    try store.open(new, version: 2) { _, _ in
      if let error = storeError({ _ = try StoreFile.deleteFiles(at: path) }) {
        errors.add(error)
      }
    }
    #expect(errors.all.map(\.code) == [.storeInUse])
    // It was another process.
    #expect(errors.all.first?.context.processID == getpid())
    #expect(try store.contents().version == 2)
  }

  @Test func `the file of another program stays, and a damaged store goes`() throws {
    let store = try TestStore(Self.classes)
    let url = URL(filePath: store.path)
    let sound = try Data(contentsOf: url)
    for text in ["a letter", String(repeating: "a long letter ", count: 2_000)] {
      try Data(text.utf8).write(to: url)
      let error = storeError { _ = try StoreFile.deleteFiles(at: store.path) }
      #expect(error?.code == .notAStore)
      #expect(try Data(contentsOf: url) == Data(text.utf8))
    }
    try FileManager.default.removeItem(at: url)
    try Environment.create(path: store.path, options: .init()) { environment in
      _ = try environment.createTables([TableName("theirs", keys: .bytes)])
    }
    #expect(storeError { _ = try StoreFile.deleteFiles(at: store.path) }?.code == .notAStore)
    #expect(StoreFile.exists(at: store.path))
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let damaged = sound.prefix(2 * page) + Data(count: sound.count - 2 * page)
    for bytes in [damaged, sound.prefix(2 * page), Data()] {
      try bytes.write(to: url)
      #expect(try StoreFile.deleteFiles(at: store.path))
      #expect(!StoreFile.exists(at: store.path))
    }
  }

  @Test func `a folder and a path that leads nowhere are left alone`() throws {
    let store = try TestStore(Self.classes)
    let folder = (store.path as NSString).deletingLastPathComponent
    #expect(storeError { _ = try StoreFile.deleteFiles(at: folder) }?.code == .isDirectory)
    #expect(try !StoreFile.deleteFiles(at: folder + "/none.whimbrel"))
    #expect(try !StoreFile.deleteFiles(at: folder + "/no/folder.whimbrel"))
    #expect(StoreFile.exists(at: store.path))
    #expect(!StoreFile.exists(at: folder))
  }

  @Test func `a symbolic link goes with the store it leads to`() throws {
    let store = try TestStore(Self.classes)
    let link = store.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    #expect(try StoreFile.deleteFiles(at: link))
    #expect(try names(store.path) == [])
    _ = try StoreFile.open(TestStore.request(link, Self.classes, version: 1))
    #expect(StoreFile.exists(at: link))
  }
}
