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
    #expect(try Environment.whileUnused(file.path, identity) { 5 }.value == nil)
    lease = nil
    #expect(try Environment.whileUnused(file.path, identity) { 5 }.value == 5)
  }

  // The last lease may go while a snapshot still has the file.
  @Test func `a snapshot keeps a file open until it is ended`() throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    var reader = try ReadTransaction(file.open().environment)
    #expect(try Environment.whileUnused(file.path, identity) { 5 }.value == nil)
    reader.end()
    #expect(try Environment.whileUnused(file.path, identity) { 5 }.value == 5)
  }

  @Test func `nothing can be read when a snapshot has ended`() throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    try lease.environment.fill(0..<3, mark: 1)
    let numbers = try lease.environment.openTables([EnvironmentTestFile.numbers])
    let table = try #require(numbers.values.first)
    var reader = try ReadTransaction(lease.environment)
    let cursor = try reader.view.cursor(table)
    #expect(try cursor.move(to: .first))
    reader.end()
    reader.end()
    func expectClosed(_ body: () throws -> Void) {
      #expect(throws: LMDBError.self) { try body() }
      do { try body() } catch { #expect((error as? LMDBError)?.code == .closed) }
    }
    expectClosed { _ = try cursor.move(to: .next) }
    let view = reader.view
    expectClosed { _ = try view.value(table, 1) }
    expectClosed { _ = try view.value(.main, "name") }
    expectClosed { _ = try view.count(table) }
    expectClosed { _ = try view.cursor(table) }
    #expect(view.transactionID == 0)
    #expect(throws: LMDBError.self) { try reader.renew() }
  }

  @Test func `a file is opened for a while`() throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    let options = EnvironmentTestFile.options()
    let count = try Environment.whileUnused(file.path, identity) {
      try Environment.temporarily(path: file.path, options: options) { environment in
        try environment.fill(0..<30, mark: 1)
        return try environment.marks().count
      }
    }
    #expect(count.value == 30)
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
    let done = try Environment.whileUnused(file.path, identity) {
      Signal.send(begun)
      usleep(50_000)
      try Environment.temporarily(path: path, options: EnvironmentTestFile.options()) {
        try $0.fill(0..<7, mark: 1)
      }
    }
    #expect(done.value != nil)
    #expect(try await opened == 7)
  }

  @Test func `another file at the path is left alone`() throws {
    let file = try EnvironmentTestFile()
    let other = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: other.path))
    for path in [file.path, file.sibling("none")] {
      let outcome = try Environment.whileUnused(path, identity) {}
      guard case .elsewhere = outcome else {
        Issue.record("\(outcome)")
        continue
      }
    }
  }

  // LMDB makes a file where none is: an empty one stood in the place of one that was moved.
  @Test func `opening a file that is moved away meanwhile makes none`() async throws {
    let file = try EnvironmentTestFile()
    let identity = try #require(FileIdentity(path: file.path))
    let (path, begun) = (file.path, file.sibling("begun"))
    async let opened: LMDBError? = onThread {
      try Signal.wait(for: begun)
      do {
        _ = try Environment.open(path: path)
        return nil
      } catch {
        return error as? LMDBError
      }
    }
    _ = try Environment.whileUnused(file.path, identity) {
      Signal.send(begun)
      usleep(50_000)
      _ = unsafe rename(path, file.sibling("moved"))
    }
    #expect(try await opened?.code == .noSuchFile)
    #expect(!FileManager.default.fileExists(atPath: path))
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

extension Environment.Exclusion {
  /// The result, or nil when nothing was done.
  fileprivate var value: Result? {
    if case .done(let result) = self { result } else { nil }
  }
}
