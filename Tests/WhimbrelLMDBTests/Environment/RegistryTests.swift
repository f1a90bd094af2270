import CWhimbrelLMDB
import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct RegistryTests {
  @Test func `one file is one environment, by whatever path it is opened`() throws {
    let file = try EnvironmentTestFile()
    let symbolic = file.sibling("symbolic")
    try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: file.path)
    let folder = (file.path as NSString).deletingLastPathComponent
    let roundabout = folder + "/../" + (folder as NSString).lastPathComponent + "/./data.mdb"
    let first = try file.open()
    for path in [file.path, symbolic, roundabout] {
      let other = try Environment.open(path: path)
      #expect(other.environment === first.environment, "\(path)")
    }
  }

  /// LMDB puts the lock file beside the path that it is given: two processes
  /// with two lock files do not see each other, and destroy the file.
  @Test func `a file opened by a symbolic link has its lock file beside the file`() throws {
    let file = try EnvironmentTestFile()
    let link = file.sibling("link")
    try FileManager.default.removeItem(atPath: file.path + "-lock")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    let lease = try Environment.open(path: link)
    _ = try lease.environment.marks()
    #expect(FileManager.default.fileExists(atPath: file.path + "-lock"))
    #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
  }

  @Test func `the last lease closes the file`() throws {
    let file = try EnvironmentTestFile()
    weak var environment: Environment?
    do {
      let first = try file.open()
      environment = first.environment
      do {
        let second = try file.open()
        #expect(second.environment === first.environment)
      }
      #expect(environment != nil)
      try first.environment.fill(0..<10, mark: 1)
    }
    #expect(environment == nil)
    let again = try file.open()
    #expect(try again.environment.marks().count == 10)
  }

  @Test func `a file open read-only is not opened for writing beside that`() throws {
    let file = try EnvironmentTestFile()
    var readOnly = Environment.Options()
    readOnly.isReadOnly = true
    do {
      let reader = try Environment.open(path: file.path, options: readOnly)
      #expect(throws: LMDBError(code: .otherSettings, function: "mdb_env_open")) {
        try Environment.open(path: file.path)
      }
      #expect(throws: LMDBError.self) { try WriteTransaction(reader.environment).abort() }
    }
    let writer = try Environment.open(path: file.path)
    let reader = try Environment.open(path: file.path, options: readOnly)
    #expect(reader.environment === writer.environment)
  }

  @Test func `commits wait for the meta page as soon as one opener asks for it`() throws {
    let file = try EnvironmentTestFile()
    var relaxed = Environment.Options()
    relaxed.syncsMetaPage = false
    let first = try Environment.open(path: file.path, options: relaxed)
    func waits() -> Bool {
      var flags: UInt32 = 0
      #expect(unsafe mdb_env_get_flags(first.environment.handle, &flags) == MDB_SUCCESS)
      return flags & UInt32(MDB_NOMETASYNC) == 0
    }
    var readOnly = Environment.Options()
    readOnly.isReadOnly = true
    _ = try Environment.open(path: file.path, options: readOnly)
    #expect(!waits())
    _ = try file.open()
    #expect(waits())
    _ = try Environment.open(path: file.path, options: relaxed)
    #expect(waits())
  }

  @Test func `a file that is not there is an error, and stays away`() throws {
    let file = try EnvironmentTestFile()
    let path = file.sibling("missing.mdb")
    #expect(throws: LMDBError(code: .noSuchFile, function: "stat")) {
      try Environment.open(path: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: LMDBError.self) {
      try Environment.create(path: file.path, options: .init()) { _ in }
    }
  }

  @Test func `leases come and go on many threads`() async throws {
    let file = try EnvironmentTestFile()
    try file.open().environment.fill(0..<100, mark: 7)
    let path = file.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await onThread {
            for _ in 0..<TestRun.count(40, long: 500) {
              let lease = try Environment.open(path: path)
              let found = try lease.environment.marks()
              #expect(found.marks == [7] && found.count == 100)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.open().environment.information().readers <= 8)
  }
}
