import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// A transaction that several writers share.
@Suite(.mustEnd) struct WriteGroupTests {
  @Test(arguments: [false, true])
  func `nested writes are kept or undone alone, and the group is one commit`(
    _ verifiesPaths: Bool
  ) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    environment.verifiesWritePaths = verifiesPaths
    let words = try environment.words
    try environment.fill(0..<200, mark: 1)
    let before = try environment.information().lastTransaction
    let old = try environment.read { view throws(LMDBError) in try view.count(words) }
    let group = try WriteGroup(environment)
    for number in UInt8(0)..<20 {
      let nested = try group.nested()
      try nested.view.put(words, "word \(number)", [number])
      let count = try nested.view.reading.count(words)
      #expect(count == old + (Int(number) + 1) / 2 + 1)
      if number % 2 == 0 { try nested.commit() } else { nested.abort() }
      #expect(try environment.read { view throws(LMDBError) in try view.count(words) } == old)
    }
    try group.commit()
    #expect(try environment.information().lastTransaction == before + 1)
    let kept = try environment.read { view throws(LMDBError) in
      try (UInt8(0)..<20).map { number throws(LMDBError) in
        try view.value(words, "word \(number)")?.array
      }
    }
    #expect(kept == (UInt8(0)..<20).map { $0 % 2 == 0 ? [$0] : nil })
    #expect(try FileStructure.inspect(path: file.path).checkSeal())
  }

  @Test func `a nested write that empties a table and is undone leaves the entries of others`()
    throws
  {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let numbers = try environment.numbers
    try environment.fill(0..<5_000, mark: 1)
    let group = try WriteGroup(environment)
    let first = try group.nested()
    try first.view.remove(numbers, UInt64(7))
    try first.commit()
    let second = try group.nested()
    try second.view.empty(numbers)
    try second.view.put(numbers, key(9), [1])
    second.abort()
    let third = try group.nested()
    #expect(try third.view.reading.count(numbers) == 4_999)
    try third.commit()
    try group.commit()
    #expect(try environment.marks().count == 4_999)
  }

  @Test func `the thread that has the turn is the one that writes`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let words = try environment.words
    let group = try WriteGroup(environment)
    #expect(environment.isWritingOnThisThread)
    let isOver = DispatchSemaphore(value: 0)
    let seen = Mutex<[Bool]>([])
    let thread = Thread {
      do {
        let before = environment.isWritingOnThisThread
        let nested = try group.nested()
        let during = environment.isWritingOnThisThread
        try nested.view.put(words, "word", [1])
        let isRefused = (try? WriteTransaction(environment).abort()) == nil
        try nested.commit()
        seen.withLock { $0 = [before, during, isRefused, environment.isWritingOnThisThread] }
      } catch {
        Issue.record(error)
      }
      isOver.signal()
    }
    thread.start()
    isOver.wait()
    #expect(seen.withLock { $0 } == [false, true, true, false])
    #expect(environment.isWritingOnThisThread)
    try group.commit()
    #expect(!environment.isWritingOnThisThread)
    try environment.fill(0..<1, mark: 1)
  }

  @Test func `a group that is aborted or goes away lets others write`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let words = try environment.words
    for isExplicit in [true, false] {
      let group = try WriteGroup(environment)
      let nested = try group.nested()
      try nested.view.put(words, "word", [1])
      try nested.commit()
      if isExplicit { group.abort() }
    }
    #expect(try environment.read { view throws(LMDBError) in try view.count(words) } == 0)
    try environment.fill(0..<1, mark: 1)
  }

  @Test func `a nested write that does not fit is undone alone`() throws {
    let size = 256 << 10
    let file = try EnvironmentTestFile(mapSize: size)
    let environment = try file.environment(mapSize: size)
    let numbers = try environment.numbers
    let value = [UInt8](repeating: 1, count: 1_000)
    let group = try WriteGroup(environment)
    let first = try group.nested()
    try first.view.put(numbers, key(1), value)
    try first.commit()
    let second = try group.nested()
    let error = #expect(throws: LMDBError.self) {
      for number in UInt64(2)..<1_000 { try second.view.put(numbers, key(number), value) }
    }
    #expect(error?.code == .mapFull)
    second.abort()
    let third = try group.nested()
    try third.view.put(numbers, key(2), value)
    try third.commit()
    try group.commit()
    #expect(try environment.read { view throws(LMDBError) in try view.count(numbers) } == 2)
  }

  private func key(_ number: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }

  @Test func `a group that is older than a table is outdated`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let group = try WriteGroup(environment)
    _ = try environment.openTables([EnvironmentTestFile.words])
    #expect(throws: WriteGroup.Outdated.self) { try group.nested().abort() }
    group.abort()
    let next = try WriteGroup(environment)
    try next.nested().abort()
    next.abort()
  }

  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  // Without the line, a thread that writes in a loop kept others waiting for seconds.
  //
  // Not asynchronous: after a suspension the test may go on on another thread, and a group ends on
  // the thread that began it.
  @Test func `writers of a process write in the order of their arrival`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let order = Order()
    let writers = DispatchGroup()
    let first = try WriteGroup(environment)
    for number in 0..<8 {
      writers.enter()
      Thread.detachNewThread {
        do {
          try environment.write { _ throws(LMDBError) in
            order.numbers.withLock { $0.append(number) }
          }
        } catch {
          Issue.record(error)
        }
        writers.leave()
      }
      while environment.writer.line.count <= number { Thread.sleep(forTimeInterval: 0.001) }
    }
    #expect(environment.hasWaitingWriters)
    first.abort()
    writers.wait()
    #expect(order.numbers.withLock { $0 } == Array(0..<8))
    #expect(!environment.hasWaitingWriters)
  }

  #if os(Linux)
    @Test func `the writing thread is known`() throws {
      let file = try EnvironmentTestFile()
      let environment = try file.environment()
      #expect(environment.currentWriter() == nil)
      let transaction = try WriteTransaction(environment)
      let writer = try #require(environment.currentWriter())
      #expect(writer.processID == getpid())
      #expect(FileManager.default.fileExists(atPath: "/proc/self/task/\(writer.threadID)"))
      transaction.abort()
      #expect(environment.currentWriter() == nil)
    }
  #endif
}
