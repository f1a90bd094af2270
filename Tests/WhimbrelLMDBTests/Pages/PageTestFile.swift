import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// An entry of a table, and which bytes of the file it is made of.
struct PageTestEntry: Equatable {
  let key: [UInt8]
  let value: [UInt8]
  /// The key, the value, and the number of the page where the value is if it is elsewhere.
  var places: [Range<Int>] = []

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.value == right.value
  }
}

extension EnvironmentTestFile {
  /// Fills both tables at random, so that there are several levels, and deletes some entries.
  func fillAtRandom(seed: UInt64, scale: Int, rounds: Int = 3) throws {
    let environment = try environment()
    let (numbers, words) = (try environment.numbers, try environment.words)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<rounds {
      let generator = random
      random = try environment.write { view throws(LMDBError) in
        var random = generator
        for _ in 0..<scale {
          let number = UInt64(random.number(0..<scale * 2)) &* 0x1_0001
          let value = random.bytes(Self.valueLength(&random))
          if random.chance(25) {
            _ = try view.remove(numbers, number)
          } else {
            _ = try PageBytes.with(value) { value throws(LMDBError) in
              try view.put(numbers, number, value)
            }
          }
          var own = SeededGenerator(seed: UInt64(random.number(0..<scale)))
          let key = own.bytes(own.chance(10) ? own.number(100..<512) : own.number(1..<40))
          if random.chance(25) {
            _ = try PageBytes.with(key) { key throws(LMDBError) in try view.remove(words, key) }
          } else {
            _ = try view.put(words, key, random.bytes(Self.valueLength(&random)))
          }
        }
        return random
      }
    }
  }

  private static func valueLength(_ random: inout SeededGenerator) -> Int {
    if random.chance(3) { return random.number(2_000..<20_000) }
    return random.chance(10) ? random.number(0..<2_000) : random.number(0..<120)
  }
}

extension ReadView {
  /// All entries, by LMDB's cursor.
  func entries(_ table: Table) throws -> [PageTestEntry] {
    var entries: [PageTestEntry] = []
    try cursor(table).forEachEntry {
      entries.append(PageTestEntry(key: $0.array, value: $1.array))
    }
    return entries
  }
}

extension PageSnapshot {
  /// All entries, with the places of their bytes in the file.
  func entries(_ table: Table, base: UInt = 0) throws(LMDBError) -> [PageTestEntry] {
    var entries: [PageTestEntry] = []
    try cursor(table).forEachEntry { key, value in
      var entry = PageTestEntry(key: key.array, value: value.array)
      if base > 0 {
        let start = unsafe Int(UInt(bitPattern: key.base) - base)
        let content = unsafe Int(UInt(bitPattern: value.base) - base)
        entry.places = [start..<start + key.count + 8, content..<content + value.count]
      }
      entries.append(entry)
    }
    return entries
  }
}

/// The pages of a transaction that reads pages.
func requirePages(_ pages: PageSnapshot?) throws -> PageSnapshot { try #require(pages) }
