import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct TableTests {
  private func word(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `tables are made once, opened by name, and listed`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let names = (0..<20).map { TableName("t\($0)", keys: $0 % 2 == 0 ? .integers : .bytes) }
    let made = try environment.createTables(names)
    #expect(Set(made.values).count == 20)
    #expect(try environment.createTables(names) == made)
    #expect(try environment.openTables(names) == made)
    #expect(try environment.openTables([TableName("none", keys: .bytes)]).isEmpty)
    try environment.write { view throws(LMDBError) in try view.put(.main, "a value", [1, 2, 3]) }
    #expect(
      try environment.tableNames() == (names.map(\.name) + ["numbers", "words"]).sorted())
    #expect(try environment.tableNames() == (names.map(\.name) + ["numbers", "words"]).sorted())
  }

  // A migration of 2,050 tables left as many old ones. Listing them needed more handles than there
  // are, so the old tables were never removed, and the store could not be opened again.
  @Test func `more tables are listed than can be open`() throws {
    let file = try EnvironmentTestFile()
    let names = (0..<4_500).map { TableName("t\($0)", keys: .bytes) }
    _ = try file.open().environment.createTables(Array(names.prefix(3_000)))
    _ = try file.open().environment.createTables(Array(names.suffix(1_500)))
    let environment = try file.environment()
    let expected = (names.map(\.name) + ["numbers", "words"]).sorted()
    #expect(try environment.tableNames() == expected)
    _ = try environment.openTables(Array(names.prefix(3_000)))
    #expect(try environment.tableNames() == expected)
  }

  @Test func `listing tables that are not open opens none for good`() throws {
    let file = try EnvironmentTestFile()
    let names = (0..<50).map { TableName("t\($0)", keys: .bytes) }
    _ = try file.open().environment.createTables(names)
    let environment = try file.environment()
    for _ in 0..<100 { #expect(try environment.tableNames().count == 52) }
    let words = try environment.words
    try environment.write { view throws(LMDBError) in try view.put(words, "k", [1]) }
    #expect(try environment.read { view throws(LMDBError) in try view.count(words) } == 1)
  }

  /// LMDB closes the handle of a dropped table before the commit; the next table
  /// then gets its number, and a reader that still has it reads that one's rows.
  @Test func `a reader never sees another table's rows after a drop`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    let old = try environment.numbers
    let reader = try ReadTransaction(environment)
    let removed = try environment.dropTables([EnvironmentTestFile.numbers])
    #expect(!removed, "the name went while a reader was alive")
    let name = TableName("other", keys: .integers)
    let other = try #require(try environment.createTables([name])["other"])
    try environment.write { view throws(LMDBError) in
      for key in 0..<100 {
        try PageBytes.with([2, 2]) { value throws(LMDBError) in
          _ = try view.put(other, UInt64(key), value)
        }
      }
    }
    let seen = try reader.view.marks(old)
    #expect(seen.marks == [1] && seen.count == 100)
    _ = consume reader
    let after = try environment.read { view throws(LMDBError) in try view.marks(old) }
    #expect(after.count == 0)
  }

  @Test func `a drop with nobody about removes the name and voids handles`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    let epoch = environment.tableEpoch
    #expect(try environment.dropTables([EnvironmentTestFile.numbers]))
    #expect(environment.tableEpoch != epoch)
    #expect(try environment.tableNames() == ["words"])
    #expect(try environment.openTables([EnvironmentTestFile.numbers]).isEmpty)
    #expect(try environment.dropTables([EnvironmentTestFile.numbers]))
    _ = try environment.createTables([EnvironmentTestFile.numbers])
    #expect(try environment.marks().count == 0)
  }

  @Test func `tables are opened and made from many threads at once`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let environment = lease.environment
    let names = (0..<40).map { TableName("t\($0)", keys: .bytes) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          try await onThread {
            for (number, name) in names.enumerated() {
              let found = try environment.createTables([name])
              let table = try #require(found[name.name])
              try environment.write { view throws(LMDBError) in
                try view.put(table, "worker \(worker)", [UInt8(number)])
              }
              #expect(try environment.openTables([name]) == found)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for (number, name) in names.enumerated() {
      let table = try environment.table(name)
      let values = try environment.read { view throws(LMDBError) in try view.marks(table) }
      #expect(values.marks == [UInt8(number)] && values.count == 6)
    }
  }

  /// Dropping holds the gate and wants the tables; opening holds the tables and
  /// wants the gate. In the wrong order both wait for ever.
  @Test(.mustEnd)
  func `dropping and opening tables at once ends`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let environment = lease.environment
    let rounds = TestRun.isLong ? 2_000 : 150
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await onThread {
          let name = TableName("dropped", keys: .bytes)
          for _ in 0..<rounds {
            _ = try environment.createTables([name])
            try environment.dropTables([name])
          }
        }
      }
      for worker in 0..<3 {
        group.addTask {
          try await onThread {
            for round in 0..<rounds {
              _ = try environment.openTables([TableName("none \(worker) \(round)", keys: .bytes)])
              _ = try environment.tableNames()
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// A thread that writes may open tables, while another waits to write so as to
  /// make some: the one must not hold what the other needs.
  @Test(.mustEnd)
  func `a writer opens tables while another thread is about to make some`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let environment = lease.environment
    let (begun, path) = (file.sibling("begun"), file.path)
    async let maker: Void = onThread {
      try Signal.wait(for: begun)
      _ = try environment.createTables([TableName("new", keys: .bytes)])
    }
    try await onThread {
      let lease = try Environment.open(path: path)
      let transaction = try WriteTransaction(lease.environment)
      Signal.send(begun)
      usleep(100_000)
      _ = try lease.environment.openTables([TableName("none", keys: .bytes)])
      try transaction.commit()
    }
    try await maker
    #expect(try environment.tableNames() == ["new", "numbers", "words"])
  }

  @Test(.mustEnd)
  func `readers go on while a drop waits for the writer of another process`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    let (begun, done, ended) = (
      file.sibling("begun"), file.sibling("done"), file.sibling("ended")
    )
    let path = file.path
    // An environment of LMDB's own has nothing in common with this one but the file.
    async let writer: Void = onThread {
      try StructureTestFile(path: path).write { _ in
        Signal.send(begun)
        for _ in 0..<60_000 where !FileManager.default.fileExists(atPath: done) { usleep(10_000) }
        Signal.send(ended)
        return false
      }
    }
    async let isDropped = onThread {
      try Signal.wait(for: begun)
      return try environment.dropTables([EnvironmentTestFile.numbers])
    }
    try await onThread {
      try Signal.wait(for: begun)
      usleep(100_000)
      #expect(try environment.tableNames() == ["numbers", "words"])
      #expect(!FileManager.default.fileExists(atPath: ended), "the reader waited for the writer")
      Signal.send(done)
    }
    try await writer
    #expect(try await isDropped)
    #expect(try environment.tableNames() == ["words"])
  }
}
