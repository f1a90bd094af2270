import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// Nested transactions so large that LMDB writes pages to the file before the commit.
///
/// LMDB: a transaction keeps 131,071 dirty pages in memory. A nested one has what its parent has left
/// of them. When they run out, an eighth is written to the file: they are spilled. Pages of 512 bytes
/// make that an eighth of the work. A long run also has pages of the usual size.
@Suite(.serialized, .mustEnd) struct SpilledGroupTests {
  private typealias Part = SpilledGroup.Part

  /// More dirty pages than LMDB keeps.
  private static let many = 150_000
  private static let pageSizes = TestRun.isLong ? [512, 4_096] : [512]
  private static let fill = Part(.append(2_000), .replace(each: 2, bytes: 40))

  @Test(.takesLong, arguments: pageSizes, [false, true])
  func `a nested write that spills and is undone leaves the changes of others whole`(
    _ pageSize: Int, _ verifiesPaths: Bool
  ) throws {
    var group = try SpilledGroup(pageSize, verifiesPaths)
    try group.write([Self.fill])
    let spilled = try group.write([
      Part(.replace(each: 3, bytes: 200), .append(1_000)),
      Part(.append(Self.many), .replace(each: 2, bytes: 100), isKept: false),
      Part(.replace(each: 5, bytes: 100), .remove(each: 7)),
      Part(.empty, .append(Self.many), .remove(each: 2), isKept: false),
      Part(.append(100)),
    ])
    #expect(spilled == [false, true, false, true, false])
    try group.expectWhole()
    try group.write([Part(.replace(each: 2, bytes: 300), .append(1_000))])
    try group.expectWhole()
  }

  @Test(.takesLong, arguments: pageSizes, [false, true])
  func `a nested write that spills and is kept is whole after the commit`(
    _ pageSize: Int, _ verifiesPaths: Bool
  ) throws {
    var group = try SpilledGroup(pageSize, verifiesPaths)
    try group.write([Self.fill])
    let spilled = try group.write([
      Part(.replace(each: 3, bytes: 200), .append(1_000)),
      Part(.append(Self.many), .replace(each: 2, bytes: 100), .remove(each: 9)),
    ])
    #expect(spilled == [false, true])
    try group.expectWhole()
    try group.write([Part(.replace(each: 5, bytes: 300), .remove(each: 3))])
    try group.expectWhole()
  }

  // LMDB holds it; the groups of an app take no writer after one that spills.
  @Test(.takesLong, arguments: pageSizes, [false, true])
  func `nested writes that change spilled pages are kept or undone alone`(
    _ pageSize: Int, _ verifiesPaths: Bool
  ) throws {
    var group = try SpilledGroup(pageSize, verifiesPaths)
    try group.write([Self.fill])
    try group.write(
      capacity: .max,
      [
        Part(.append(Self.many)),
        Part(.replace(each: 50, bytes: 100), .append(1_000), isKept: false),
        Part(.replace(each: 70, bytes: 20), .append(100)),
        Part(.empty, .append(10), isKept: false),
        Part(.remove(each: 90)),
        Part(.replace(each: 45, bytes: 400), isKept: false),
      ])
    try group.expectWhole()
    try group.write([Part(.replace(each: 7, bytes: 200), .append(1_000))])
    try group.expectWhole()
  }

  // A nested write then failed with `MDB_TXN_FULL`, although it fitted in a transaction of its own.
  @Test(.takesLong) func `a group takes no writer that could find no room for pages`() throws {
    var group = try SpilledGroup(512, false)
    try group.write([Self.fill])
    // LMDB: a page that the first one has spilled cannot be spilled by the second one.
    let parts = [Part(.append(Self.many)), Part(.replaceLast(40_000))]
    let full = #expect(throws: LMDBError.self) { try group.write(capacity: .max, parts) }
    #expect(full?.code == .transactionFull)
    try group.expectWhole()
    #expect(throws: WriteGroup.Outdated.self) { try group.write(parts) }
    try group.expectWhole()
    for part in parts { try group.write([part]) }
    try group.expectWhole()
  }

  @Test(arguments: 1...TestRun.count(2, long: 40) as ClosedRange<UInt64>)
  func `random nested writes, some without room, are kept or undone alone`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var group = try SpilledGroup(512, seed % 2 == 0)
    try group.write([Self.fill])
    for _ in 0..<2 {
      let parts = (0..<Int.random(in: 2..<7, using: &random)).map { _ in
        let changes = (0..<Int.random(in: 1..<4, using: &random)).map { _ in
          Self.change(&random)
        }
        return Part(changes, isKept: Bool.random(using: &random))
      }
      try group.write(capacity: .max, parts, undoing: [.transactionFull])
      try group.expectWhole("seed \(seed): \(parts)")
    }
  }

  @Test(.takesLong)
  func `a nested write that finds no room on the disk for a spill is undone alone`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      var group = try SpilledGroup(512, true)
      try group.write([Self.fill])
      try limitFiles(to: 8 << 20)
      let parts = [
        Part(.replace(each: 3, bytes: 200), .append(1_000)), Part(.append(Self.many)),
        Part(.replace(each: 5, bytes: 100), .remove(each: 7)),
      ]
      let spilled = try group.write(parts, undoing: [.fileTooLarge, .inputOutput])
      #expect(spilled[0] == false && spilled[2] == false)
      try group.expectWhole()
      #expect(try group.environment.marks().count < 3_000)
      try limitFiles(to: nil)
      try group.write([Part(.append(Self.many))])
      try group.expectWhole()
    }
  }

  private static func change(_ random: inout SeededGenerator) -> SpilledGroup.Change {
    let step = UInt64.random(in: 2..<100, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: return .append(Int.random(in: 100_000..<many, using: &random))
    case 2..<4: return .append(Int.random(in: 1..<20_000, using: &random))
    case 4: return .replaceLast(Int.random(in: 1..<60_000, using: &random))
    case 5..<7: return .replace(each: step, bytes: Int.random(in: 1..<1_500, using: &random))
    case 7..<9: return .remove(each: step)
    default: return .empty
    }
  }
}
