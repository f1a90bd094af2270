import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct PageComparisonTests {
  /// Entries by their keys.
  private typealias Content = [[UInt8]: [UInt8]]

  private func content(_ view: ReadView, _ table: Table) throws -> Content {
    let entries = try view.entries(table).map { ($0.key, $0.value) }
    return Content(entries, uniquingKeysWith: { $1 })
  }

  /// Checks that comparing two snapshots of a table gives the differences of their content.
  private func expectDifferences(
    _ table: Table, from old: ReadView, to new: ReadView, _ note: String
  ) throws {
    let (before, after) = (try content(old, table), try content(new, table))
    let expected = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    var keys: [[UInt8]] = []
    try new.forEachChange(of: table, since: old) { key, oldValue, newValue in
      let key = key.array
      #expect(oldValue?.array == before[key], "\(note)")
      #expect(newValue?.array == after[key], "\(note)")
      keys.append(key)
      return true
    }
    #expect(Set(keys) == expected && keys.count == expected.count, "\(note)")
    let isNumber = table.keys == .integers
    let sorted = keys.sorted {
      isNumber
        ? $0.reversed().lexicographicallyPrecedes($1.reversed()) : $0.lexicographicallyPrecedes($1)
    }
    #expect(keys == sorted, "\(note)")
  }

  /// Puts and removes entries at random in one to three transactions.
  private func change(
    _ environment: Environment, _ random: inout SeededGenerator, scale: Int
  ) throws {
    let tables = [try environment.numbers, try environment.words]
    for _ in 0..<random.number(1..<4) {
      let (generator, isAborted) = (random, random.chance(10))
      let transaction = try WriteTransaction(environment)
      let view = transaction.view
      var own = generator
      for table in tables where own.chance(70) {
        if own.chance(3) { try view.empty(table) }
        let count = own.chance(50) ? own.number(1..<4) : own.number(1..<scale)
        for _ in 0..<count {
          var word = SeededGenerator(seed: UInt64(own.number(0..<scale)))
          let number = unsafe withUnsafeBytes(of: UInt64(own.number(0..<scale * 2)) &* 3) {
            unsafe Array($0)
          }
          let key = table.keys == .integers ? number : word.bytes(word.number(1..<60))
          let length = own.chance(3) ? own.number(2_000..<9_000) : own.number(0..<200)
          if own.chance(30) {
            _ = try PageBytes.with(key) { key throws(LMDBError) in try view.remove(table, key) }
          } else {
            try view.put(table, key, own.bytes(length))
          }
        }
      }
      if isAborted { transaction.abort() } else { try transaction.commit() }
      random = own
    }
  }

  @Test(.takesLong, arguments: 1...12 as ClosedRange<UInt64>)
  func `comparing two snapshots gives each entry that differs`(seed: UInt64) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let scale = [30, 400, 3_000][Int(seed % 3)]
    if seed % 4 != 0 { try file.fillAtRandom(seed: seed, scale: scale) }
    var random = SeededGenerator(seed: seed)
    let tables = [try environment.numbers, try environment.words]
    for round in 0..<(seed % 3 == 2 ? 12 : 24) {
      let old = try ReadTransaction(environment)
      try change(environment, &random, scale: scale)
      let new = try ReadTransaction(environment)
      for table in tables {
        let note = "seed \(seed), round \(round)"
        try expectDifferences(table, from: old.view, to: new.view, note)
        try expectDifferences(table, from: new.view, to: old.view, note)
        try expectDifferences(table, from: old.view, to: old.view, note)
      }
      _ = consume old
      _ = consume new
    }
  }

  @Test func `comparing damaged pages gives entries or an error, and never a trap`() throws {
    let errorCounts = try (1...8 as ClosedRange<UInt64>).map { try compareDamagedPages(seed: $0) }
    #expect(errorCounts.reduce(0, +) > 20, "\(errorCounts)")
  }

  /// Compares two snapshots many times while bytes of the file are wrong, and returns how often that
  /// was an error.
  private func compareDamagedPages(seed: UInt64) throws -> Int {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try file.fillAtRandom(seed: seed, scale: 400)
    var random = SeededGenerator(seed: seed)
    let old = try ReadTransaction(environment)
    for _ in 0..<3 { try change(environment, &random, scale: 400) }
    let new = try ReadTransaction(environment)
    let size = try environment.information().pageSize
    let pages = try environment.information().lastPage + 1
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    var errorCount = 0
    for _ in 0..<100 {
      // Not the meta pages, which were read already.
      let page = random.number(2..<pages)
      // Most numbers that lead somewhere are at the beginning of a page.
      let offset = random.chance(70) ? random.number(0..<64) : random.number(0..<size)
      let place = UInt64(page * size + offset)
      try handle.seek(toOffset: place)
      let before = try handle.read(upToCount: 2) ?? Data()
      try handle.seek(toOffset: place)
      try handle.write(contentsOf: Data(random.bytes(before.count)))
      for table in [try environment.numbers, try environment.words] {
        var bytes = 0
        do {
          try new.view.forEachChange(of: table, since: old.view) { key, old, new in
            bytes += key.array.count + (old?.array.count ?? 0) + (new?.array.count ?? 0)
            return true
          }
        } catch {
          errorCount += 1
        }
      }
      // One time in four the damage stays.
      if random.chance(75) {
        try handle.seek(toOffset: place)
        try handle.write(contentsOf: before)
      }
    }
    _ = consume old
    _ = consume new
    return errorCount
  }

  @Test func `a comparison ends when its closure returns false`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let old = try ReadTransaction(environment)
    try file.fillAtRandom(seed: 1, scale: 100)
    let new = try ReadTransaction(environment)
    var count = 0
    try new.view.forEachChange(of: environment.numbers, since: old.view) { _, _, _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
    _ = consume old
    _ = consume new
  }

  @Test func `one change among many entries looks at few pages`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let numbers = try environment.numbers
    try environment.write { view throws(LMDBError) in
      for number in 0..<200_000 as Range<UInt64> {
        try PageBytes.with([1, 2, 3]) { value throws(LMDBError) in
          _ = try view.put(numbers, number, value, .atEnd)
        }
      }
    }
    let old = try ReadTransaction(environment)
    try environment.write { view throws(LMDBError) in
      try PageBytes.with([4]) { value throws(LMDBError) in
        _ = try view.put(numbers, 123_456, value)
      }
    }
    let new = try ReadTransaction(environment)
    var found: [UInt64] = []
    try new.view.forEachChange(of: numbers, since: old.view) { key, old, new in
      #expect(old?.array == [1, 2, 3] && new?.array == [4])
      found.append(key.load(UInt64.self, at: 0))
      return true
    }
    #expect(found == [123_456])
    _ = consume old
    _ = consume new
  }
}
