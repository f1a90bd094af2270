import Foundation
import Synchronization
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// The temporary files beside a store, of living processes and of dead ones.
@Suite struct TemporaryFileTests {
  private static let classes = [ClassSchema("Item", .key("number"))]
  private static let own = ["Test.whimbrel", "Test.whimbrel-lock"]

  private func names(_ store: TestStore) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: (store.path as NSString).deletingLastPathComponent).sorted()
  }

  private func open(_ store: TestStore, _ change: (inout OpenRequest) -> Void = { _ in }) throws {
    var request = TestStore.request(store.path, Self.classes, version: 1)
    change(&request)
    _ = try StoreFile.open(request)
  }

  /// Runs a process that makes a temporary file of each purpose, and a folder, and is killed.
  private func leaveFiles(beside path: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var files: [TemporaryFile] = []
      for purpose in TemporaryFiles.Purpose.allCases {
        let file = try TemporaryFile(purpose, beside: path)
        Signal.send(file.path, "half of a store")
        Signal.send(file.path + "-lock")
        files.append(file)
      }
      files.append(try TemporaryFile(.new, beside: path))
      try FileManager.default.createDirectory(
        atPath: files[files.count - 1].path, withIntermediateDirectories: false)
      Signal.send(files[files.count - 1].path + "/Item.jsonl")
      // Of a process that died after its first step.
      _ = try TemporaryFile(.old, beside: path)
      kill(getpid(), SIGKILL)
    }
  }

  @Test func `the files of a dead process go with the next opening`() async throws {
    let store = try TestStore(Self.classes)
    await leaveFiles(beside: store.path)
    // Each purpose with a lock file, a folder, the owners' file, and the store.
    #expect(try names(store).count == 2 * TemporaryFiles.Purpose.allCases.count + 1 + 1 + 2)
    try open(store)
    #expect(try names(store) == Self.own)
  }

  @Test func `the files of a dead process go with the next temporary file`() async throws {
    let store = try TestStore(Self.classes)
    await leaveFiles(beside: store.path)
    let file = try TemporaryFile(.new, beside: store.path)
    #expect(try names(store) == Self.own + ["Test.whimbrel-owners"])
    file.remove()
    #expect(try names(store) == Self.own)
  }

  @Test func `opening a store to read it removes nothing`() async throws {
    let store = try TestStore(Self.classes)
    await leaveFiles(beside: store.path)
    let before = try names(store)
    try open(store) { $0.isReadOnly = true }
    #expect(try names(store) == before)
  }

  @Test func `the files of a living owner stay, and go with it`() async throws {
    let store = try TestStore(Self.classes)
    let file = try TemporaryFile(.new, beside: store.path)
    Signal.send(file.path, "half of a store")
    Signal.send(file.path + "-lock")
    let living = try names(store)
    await leaveFiles(beside: store.path)
    try open(store)
    #expect(try names(store) == living)
    _ = TemporaryFiles(path: store.path).removeLeftovers(searches: true)
    #expect(try names(store) == living)
    file.remove()
    #expect(try names(store) == Self.own)
  }

  @Test(.oneAtATime) func `the files of another living process stay until it dies`() async throws {
    let store = try TestStore(Self.classes)
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String] in
      let file = try TemporaryFile(.salvage, beside: path)
      Signal.send(file.path, "half of a store")
      Signal.send(path + ".made", file.path)
      try Signal.wait(for: path + ".die")
      kill(getpid(), SIGKILL)
    }
    let made = try await Signal.arrival(of: path + ".made")
    try open(store)
    let other = try TemporaryFile(.new, beside: path)
    other.remove()
    #expect(FileManager.default.fileExists(atPath: made))
    Signal.send(path + ".die")
    _ = await child
    try open(store)
    #expect(!FileManager.default.fileExists(atPath: made))
  }

  @Test func `a file that was moved to its name stays`() throws {
    let store = try TestStore(Self.classes)
    let file = try TemporaryFile(.new, beside: store.path)
    Signal.send(file.path, "whole")
    try FileManager.default.moveItem(atPath: file.path, toPath: store.path + ".made")
    file.remove()
    #expect(try names(store) == ["Test.whimbrel", "Test.whimbrel-lock", "Test.whimbrel.made"])
  }

  @Test func `a link goes, and what it leads to stays`() async throws {
    let store = try TestStore(Self.classes)
    await leaveFiles(beside: store.path)
    let other = store.path + ".precious"
    Signal.send(other, "of another program")
    let (manager, uuid) = (FileManager.default, UUID().uuidString)
    try manager.createSymbolicLink(
      atPath: store.path + ".new-\(uuid)", withDestinationPath: other)
    try open(store)
    #expect(try names(store) == Self.own + ["Test.whimbrel.precious"])
  }

  @Test func `a store opened by a link loses what was left beside its file`() async throws {
    let store = try TestStore(Self.classes)
    let folder = try TestStore(Self.classes)
    let link = folder.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    await leaveFiles(beside: store.path)
    _ = try StoreFile.open(TestStore.request(link, Self.classes, version: 1))
    #expect(try names(store) == Self.own)
  }

  @Test func `a link in place of the owners' file is not followed`() async throws {
    let store = try TestStore(Self.classes)
    let target = store.path + ".target"
    let owners = store.path + "-owners"
    try FileManager.default.createSymbolicLink(atPath: owners, withDestinationPath: target)
    try open(store)
    #expect(throws: LMDBError.self) { _ = try TemporaryFile(.new, beside: store.path) }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  /// The error was that of a missing file. Modes do not bind root, so the child becomes somebody
  /// else.
  @Test func `a folder that may not be written to denies a temporary file`() async throws {
    let store = try TestStore(Self.classes)
    let folder = (store.path as NSString).deletingLastPathComponent
    unsafe chmod(folder, 0o555)
    defer { unsafe chmod(folder, 0o755) }
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      if getuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let error = #expect(throws: LMDBError.self) { _ = try TemporaryFile(.new, beside: path) }
      #expect(error?.code.rawValue == EACCES)
    }
  }

  @Test(
    .enabled(if: getuid() != 0, "the superuser may write everywhere"), arguments: [0o555, 0o333])
  func `a folder that cannot be written or listed is no obstacle`(_ mode: Int) async throws {
    let store = try TestStore(Self.classes)
    await leaveFiles(beside: store.path)
    let folder = (store.path as NSString).deletingLastPathComponent
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    try open(store)
  }

  /// A temporary file of a path that is itself temporary had a name that nobody recognized.
  @Test func `a file beside a temporary one is found beside the store`() async throws {
    let store = try TestStore(Self.classes)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = store.path as String] in
      let outer = try TemporaryFile(.new, beside: path)
      let inner = try TemporaryFile(.new, beside: outer.path)
      Signal.send(outer.path)
      Signal.send(inner.path)
      kill(getpid(), SIGKILL)
    }
    #expect(try names(store).count == 5)
    try open(store)
    #expect(try names(store) == Self.own)
  }

  @Test func `nobody who is making files loses one to those who clean up`() async throws {
    let store = try TestStore(Self.classes)
    let path = store.path
    let lost = Notes<String>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            if number % 4 == 3 {
              TemporaryFiles(path: path).removeLeftovers(searches: number % 8 == 7)
              continue
            }
            do {
              let file = try TemporaryFile(.new, beside: path)
              Signal.send(file.path, "half")
              if !FileManager.default.fileExists(atPath: file.path) { lost.add(file.path) }
              file.remove()
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(lost.all == [])
    #expect(try names(store) == Self.own)
  }
}
