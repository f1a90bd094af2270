import Foundation
import Testing

@testable import WhimbrelLMDB

/// Readers that cannot write the lock file, because others have the file on a mount that they can
/// write, or are other users.
///
/// A container had a folder mounted read-only that another one wrote. Its reader ignored locks, so
/// the writer did not see its snapshots and reused their pages: the reader got values of two
/// commits at once, and reported a sound file as damaged.
@Suite struct UnlockedReaderTests {
  /// Opens a file as a reader without a slot does. Its environment does not use the lock file, so
  /// this process can have another one.
  private func unlocked<Result>(
    _ file: EnvironmentTestFile, _ body: (Environment) throws -> Result
  ) throws -> Result {
    var options = EnvironmentTestFile.options()
    (options.isReadOnly, options.ignoresLocks) = (true, true)
    return try Environment.temporarily(path: file.path, options: options, body)
  }

  @Test func `a reader without a slot keeps its pages while others write`() throws {
    let file = try EnvironmentTestFile()
    let writer = try file.environment()
    try writer.fill(0..<500, mark: 1)
    try unlocked(file) { environment in
      let table = try environment.numbers
      var reader = try ReadTransaction(environment)
      for mark in UInt8(2)..<60 { try writer.fill(0..<500, mark: mark) }
      let seen = try reader.view.marks(table)
      #expect(seen.marks == [1] && seen.count == 500)
      try reader.renew()
      #expect(try reader.view.marks(table).marks == [59])
    }
  }

  @Test func `readers without slots that follow a writer do not let the file grow`() throws {
    let file = try EnvironmentTestFile()
    let writer = try file.environment()
    try writer.fill(0..<500, mark: 1)
    try unlocked(file) { environment in
      let table = try environment.numbers
      var readers = [try SharedSnapshot(ReadTransaction(environment))]
      var reader = try ReadTransaction(environment)
      for mark in UInt8(2)..<250 {
        try writer.fill(0..<500, mark: mark)
        if mark == 20 { readers = [] }
        try reader.renew()
        let seen = try reader.view.marks(table)
        #expect(seen.marks == [mark] && seen.count == 500)
      }
      #expect(readers.isEmpty)
    }
    // Each of the 248 commits would take some 15 pages more.
    let pages = try writer.information().lastPage
    #expect(pages < 600, "\(pages) pages")
    #expect(!writer.keptSnapshots.isEmpty)
    try writer.fill(0..<1, mark: 0)
    #expect(writer.keptSnapshots.isEmpty)
  }

  /// The file of such a reader was not watched, so its observers heard nothing.
  @Test func `a reader without a slot hears the commits of others`() throws {
    let file = try EnvironmentTestFile()
    let writer = try file.environment()
    try unlocked(file) { environment in
      let waiter = environment.commitSignals.makeWaiter()
      try writer.fill(0..<10, mark: 1)
      #expect(waiter.wait(until: .now + .seconds(600)) == .commit)
    }
  }

  @Test func `a process that does not write any more does not keep pages for longer`() throws {
    let file = try EnvironmentTestFile()
    let writer = try file.environment()
    try writer.fill(0..<10, mark: 1)
    var snapshot = try ReadTransaction(writer)
    try unlocked(file) { environment in
      let reader = try ReadTransaction(environment)
      try writer.fill(0..<10, mark: 2)
      #expect(!writer.keptSnapshots.isEmpty)
      _ = consume reader
    }
    try snapshot.renew()
    #expect(writer.keptSnapshots.isEmpty)
  }
}
