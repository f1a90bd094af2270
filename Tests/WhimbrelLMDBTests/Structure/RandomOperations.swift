import CWhimbrelLMDB
import Foundation
import WhimbrelTestSupport

/// Random work on a ``StructureTestFile``: one call of ``transaction(on:)`` is
/// one transaction.
struct RandomOperations {
  private var random: SeededGenerator
  private let scale: Int
  private static let tables = ["words", "blobs", "numbers", "events", "scratch"]

  /// - Parameter scale: About how many keys a table may have.
  init(seed: UInt64, scale: Int) {
    random = SeededGenerator(seed: seed)
    self.scale = scale
  }

  static func hasIntegerKeys(_ name: String) -> Bool { name == "numbers" || name == "events" }

  private mutating func key(for name: String) -> [UInt8] {
    let number = UInt64(random.number(0..<scale))
    if Self.hasIntegerKeys(name) { return integerKey(number &* 7) }
    // The same number always gives the same key, of some length up to 511.
    var own = SeededGenerator(seed: number)
    let length = own.chance(10) ? own.number(100..<512) : own.number(1..<40)
    return own.bytes(length)
  }

  private mutating func valueLength(for name: String) -> Int {
    if name == "blobs" && random.chance(40) { return random.number(1900..<30_000) }
    if random.chance(1) { return random.number(2_000..<2_060) }
    if random.chance(5) { return random.number(200..<2_022) }
    return random.number(0..<100)
  }

  /// Does one transaction's work; now and then it is aborted instead.
  mutating func transaction(on file: StructureTestFile) throws {
    var copy = self
    try file.write { transaction in
      for _ in 0..<copy.random.number(1..<4) { try copy.burst(in: transaction) }
      return !copy.random.chance(5)
    }
    self = copy
  }

  /// A run of one kind of operation on one table.
  private mutating func burst(in transaction: StructureTestTransaction) throws {
    let name = Self.tables[random.number(0..<Self.tables.count)]
    if random.chance(5) {
      let main = try transaction.table(nil)
      try transaction.put(main, Array("header-\(random.number(0..<9))".utf8), random.bytes(60))
      return
    }
    let table = try transaction.table(name, integers: Self.hasIntegerKeys(name))
    switch random.number(0..<100) {
    case 0..<55:
      for _ in 0..<random.number(1..<max(2, scale / 4)) {
        let key = key(for: name)
        try transaction.put(table, key, random.bytes(valueLength(for: name)))
        // A second value in the same transaction may reuse overflow pages.
        if random.chance(10) {
          try transaction.put(table, key, random.bytes(valueLength(for: name)))
        }
      }
    case 55..<85:
      for _ in 0..<random.number(1..<max(2, scale / 4)) {
        try transaction.delete(table, key(for: name))
      }
    case 85..<95:
      let keys = try transaction.keys(table)
      let first = random.number(0..<keys.count + 1)
      for key in keys[first...].prefix(scale / 2) { try transaction.delete(table, key) }
    default:
      try transaction.drop(table, delete: random.chance(50))
    }
  }
}
