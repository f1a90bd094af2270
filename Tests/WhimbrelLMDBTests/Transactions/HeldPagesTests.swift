import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// The memory that a write transaction holds.
@Suite(.serialized, .mustEnd) struct HeldPagesTests {
  private typealias Part = SpilledGroup.Part

  /// The number of bytes of changed pages that these tests allow.
  private static let limit = 1 << 16

  init() { PageListLeak.remaining.store(.max / 2, ordering: .relaxed) }

  @Test(arguments: [512, 4_096], [false, true])
  func `a write goes on with pages that it has written before its end`(
    _ pageSize: Int, _ verifiesPaths: Bool
  ) throws {
    var group = try SpilledGroup(pageSize, verifiesPaths, holding: Self.limit)
    let changes: [SpilledGroup.Change] = [
      .append(3_000), .replace(each: 2, bytes: 40), .remove(each: 7), .replaceLast(500),
      .replace(each: 3, bytes: 300), .append(100), .remove(each: 2),
    ]
    #expect(try group.write([Part(changes, isKept: true)]) == [true])
    try group.expectWhole()
    #expect(try group.write([Part(changes + [.empty, .append(10)], isKept: true)]) == [true])
    try group.expectWhole()
  }

  @Test(arguments: 1...TestRun.count(30, long: 2_000) as ClosedRange<UInt64>)
  func `random writes that write pages before their end are kept or undone alone`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let limit = [1, 4_096, Self.limit, Self.limit * 16].randomElement(using: &random) ?? 1
    var group = try SpilledGroup(seed % 3 == 0 ? 4_096 : 512, seed % 2 == 0, holding: limit)
    try group.write([Part(.append(2_000), .replace(each: 2, bytes: 40))])
    for _ in 0..<5 {
      let parts = (0..<Int.random(in: 1..<6, using: &random)).map { _ in
        let changes = (0..<Int.random(in: 1..<5, using: &random)).map { _ in
          Self.change(&random)
        }
        return Part(changes, isKept: Int.random(in: 0..<3, using: &random) > 0)
      }
      try group.write(capacity: .max, parts)
      try group.expectWhole("seed \(seed): \(parts)")
    }
  }

  private static func change(_ random: inout SeededGenerator) -> SpilledGroup.Change {
    let step = UInt64.random(in: 2..<100, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return .append(Int.random(in: 1..<2_000, using: &random))
    case 3: return .replaceLast(Int.random(in: 1..<1_000, using: &random))
    case 4..<7: return .replace(each: step, bytes: Int.random(in: 1..<1_500, using: &random))
    case 7..<9: return .remove(each: step)
    default: return .empty
    }
  }

  #if os(Linux)
    @Test(.takesLong, arguments: [100, 3_000, 1_000_000])
    func `a write of 200 MB holds less than 64 MB in memory`(_ bytes: Int) async throws {
      await #expect(processExitsWith: .success) { [bytes] in
        let file = try EnvironmentTestFile()
        let environment = try file.environment()
        let numbers = try environment.numbers
        let before = try privateMemory()
        let held = try environment.write { view throws(LMDBError) in
          let cursor = try view.reading.cursor(numbers)
          try PageBytes.with([UInt8](repeating: 7, count: bytes)) { value throws(LMDBError) in
            for key in 0..<UInt64(200_000_000 / bytes) { try cursor.append(key, value) }
          }
          return try? privateMemory()
        }
        #expect(try #require(held) - before < 64_000_000)
      }
    }
  #endif

  // LMDB: before 0.9.25 each of them loses memory.
  @Test func `only some writes of a process write pages before their end with an old LMDB`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let isOld = Environment.versionNumbers < (0, 9, 25)
      PageListLeak.remaining.store(3, ordering: .relaxed)
      var spilled: [Bool] = []
      for _ in 0..<3 {
        var group = try SpilledGroup(4_096, false, holding: 1 << 20)
        for _ in 0..<2 { spilled += try group.write([Part(.append(2_000), .replaceLast(2_000))]) }
        try group.expectWhole()
      }
      #expect(spilled == [true, true, true, !isOld, !isOld, !isOld])
    }
  }

  @Test func `an entry that is put from a page of the same write is whole`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    // Pages are written after every seventh change: also between the two puts of a key.
    environment.writer.heldPageLimit = 28_000
    let numbers = try environment.numbers
    let value = { (key: UInt64) in [UInt8](repeating: UInt8(key % 251), count: 300) }
    try environment.write { view throws(LMDBError) in
      for key in 0..<UInt64(5_000) {
        try PageBytes.with(value(key)) { value throws(LMDBError) in
          _ = try view.put(numbers, key, value)
        }
        guard let stored = try view.reading.value(numbers, key) else { continue }
        _ = try view.put(numbers, key + 10_000, stored)
      }
    }
    var wrong = 0
    try environment.read { view throws(LMDBError) in
      for key in 0..<UInt64(5_000) {
        let copy = try view.value(numbers, key + 10_000)
        if copy?.isEqual(to: value(key)) != true { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}
