import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct CopyTests {
  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
    let rounds = Atomic<Int>(0)
  }

  @Test(arguments: [false, true])
  func `a copy holds what the file holds`(isCompacted: Bool) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<2_000, mark: 1)
    try environment.fill(0..<1_000, bytes: 300, mark: 1)
    let copy = file.sibling("copy.mdb")
    try environment.copy(to: copy, isCompacted: isCompacted)
    let structure = try FileStructure.inspect(path: copy)
    let pages = try structure.checkPages()
    if isCompacted { #expect(pages.freePages == 0) }
    let found = try Environment.open(path: copy).environment.marks()
    #expect(found.marks == [1] && found.count == 2_000)
  }

  @Test(arguments: [false, true])
  func `nothing is copied over a file that is there`(isCompacted: Bool) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let copy = file.sibling("copy.mdb")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: copy))
    #expect(throws: LMDBError(code: .init(rawValue: EEXIST), function: "open")) {
      try environment.copy(to: copy, isCompacted: isCompacted)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("mine".utf8))
    #expect(throws: LMDBError(code: .noSuchFile, function: "open")) {
      try environment.copy(to: file.sibling("no folder") + "/copy.mdb", isCompacted: isCompacted)
    }
  }

  @Test func `copies made under write load are whole`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let environment = lease.environment
    try environment.fill(0..<500, mark: 0)
    let isDone = Flag()
    async let writer: Int = onThread {
      var round = 0
      while !isDone.isSet.load(ordering: .relaxed) {
        round += 1
        isDone.rounds.store(round, ordering: .relaxed)
        // All entries change in one commit, so that a mixture shows.
        try environment.fill(0..<500, bytes: 50 + round % 7 * 40, mark: UInt8(round % 251))
      }
      return round
    }
    // The loop does not let go of its thread, and the writer may need that to begin.
    while isDone.rounds.load(ordering: .relaxed) == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    let copies = TestRun.isLong ? 200 : 12
    var number = 0
    while number < copies || isDone.rounds.load(ordering: .relaxed) < copies {
      number += 1
      let copy = file.sibling("copy\(number).mdb")
      try environment.copy(to: copy, isCompacted: number % 2 == 0)
      _ = try FileStructure.inspect(path: copy).checkPages()
      let found = try Environment.open(path: copy).environment.marks()
      #expect(found.marks.count == 1 && found.count == 500)
    }
    isDone.isSet.store(true, ordering: .relaxed)
    #expect(try await writer > 1)
  }

  /// LMDB takes the writers' lock for a copy that keeps free pages, and would
  /// wait for itself.
  @Test(.mustEnd)
  func `a copy inside of a write on the same thread is an error`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let transaction = try WriteTransaction(environment)
    let copy = file.sibling("copy.mdb")
    #expect(throws: LMDBError(code: .nestedWrite, function: "mdb_env_copyfd2")) {
      try environment.copy(to: copy, isCompacted: false)
    }
    #expect(!FileManager.default.fileExists(atPath: copy))
    transaction.abort()
  }
}
