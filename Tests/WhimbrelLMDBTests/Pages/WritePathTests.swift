import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// A file whose pages are damaged one at a time, each before a write that may use it.
private final class WriteOverDamage {
  private let environment: Environment
  private let lease: EnvironmentLease
  private let table: Table
  private let descriptor: Int32
  private var random: SeededGenerator
  private(set) var refused = 0

  static let entries = 20_000

  init(_ path: String, seed: UInt64) throws {
    var options = Environment.Options()
    options.syncsCommits = false
    lease = try Environment.open(path: path, options: options)
    environment = lease.environment
    environment.verifiesWritePaths = true
    table = try environment.numbers
    descriptor = unsafe open(path, O_RDWR)
    random = SeededGenerator(seed: seed)
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
  }

  /// Damages a page, writes, and mends the page again.
  func tryOne() throws {
    // A page that was verified is believed for two commits.
    for _ in 0..<3 { try environment.fill(0..<1, mark: 7) }
    let facts = try environment.information()
    let page = random.number(2..<facts.lastPage + 1)
    var bytes = [UInt8](repeating: 0, count: facts.pageSize)
    _ = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(page * facts.pageSize))
    }
    write(damaged(bytes), page)
    defer { write(bytes, page) }
    do throws(LMDBError) { try writeMuch() } catch {
      guard error.damage != nil else { throw error }
      refused += 1
    }
  }

  private func write(_ bytes: [UInt8], _ page: Int) {
    _ = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(page * bytes.count))
    }
  }

  /// The page with another header, or with a node that is elsewhere or has another size.
  private func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let offset: Int
    switch random.number(0..<4) {
    case 0: offset = random.number(0..<16)
    case 1: offset = 16 + random.number(0..<40)
    default:
      let pointer = 16 + 2 * random.number(0..<12)
      let node = Int(bytes[pointer]) | Int(bytes[pointer + 1]) << 8
      offset = min(node + random.number(0..<8), bytes.count - 1)
    }
    bytes[offset] ^= UInt8(random.number(1..<256))
    return bytes
  }

  /// Removes entries in a row, so that pages are merged, and puts others; then undoes it all.
  private func writeMuch() throws(LMDBError) {
    let transaction = try WriteTransaction(environment)
    let view = transaction.view
    let first = random.number(1..<Self.entries - 3_000)
    for key in first..<first + 3_000 where random.chance(95) {
      try view.remove(table, UInt64(key))
    }
    for key in 0..<50 {
      let value = random.bytes(random.number(1..<400))
      try PageBytes.with(value) { value throws(LMDBError) in
        _ = try view.put(table, UInt64(first + key * 50), value)
      }
    }
    transaction.abort()
  }

  deinit { close(descriptor) }
}

@Suite struct WritePathTests {
  @Test(.takesLong, arguments: [1, 2] as [UInt64])
  func `a write into damaged pages is an error and does not end the program`(
    seed: UInt64
  ) async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<WriteOverDamage.entries, bytes: 200, mark: 1)
    await #expect(processExitsWith: .success) {
      [path = file.path as String, seed = seed as UInt64] in
      let damages = try WriteOverDamage(path, seed: seed)
      for _ in 0..<400 { try damages.tryOne() }
      // Else the damages were elsewhere, and this has shown nothing.
      #expect(damages.refused > 20)
    }
  }

  @Test(arguments: [false, true])
  func `a cursor removes the keys that are there, and no others`(verifiesPaths: Bool) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    environment.verifiesWritePaths = verifiesPaths
    try environment.fill(0..<5_000, mark: 1)
    let table = try environment.numbers
    try environment.write { view throws(LMDBError) in
      let cursor = try view.reading.cursor(table)
      // Whole pages, so that pages are merged, and single keys of others.
      for key in 1_000..<3_000 {
        let isRemoved = try cursor.remove(UInt64(key))
        #expect(isRemoved)
      }
      for key in 3_000..<4_000 where key % 3 == 0 { try cursor.remove(UInt64(key)) }
      for key in [1_000, 2_999, 3_000, 5_000] {
        let isRemoved = try cursor.remove(UInt64(key))
        #expect(!isRemoved)
      }
    }
    let transaction = try ReadTransaction(environment)
    var left: [Int] = []
    for key in 0..<5_001 where try transaction.view.value(table, UInt64(key)) != nil {
      left.append(key)
    }
    #expect(left == (0..<5_000).filter { $0 < 1_000 || $0 >= 4_000 || $0 >= 3_000 && $0 % 3 != 0 })
    #expect(try FileStructure.inspect(path: file.path).checkPages().lostPages == 0)
  }

  @Test func `writes that verify their paths change what others change`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    environment.verifiesWritePaths = true
    try environment.fill(0..<5_000, mark: 1)
    let table = try environment.numbers
    try environment.write { view throws(LMDBError) in
      for key in 0..<5_000 where key % 3 == 0 { try view.remove(table, UInt64(key)) }
      let cursor = try view.reading.cursor(table)
      guard try cursor.move(to: .last) else { return }
      try PageBytes.with([2]) { value throws(LMDBError) in
        try cursor.append(cursor.integerKey + 1, value)
      }
    }
    let found = try environment.marks()
    #expect(found.marks == [1, 2] && found.count == 3_334)
    try environment.write { view throws(LMDBError) in try view.empty(table) }
    #expect(try environment.marks().count == 0)
    #expect(try environment.dropTables([EnvironmentTestFile.numbers]))
    #expect(try FileStructure.inspect(path: file.path).checkPages().lostPages == 0)
  }
}
