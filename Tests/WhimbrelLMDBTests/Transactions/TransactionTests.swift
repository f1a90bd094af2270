import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct TransactionTests {
  @Test func `a second write on the same thread is an error and no deadlock`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let nested = LMDBError(code: .nestedWrite, function: "mdb_txn_begin")
    let transaction = try WriteTransaction(environment)
    #expect(throws: nested) { try WriteTransaction(environment).abort() }
    #expect(throws: nested) { try environment.write { _ throws(LMDBError) in } }
    #expect(throws: nested) {
      try environment.createTables([TableName("new", keys: .bytes)])
    }
    transaction.abort()
    try environment.fill(0..<1, mark: 1)
  }

  @Test func `writers on other threads wait for each other`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let environment = lease.environment
    let words = try environment.words
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread {
            for _ in 0..<25 {
              try environment.write { view throws(LMDBError) in
                let old = try view.reading.value(words, "count")?.array.first ?? 0
                try view.put(words, "count", [old + 1])
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try environment.read { view throws(LMDBError) in
      try view.value(words, "count")?.array
    }
    #expect(count == [100])
  }

  @Test func `a snapshot stays as it is until it is renewed`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    let table = try environment.numbers
    var reader = try ReadTransaction(environment)
    for mark in UInt8(2)...20 { try environment.fill(0..<100, mark: mark) }
    #expect(try reader.view.marks(table).marks == [1])
    try reader.renew()
    #expect(try reader.view.marks(table).marks == [20])
    reader.reset()
    reader.reset()
    let isActive = reader.isActive
    #expect(!isActive)
    try reader.renew()
    try reader.renew()
    let isActiveAgain = reader.isActive
    #expect(isActiveAgain)
    _ = consume reader
    // Every entry into the gate has been left.
    try environment.grow(to: environment.information().mapSize + 4_096, patience: .zero)
  }

  // An ended snapshot is renewed for the next one, which must not see tables as the first one did.
  @Test func `new snapshots see the tables that were made and dropped since`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    func expect(_ mark: UInt8, in table: Table) throws {
      let first = try ReadTransaction(environment)
      let second = try ReadTransaction(environment)
      let third = try ReadTransaction(environment)
      #expect(try first.view.value(table, "key")?.array == [mark])
      #expect(try second.view.value(table, "key")?.array == [mark])
      #expect(try third.view.value(table, "key")?.array == [mark])
    }
    for mark in UInt8(1)...20 {
      let name = TableName("table \(mark)", keys: .bytes)
      let table = try #require(try environment.createTables([name])[name.name])
      for value in [mark, mark + 100] {
        try environment.write { view throws(LMDBError) in try view.put(table, "key", [value]) }
        try expect(value, in: table)
      }
      #expect(try environment.dropTables([name]))
      #expect(try environment.openTables([name]).isEmpty)
    }
    // Each slot is used again.
    #expect(try environment.information().readers <= 4)
    try environment.grow(to: environment.information().mapSize + 4_096, patience: .zero)
  }

  @Test func `what is aborted or thrown was never written`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let words = try environment.words
    let transaction = try WriteTransaction(environment)
    try transaction.view.put(words, "a", [1])
    transaction.abort()
    #expect(throws: LMDBError.self) {
      try environment.write { view throws(LMDBError) in
        try view.put(words, "b", [1])
        throw LMDBError(code: .inputOutput, function: "test")
      }
    }
    #expect(try environment.read { view throws(LMDBError) in try view.count(words) } == 0)
    try environment.grow(to: environment.information().mapSize + 4_096, patience: .zero)
  }

  @Test func `cursors may go away after their transaction`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    let table = try environment.numbers
    var kept: [Cursor] = []
    for isCommitted in [true, false] {
      let transaction = try WriteTransaction(environment)
      kept.append(try transaction.view.reading.cursor(table))
      #expect(try kept[kept.count - 1].move(to: .last))
      if isCommitted { try transaction.commit() } else { transaction.abort() }
    }
    var reader = try ReadTransaction(environment)
    kept.append(try reader.view.cursor(table))
    reader.reset()
    kept.append(
      try {
        let reader = try ReadTransaction(environment)
        let cursor = try reader.view.cursor(table)
        #expect(try cursor.move(to: .first))
        return cursor
      }())
    kept.removeAll()
    #expect(try environment.marks().count == 100)
  }

  @Test func `a cursor whose write has ended does not move`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    let transaction = try WriteTransaction(environment)
    let cursor = try transaction.view.reading.cursor(environment.numbers)
    transaction.abort()
    let ended = LMDBError(code: .badTransaction, function: "mdb_cursor_get")
    #expect(throws: ended) { try cursor.move(to: .first) }
    #expect(throws: ended) { try cursor.seek(to: 1) }
    #expect(throws: ended) { try cursor.seek(atLeast: [1]) }
    #expect(throws: LMDBError(code: .badTransaction, function: "mdb_cursor_put")) {
      try PageBytes.with([1]) { value throws(LMDBError) in try cursor.replace(1, value) }
    }
  }

  @Test func `keys that LMDB cannot hold are errors`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let words = try environment.words
    for length in [0, 512, 70_000] {
      let key = [UInt8](repeating: 1, count: length)
      #expect(throws: LMDBError(code: .badValueSize, function: "mdb_put")) {
        try environment.write { view throws(LMDBError) in _ = try view.put(words, key, [1]) }
      }
      let found = try? environment.read { view throws(LMDBError) in
        try view.value(words, key)?.array
      }
      #expect(found == nil)
    }
    try environment.write { view throws(LMDBError) in
      #expect(try view.put(words, [UInt8](repeating: 1, count: 511), [], .ifAbsent))
      #expect(try !view.put(words, [UInt8](repeating: 1, count: 511), [2], .ifAbsent))
      #expect(throws: LMDBError(code: .keyExists, function: "mdb_put")) {
        // Before the last: appending must not break the order.
        try view.put(words, [0], [], .atEnd)
      }
    }
  }
}
