import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct PageReadingTests {
  @Test(arguments: [(1, 0), (2, 1), (3, 12), (4, 300), (5, 1_000), (6, 4_000)] as [(UInt64, Int)])
  func `pages give what LMDB gives`(seed: UInt64, scale: Int) throws {
    let file = try EnvironmentTestFile()
    try file.fillAtRandom(seed: seed, scale: scale)
    let environment = try file.environment()
    let transaction = try ReadTransaction(environment)
    let (view, pages) = (transaction.viewThroughLMDB, transaction.pages)
    #expect(pages.transactionID == view.transactionID)
    var random = SeededGenerator(seed: seed)
    for table in [try environment.numbers, try environment.words, .main] {
      let expected = try view.entries(table)
      #expect(try pages.entries(table) == expected, "seed \(seed)")
      #expect(try pages.statistics(table) == view.statistics(table))
      try expectEqualSteps(view.cursor(table), pages.cursor(table), random: &random, seed)
      for entry in expected {
        #expect(try pages.value(table, entry.key)?.array == entry.value, "seed \(seed)")
      }
      for _ in 0..<scale {
        let key = table.keys == .integers ? random.bytes(8) : random.bytes(random.number(1..<40))
        #expect(try pages.value(table, key)?.array == view.value(table, key)?.array)
      }
    }
  }

  /// Moves two cursors alike, many times.
  private func expectEqualSteps(
    _ cursor: Cursor, _ other: PageCursor, random: inout SeededGenerator, _ seed: UInt64
  ) throws {
    var isInside = false
    for _ in 0..<3_000 {
      let found: (Bool, Bool)
      switch random.number(0..<100) {
      case 0..<3: found = (try cursor.move(to: .first), try other.move(to: .first))
      case 3..<6: found = (try cursor.move(to: .last), try other.move(to: .last))
      case 6..<25:
        let key = UInt64(random.number(0..<20_000)) &* 0x1_0001 &- UInt64(random.number(0..<3))
        found = (try cursor.seek(atLeast: key), try other.seek(atLeast: key))
      case 25..<35:
        let key = UInt64(random.number(0..<20_000)) &* 0x1_0001
        found = (try cursor.seek(to: key), try other.seek(to: key))
      case 35..<70 where isInside: found = (try cursor.move(to: .next), try other.move(to: .next))
      case 70... where isInside:
        found = (try cursor.move(to: .previous), try other.move(to: .previous))
      default: continue
      }
      isInside = found.0
      try #require(found.0 == found.1, "seed \(seed)")
      guard isInside else { continue }
      try #require(cursor.key.array == other.key.array, "seed \(seed)")
      try #require(cursor.value.array == other.value.array, "seed \(seed)")
      #expect(cursor.integerKey == other.integerKey)
    }
  }

  // A search looks first where a key would be if all were spread evenly.
  @Test(arguments: ["dense", "holes", "clusters", "squares", "powers", "ends"])
  func `numbers are found however they are spread`(_ spread: String) throws {
    var random = SeededGenerator(seed: 7)
    let keys: [UInt64] =
      switch spread {
      case "dense": (0..<6_000).map { 1 << 63 + $0 }
      case "holes": (0..<9_000).filter { _ in random.number(0..<3) > 0 }.map { UInt64($0) }
      case "clusters": (0..<60).flatMap { part in (0..<90).map { 1 << 40 * part + $0 } }
      case "squares": (1..<5_000).map { $0 * $0 }
      case "powers": (0..<64).flatMap { bit in (0..<60).map { 1 << bit &+ $0 } }
      default: (0..<3_000).flatMap { [$0, UInt64.max - $0] }
      }
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let table = try environment.numbers
    try environment.write { view throws(LMDBError) in
      for key in keys {
        try PageBytes.with(Array(repeating: UInt8(key & 0xFF), count: 30)) {
          value throws(LMDBError) in _ = try view.put(table, key, value)
        }
      }
    }
    let transaction = try ReadTransaction(environment)
    let (view, pages) = (transaction.viewThroughLMDB, transaction.pages)
    #expect(try pages.statistics(table).depth > 1)
    let (cursor, other) = (try view.cursor(table), try pages.cursor(table))
    for key in keys.flatMap({ [$0 &- 1, $0, $0 &+ 1] }) {
      try #require(try pages.value(table, key)?.array == view.value(table, key)?.array, "\(key)")
      let found = (try cursor.seek(atLeast: key), try other.seek(atLeast: key))
      try #require(found.0 == found.1, "\(key)")
      if found.0 { try #require(cursor.integerKey == other.integerKey, "\(key)") }
    }
  }

  @Test func `a table that is not there is an error, and none is empty`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let transaction = try ReadTransaction(environment)
    let pages = transaction.pages
    #expect(try pages.value(.none, 1) == nil)
    #expect(try !pages.cursor(.none).move(to: .first))
    let later = try environment.createTables([TableName("later", keys: .bytes)])
    #expect(throws: LMDBError(code: .badTable, function: "page")) {
      try pages.count(#require(later["later"]))
    }
  }

  @Test func `a cursor of an earlier snapshot refuses to move`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<100, mark: 1)
    var transaction = try ReadTransaction(environment)
    let pages = transaction.pages
    let cursor = try pages.cursor(environment.numbers)
    #expect(try cursor.move(to: .first))
    try transaction.renew()
    #expect(throws: LMDBError(code: .closed, function: "page")) { try cursor.move(to: .next) }
    transaction.reset()
    #expect(throws: LMDBError(code: .closed, function: "page")) {
      try pages.value(environment.numbers, 1)
    }
  }

  @Test func `snapshots stay as they were while others write`() throws {
    let file = try EnvironmentTestFile(mapSize: 1 << 20)
    let environment = try file.environment(mapSize: 1 << 20)
    for round in 0..<UInt8(30) {
      try environment.fill(0..<400, bytes: 20 + Int(round) * 40, mark: round)
      let transaction = try ReadTransaction(environment)
      let pages = transaction.pages
      let before = try pages.entries(environment.words)
      let numbers = try transaction.viewThroughLMDB.entries(environment.numbers)
      for mark in 100..<UInt8(104) {
        do throws(LMDBError) {
          try environment.write(upTo: 400, bytes: 30, mark: mark)
        } catch {
          // The map grows only when no snapshot is alive.
          guard error.code == .mapFull else { throw error }
        }
        #expect(try pages.entries(environment.numbers) == numbers)
      }
      #expect(try pages.entries(environment.words) == before)
    }
  }

  @Test func `snapshots that are renewed all the time are never mixed`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<300, mark: 0)
    let log = ReaderLog()
    for _ in 0..<3 {
      Thread.detachNewThread {
        log.finish(Result { try Self.readAgainAndAgain(environment, log) })
      }
    }
    try await onThread {
      defer { log.stop() }
      var commits = 0
      // Until there were enough of both, whoever gets the processor.
      while commits < (TestRun.isLong ? 20_000 : 300) || log.reads < 100, !log.hasFinished {
        try environment.fill(0..<300, mark: UInt8(truncatingIfNeeded: commits))
        commits += 1
      }
    }
    try await onThread {
      while log.finished < 3 { usleep(1_000) }
      try log.throwError()
    }
    #expect(log.reads >= 100)
  }

  private static func readAgainAndAgain(_ environment: Environment, _ log: ReaderLog) throws {
    let table = try environment.numbers
    var transaction = try ReadTransaction(environment)
    let pages = transaction.pages
    while !log.isStopped {
      let entries = try pages.entries(table)
      try #require(entries.count == 300)
      try #require(Set(entries.map(\.value)).count == 1)
      try #require(try pages.value(table, 150)?.array == entries[0].value)
      log.didRead()
      try transaction.renew()
    }
  }
}

/// What several readers did.
private final class ReaderLog: Sendable {
  private struct State {
    var reads = 0
    var finished = 0
    var isStopped = false
    var error: (any Error)?
  }
  private let state = Mutex(State())

  var reads: Int { state.withLock { $0.reads } }
  var finished: Int { state.withLock { $0.finished } }
  var hasFinished: Bool { finished > 0 }
  var isStopped: Bool { state.withLock { $0.isStopped } }
  func didRead() { state.withLock { $0.reads += 1 } }
  func stop() { state.withLock { $0.isStopped = true } }
  func throwError() throws {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func finish(_ result: Result<Void, any Error>) {
    state.withLock {
      $0.finished += 1
      if case .failure(let error) = result { $0.error = error }
    }
  }
}

extension Environment {
  /// Writes to `numbers` without enlarging the map.
  fileprivate func write(upTo count: UInt64, bytes: Int, mark: UInt8) throws(LMDBError) {
    let (value, names) = ([UInt8](repeating: mark, count: bytes), EnvironmentTestFile.numbers)
    guard let table = try openTables([names])[names.name] else { return }
    let transaction = try WriteTransaction(self)
    for key in 0..<count {
      _ = try PageBytes.with(value) { value throws(LMDBError) in
        try transaction.view.put(table, key, value)
      }
    }
    try transaction.commit()
  }
}
