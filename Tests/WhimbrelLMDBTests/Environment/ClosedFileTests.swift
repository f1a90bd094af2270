import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// What is done to a file that nobody has open.
@Suite struct ClosedFileTests {
  @Test func `a file that this process has open is left alone`() throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    var lease: EnvironmentLease? = try file.open()
    #expect(lease?.identity == identity)
    #expect(Environment.whileClosed(identity) { 5 } == nil)
    lease = nil
    #expect(Environment.whileClosed(identity) { 5 } == 5)
  }

  // The last lease may go while a snapshot still has the file.
  @Test func `a snapshot keeps a file open`() throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    let reader = try ReadTransaction(file.open().environment)
    #expect(Environment.whileClosed(identity) { 5 } == nil)
    _ = consume reader
    #expect(Environment.whileClosed(identity) { 5 } == 5)
  }

  @Test func `a file is opened for a while`() throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    let options = EnvironmentTestFile.options()
    let count: Int? = try Environment.whileClosed(identity) {
      try Environment.temporarily(path: file.path, options: options) { environment in
        try environment.fill(0..<30, mark: 1)
        return try environment.marks().count
      }
    }
    #expect(count == 30)
    #expect(try file.environment().marks().count == 30)
  }

  @Test func `who opens a file waits until it may be opened`() async throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    let (path, begun) = (file.path, file.sibling("begun"))
    async let opened: Int = onThread {
      try Signal.wait(for: begun)
      return try Environment.open(path: path).environment.marks().count
    }
    let done: Void? = try Environment.whileClosed(identity) {
      Signal.send(begun)
      usleep(50_000)
      try Environment.temporarily(path: path, options: EnvironmentTestFile.options()) {
        try $0.fill(0..<7, mark: 1)
      }
    }
    #expect(done != nil)
    #expect(try await opened == 7)
  }

  @Test(.oneAtATime)
  func `another process that has a file open is found`() async throws {
    let file = try EnvironmentTestFile()
    let path = file.path
    #expect(try Environment.otherUser(of: path) == nil)
    #expect(try Environment.otherUser(of: file.sibling("none")) == nil)
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let lease = try Environment.open(path: path)
      Signal.send(path + ".\(getpid())")
      Signal.send(path + ".open")
      try Signal.wait(for: path + ".close")
      withExtendedLifetime(lease) {}
    }
    try await Signal.arrival(of: path + ".open")
    let process = try #require(try Environment.otherUser(of: path))
    #expect(FileManager.default.fileExists(atPath: path + ".\(process)"))
    Signal.send(path + ".close")
    _ = await child
    #expect(try Environment.otherUser(of: path) == nil)
  }

  @Test(arguments: [false, true])
  func `something is written together with the removal of tables`(isRead: Bool) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<30, mark: 1)
    // Someone who reads keeps names from being removed.
    var reader: ReadTransaction? = isRead ? try ReadTransaction(environment) : nil
    let before = try environment.information().lastTransaction
    let isGone = try environment.dropTables([EnvironmentTestFile.numbers]) {
      view throws(LMDBError) in try view.put(.main, "also", [1, 2, 3])
    }
    #expect(isGone == !isRead)
    #expect(try environment.information().lastTransaction == before + 1)
    let bytes = try environment.read { view throws(LMDBError) in
      try view.value(.main, "also")?.array
    }
    #expect(bytes == [1, 2, 3])
    reader?.reset()
  }
}
