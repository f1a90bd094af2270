import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// A file that is damaged under an open environment, and read after each damage.
@safe
private final class DamagedPages {
  /// What became of the damages.
  struct Tally {
    var refused = 0
    var passed = 0
  }

  let file: EnvironmentTestFile
  let environment: Environment
  let bytes: [UInt8]
  let pageSize: Int
  private let tables: [Table]
  private var expected: [[PageTestEntry]] = []
  private let descriptor: Int32
  private(set) var tally = Tally()

  init(seed: UInt64) throws {
    file = try EnvironmentTestFile()
    try file.fillAtRandom(seed: seed, scale: 160)
    environment = try file.environment()
    tables = [try environment.numbers, try environment.words, .main]
    pageSize = try environment.information().pageSize
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
    descriptor = unsafe open(file.path, O_RDWR)
    try #require(descriptor >= 0)
    let transaction = try ReadTransaction(environment)
    let pages = transaction.pages
    let base = environment.pool.maps.withLock { unsafe UInt(bitPattern: $0[0].base) }
    for table in tables { expected.append(try pages.entries(table, base: base)) }
  }

  deinit { close(descriptor) }

  /// Reads the file with some of its bytes replaced. The meta pages stay as they are: LMDB begins
  /// transactions with them.
  func tryDamage(_ damages: [(offset: Int, bytes: [UInt8])], _ comment: Comment) throws {
    for damage in damages { try write(damage.bytes, at: damage.offset) }
    defer {
      for (offset, part) in damages {
        try? write(Array(bytes[offset..<offset + part.count]), at: offset)
      }
    }
    var touched: [Range<Int>] = []
    for (offset, part) in damages {
      for index in part.indices where part[index] != bytes[offset + index] {
        touched.append(offset + index..<offset + index + 1)
      }
    }
    if try read(touched, comment) { tally.passed += 1 } else { tally.refused += 1 }
  }

  func tryTruncation(to size: Int) throws {
    try #require(ftruncate(descriptor, off_t(size)) == 0)
    defer { try? write(Array(bytes[size...]), at: size) }
    if try read([], "cut to \(size) bytes") { tally.passed += 1 } else { tally.refused += 1 }
  }

  private func write(_ part: [UInt8], at offset: Int) throws {
    let count = unsafe part.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
    }
    try #require(count == part.count)
  }

  /// Whether all can be read; then it must be as it was, but for bytes of keys and values that were
  /// replaced themselves.
  private func read(_ touched: [Range<Int>], _ comment: Comment) throws -> Bool {
    do throws(LMDBError) {
      let transaction = try ReadTransaction(environment)
      let pages = transaction.pages
      // Searches first: a scan would verify all pages for them.
      var isSound = true
      for (table, entries) in zip(tables, expected) {
        do throws(LMDBError) { try search(pages, table, entries, touched, comment) } catch {
          try expectDamage(error)
          isSound = false
        }
        do throws(LMDBError) { try scan(pages, table, entries, touched, comment) } catch {
          try expectDamage(error)
          isSound = false
        }
      }
      return isSound
    } catch {
      try expectDamage(error)
      return false
    }
  }

  private func expectDamage(_ error: LMDBError) throws(LMDBError) {
    if error.damage == nil, error.code != .badTable { throw error }
  }

  private func isTouched(_ entry: PageTestEntry, _ touched: [Range<Int>]) -> Bool {
    entry.places.contains { place in touched.contains { $0.overlaps(place) } }
  }

  private func search(
    _ pages: PageSnapshot, _ table: Table, _ entries: [PageTestEntry], _ touched: [Range<Int>],
    _ comment: Comment
  ) throws(LMDBError) {
    let cursor = try pages.cursor(table)
    for entry in entries where !isTouched(entry, touched) {
      let value = try pages.value(table, entry.key)?.array
      if value != entry.value { Issue.record("search: \(comment)") }
      let isFound = try PageBytes.with(entry.key) { key throws(LMDBError) in
        try cursor.seek(atLeast: key)
      }
      if !isFound || cursor.key.array != entry.key { Issue.record("seek: \(comment)") }
    }
  }

  private func scan(
    _ pages: PageSnapshot, _ table: Table, _ entries: [PageTestEntry], _ touched: [Range<Int>],
    _ comment: Comment
  ) throws(LMDBError) {
    compare(try pages.entries(table), entries, touched, "scan: \(comment)")
    let cursor = try pages.cursor(table)
    for (start, step) in [(Cursor.Step.first, Cursor.Step.next), (.last, .previous)] {
      var found: [PageTestEntry] = []
      var isInside = try cursor.move(to: start)
      while isInside {
        found.append(PageTestEntry(key: cursor.key.array, value: cursor.value.array))
        isInside = try cursor.move(to: step)
      }
      if step == .previous { found.reverse() }
      compare(found, entries, touched, "steps: \(comment)")
    }
  }

  private func compare(
    _ found: [PageTestEntry], _ entries: [PageTestEntry], _ touched: [Range<Int>],
    _ comment: Comment
  ) {
    if found.count != entries.count { Issue.record(comment) }
    for (one, other) in zip(found, entries) where one != other && !isTouched(other, touched) {
      Issue.record(comment)
    }
  }
}

@Suite struct PageDamageTests {
  /// Where damage is done: mostly the headers and offsets of pages, where most can go wrong.
  private func offset(in bytes: Int, _ pageSize: Int, _ random: inout SeededGenerator) -> Int {
    let page = random.number(2..<bytes / pageSize) * pageSize
    return page + random.number(0..<(random.chance(60) ? 96 : pageSize - 64))
  }

  @Test(.takesLong, arguments: 1...TestRun.count(3, long: 12) as ClosedRange<UInt64>)
  func `damaged pages are errors, or give what they gave`(variant: UInt64) throws {
    let pages = try DamagedPages(seed: variant)
    for seed in 0..<UInt64(TestRun.isLong ? 4_000 : 200) {
      var random = SeededGenerator(seed: variant << 32 | seed)
      let (size, pageSize) = (pages.bytes.count, pages.pageSize)
      var damages: [(offset: Int, bytes: [UInt8])] = []
      switch random.number(0..<5) {
      case 0:
        let place = offset(in: size, pageSize, &random)
        damages = [(place, [pages.bytes[place] ^ 1 << UInt8(random.number(0..<8))])]
      case 1: damages = [(offset(in: size, pageSize, &random), random.bytes(1))]
      case 2:
        let count = random.number(2..<64)
        damages = [(offset(in: size, pageSize, &random), random.bytes(count))]
      case 3:
        let place = offset(in: size, pageSize, &random) & ~1
        damages = [(place, [random.bytes(1)[0], 0])]
      default:
        // Two pages change places; half of them with their numbers put right.
        let (one, two) = (random.number(2..<size / pageSize), random.number(2..<size / pageSize))
        if one == two { continue }
        var first = Array(pages.bytes[one * pageSize..<(one + 1) * pageSize])
        var second = Array(pages.bytes[two * pageSize..<(two + 1) * pageSize])
        if random.chance(50) {
          first.replaceSubrange(0..<8, with: integerKey(UInt64(two)))
          second.replaceSubrange(0..<8, with: integerKey(UInt64(one)))
        }
        damages = [(one * pageSize, second), (two * pageSize, first)]
      }
      try pages.tryDamage(damages, "variant \(variant), seed \(seed)")
    }
    #expect(pages.tally.refused > 15)
    #expect(pages.tally.passed > 20, "many bytes are free, or those of values")
  }

  @Test func `a file that ends at any page is an error, or gives what it gave`() throws {
    let pages = try DamagedPages(seed: 99)
    for page in 2..<pages.bytes.count / pages.pageSize {
      try pages.tryTruncation(to: page * pages.pageSize)
      try pages.tryTruncation(to: page * pages.pageSize + 100)
    }
    #expect(pages.tally.refused > 20)
  }

  @Test func `an error names table, page and what is wrong`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<1_000, mark: 1)
    let transaction = try ReadTransaction(environment)
    let pages = transaction.pages
    let root = try pages.tree(environment.numbers).root
    let descriptor = unsafe open(file.path, O_WRONLY)
    defer { close(descriptor) }
    let flags: [UInt8] = [0x20, 0]
    let offset = off_t(root) * off_t(try environment.information().pageSize) + 10
    _ = unsafe flags.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, 2, offset) }
    let damage = PageDamage(
      table: "numbers", failure: .damaged(page: root, reason: .pageFlags(0x20)))
    #expect(throws: LMDBError(damage)) { try pages.value(environment.numbers, 5) }
  }
}
