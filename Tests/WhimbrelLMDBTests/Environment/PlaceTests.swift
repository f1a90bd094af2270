import Foundation
import Testing

@testable import WhimbrelLMDB

/// Files that another process may use with another lock file.
///
/// With two lock files, two processes write at the same time: of 50,000 increments 12,310 were
/// lost, and the file was damaged.
@Suite struct PlaceTests {
  private func write(_ environment: Environment) throws(LMDBError) {
    try environment.write { view throws(LMDBError) in
      try PageBytes.with([1]) { value throws(LMDBError) in
        _ = try view.put(.main, Array("key".utf8), value.array)
      }
    }
  }

  private func code(_ body: () throws(LMDBError) -> Void) -> LMDBError.Code? {
    do throws(LMDBError) { try body() } catch { return error.code }
    return nil
  }

  @Test func `a file with two names is not opened`() throws {
    let file = try EnvironmentTestFile()
    try FileManager.default.linkItem(atPath: file.path, toPath: file.sibling("other.mdb"))
    for path in [file.path, file.sibling("other.mdb")] {
      #expect(code { () throws(LMDBError) in _ = try Environment.open(path: path) } == .hardLinked)
    }
    unsafe unlink(file.sibling("other.mdb"))
    try write(file.environment())
  }

  @Test func `an open file that gets a second name is not written`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try write(environment)
    try FileManager.default.linkItem(atPath: file.path, toPath: file.sibling("other.mdb"))
    #expect(code { () throws(LMDBError) in try write(environment) } == .hardLinked)
    #expect(
      code { () throws(LMDBError) in _ = try Environment.open(path: file.path) } == .hardLinked)
    unsafe unlink(file.sibling("other.mdb"))
    try write(environment)
  }

  @Test(arguments: [true, false])
  func `a file whose lock file is gone is not written`(_ isReplaced: Bool) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try write(environment)
    try FileManager.default.moveItem(atPath: file.path + "-lock", toPath: file.sibling("kept"))
    if isReplaced {
      try FileManager.default.copyItem(atPath: file.sibling("kept"), toPath: file.path + "-lock")
    }
    #expect(code { () throws(LMDBError) in try write(environment) } == .lockFileReplaced)
    #expect(
      code { () throws(LMDBError) in _ = try Environment.open(path: file.path) }
        == .lockFileReplaced)
    // Reading goes on.
    _ = try environment.read { view throws(LMDBError) in
      try view.value(.main, Array("key".utf8))?.count
    }
  }

  /// The second process was allowed to open the file. It did not see the snapshots of the first and
  /// reused their pages, so the first reported damage in a sound file. It could also delete the file
  /// as one that nobody has open. The same happened when the file itself was mounted at a second
  /// path, as in a container: each path has a lock file, and of two writers' commits half were lost.
  @Test func `a file whose lock file is gone is not opened or removed by others`() async throws {
    let file = try EnvironmentTestFile()
    do {
      let lease = try file.open()
      try write(lease.environment)
      unsafe unlink(file.path + "-lock")
      await #expect(processExitsWith: .success) { [path = file.path as String] in
        #expect(throws: LMDBError(code: .otherLockFile, function: "mdb_env_open")) {
          _ = try Environment.open(path: path)
        }
        let identity = try #require(FileIdentity(path: path))
        guard case .inUse = try Environment.whileUnused(path, identity, {}) else { exit(3) }
      }
    }
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      _ = try Environment.open(path: path)
    }
    try write(file.environment())
  }

  @Test(arguments: ["deleted", "moved", "replaced"])
  func `a file that is not at its path any more is not written`(_ change: String) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try write(environment)
    try FileManager.default.moveItem(atPath: file.path, toPath: file.sibling("moved.mdb"))
    if change == "deleted" { unsafe unlink(file.sibling("moved.mdb")) }
    if change == "replaced" {
      try FileManager.default.copyItem(atPath: file.sibling("moved.mdb"), toPath: file.path)
    }
    #expect(code { () throws(LMDBError) in try write(environment) } == .fileReplaced)
    #expect(
      code { () throws(LMDBError) in
        _ = try environment.createTables([TableName("new", keys: .bytes)])
      } == .fileReplaced)
  }

  @Test func `a lock file that goes during a write keeps it from being committed`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let before = try environment.information().lastTransaction
    #expect(
      code { () throws(LMDBError) in
        let transaction = try WriteTransaction(environment)
        try transaction.view.put(.main, Array("key".utf8), [1])
        unsafe unlink(file.path + "-lock")
        try transaction.commit()
      } == .lockFileReplaced)
    #expect(try environment.information().lastTransaction == before)
    #expect(!environment.isWritingOnThisThread)
    #expect(code { () throws(LMDBError) in try write(environment) } == .lockFileReplaced)
  }

  @Test func `opening waits until a new file has only its own name`() async throws {
    let file = try EnvironmentTestFile(name: "new.mdb")
    let path = file.sibling("data.mdb")
    let temporary = file.path
    // Its lock file belongs to the other name.
    unsafe unlink(temporary + "-lock")
    async let opened: Void = onThread {
      while FileIdentity(path: path) == nil { usleep(100) }
      _ = try Environment.open(path: path)
    }
    #expect(try Environment.giveName(path, to: temporary) { usleep(50_000) })
    try await opened
    #expect(FileIdentity(path: temporary) == nil)
  }

  @Test func `a new file does not take over the lock file of a deleted one that is open`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try write(environment)
    unsafe unlink(file.path)
    let other = try EnvironmentTestFile(name: "new.mdb")
    #expect(try Environment.giveName(file.path, to: other.path))
    let lease = try Environment.open(path: file.path)
    #expect(lease.environment.place?.lockFile != environment.place?.lockFile)
    try write(lease.environment)
    #expect(code { () throws(LMDBError) in try write(environment) } == .fileReplaced)
  }

  /// LMDB: closing either file would drop the locks of both.
  @Test func `a file that replaces one that is open is opened when that is closed`() throws {
    let (file, other) = (try EnvironmentTestFile(), try EnvironmentTestFile(name: "other.mdb"))
    do {
      let lease = try file.open()
      try write(lease.environment)
      #expect(unsafe rename(other.path, file.path) == 0)
      #expect(
        code { () throws(LMDBError) in _ = try Environment.open(path: file.path) } == .fileReplaced)
      #expect(try lease.environment.marks().count == 0)
    }
    try write(file.environment())
  }

  @Test func `a file that replaces one that another process has open is not opened`() async throws {
    let (file, other) = (try EnvironmentTestFile(), try EnvironmentTestFile(name: "other.mdb"))
    do {
      let lease = try file.open()
      for mark in UInt8(1)..<10 { try lease.environment.fill(0..<10, mark: mark) }
      #expect(unsafe rename(other.path, file.path) == 0)
      await #expect(processExitsWith: .success) { [path = file.path as String] in
        #expect(throws: LMDBError(code: .fileReplaced, function: "mdb_env_open")) {
          try Environment.open(path: path)
        }
      }
      #expect(try lease.environment.marks().marks == [9])
    }
    try write(file.environment())
  }
}
