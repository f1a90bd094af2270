import Foundation
import Testing

@testable import WhimbrelLMDB

/// Reads of damaged pages within a write.
@Suite struct FailedReadTests {
  /// How a value of the damaged page is read.
  enum Way: CaseIterable {
    case value, lastEntry, seek, batch
  }

  private static let count = 2_000

  /// Makes the last entries of a table impossible to read: the branch above them leads beyond the file.
  private func damage(_ path: String) throws {
    var bytes = try Array(Data(contentsOf: URL(filePath: path)))
    let (pageSize, branchFlag, headerSize) = (4_096, UInt8(1), 16)
    var damaged = 0
    for start in stride(from: 2 * pageSize, to: bytes.count, by: pageSize)
    where bytes[start + 10] == branchFlag && bytes[start + 11] == 0 {
      // The last two bytes of the page's node pointers, and the top bytes of the child's number.
      let end = start + Int(bytes[start + 12]) + Int(bytes[start + 13]) << 8
      guard end > start + headerSize else { continue }
      let node = start + Int(bytes[end - 2]) + Int(bytes[end - 1]) << 8
      bytes[node + 5] = 0x0F
      damaged += 1
    }
    try #require(damaged > 0)
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func read(_ way: Way, _ view: ReadView, _ table: Table) throws {
    let last = UInt64(Self.count - 1)
    switch way {
    case .value: _ = try view.value(table, last)
    case .lastEntry: _ = try view.cursor(table).move(to: .last)
    case .seek: _ = try view.cursor(table).seek(atLeast: last)
    case .batch:
      var batch = EntryBatch()
      let cursor = try view.cursor(table)
      var first: UInt64? = 0
      while try batch.fill(cursor, from: first, through: .max, touching: nil) { first = nil }
    }
  }

  // An app that went on after the error was told of 'MDB_BAD_TXN', and never why.
  @Test(arguments: Way.allCases)
  func `an error of a read explains why the write fails after it`(way: Way) throws {
    let file = try EnvironmentTestFile()
    try file.open().environment.fill(0..<Self.count, mark: 1)
    try damage(file.path)
    let environment = try file.environment()
    let table = try environment.numbers
    let transaction = try WriteTransaction(environment)
    let (reading, writing) = (transaction.view.reading, transaction.view)
    let cause = #expect(throws: LMDBError.self) { try read(way, reading, table) }
    #expect(cause?.code == .pageNotFound)
    let refusal = #expect(throws: LMDBError.self) {
      try PageBytes.with([1]) { value throws(LMDBError) in
        _ = try writing.put(table, 0, value)
      }
    }
    #expect(refusal?.code == .badTransaction)
    #expect(refusal.map(environment.cause) == cause)
    transaction.abort()
  }
}
