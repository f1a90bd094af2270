import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// The keys of decimal numbers and of identifiers sort as those do.
struct DecimalKeyTests {
  private func key(_ value: PropertyValue) -> [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(value, isOptional: false, to: &key)
    return key
  }

  private static func decimals(seed: UInt64) -> [Decimal] {
    var generator = SeededGenerator(seed: seed)
    let fixed = [
      "0", "1", "-1", "0.1", "-0.1", "9.99", "10", "10.01",
      "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "1e127",
      "-1e127", "1e-127", "-1e-127", "1e-126",
      "340282366920938463463374607431768211455",
    ].compactMap { Decimal(string: $0) }
    let random = (0..<150).map { _ in RandomValues.decimal(using: &generator) }
    // Neighbours: of the same digits, and of the same power.
    let near = (0..<50).flatMap { number in
      [Decimal(number) / 10, Decimal(number), Decimal(-number) / 100]
    }
    return fixed + random.filter { !$0.isNaN } + near
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `decimal numbers sort as their keys do`(seed: UInt64) {
    let numbers = Self.decimals(seed: seed)
    let keys = numbers.map { key(.decimal($0)) }
    #expect(keys.allSatisfy { $0.count == 23 })
    for (left, leftKey) in zip(numbers, keys) {
      for (right, rightKey) in zip(numbers, keys) {
        let isLess = leftKey.lexicographicallyPrecedes(rightKey)
        if isLess != (left < right) || (leftKey == rightKey) != (left == right) {
          Issue.record("\(left) and \(right), seed \(seed)")
        }
      }
    }
  }

  @Test func `what is no number follows all numbers`() {
    let nan = key(.decimal(.nan))
    #expect(nan == key(.decimal(.nan)) && nan.count == 23)
    for number in Self.decimals(seed: 4) {
      #expect(key(.decimal(number)).lexicographicallyPrecedes(nan))
    }
  }

  /// The bytes are those of the article *The file format*.
  @Test(
    arguments: [
      ("1", [2, 0x40, 0x01, 0x10]), ("1e100", [2, 0x40, 0x65, 0x10]),
      ("0.0123", [2, 0x3F, 0xFF, 0x12, 0x30]), ("-120", [0, 0xBF, 0xFC, 0xED]), ("0", [1]),
    ] as [(String, [UInt8])])
  func `a key has the power of the first digit and the digits`(number: String, start: [UInt8])
    throws
  {
    let fill: UInt8 = number.hasPrefix("-") ? 0xFF : 0
    let rest = [UInt8](repeating: fill, count: 23 - start.count)
    #expect(key(.decimal(try #require(Decimal(string: number)))) == start + rest)
  }

  @Test(
    arguments: [
      "10e127", "-1200000e127", "10000000000000000000000000000000000000e127", "1e127", "-1e-128",
    ])
  func `a number is read as it was stored, whatever its power of ten`(text: String) throws {
    let number = try #require(Decimal(string: text))
    let words = number.words
    #expect(Decimal(words: words[0], words[1], words[2]) == number)
    #expect(Decimal(exactText: number.exactText) == number)
  }

  @Test func `identifiers sort by their bytes`() {
    var generator = SeededGenerator(seed: 5)
    let ids = (0..<200).map { _ in
      ObjectId(
        high: UInt64.random(in: 0...3, using: &generator) << 62 | 7,
        low: UInt32.random(in: 0 ... .max, using: &generator))
    }
    for left in ids {
      for right in ids {
        let isLess = key(.objectId(left)).lexicographicallyPrecedes(key(.objectId(right)))
        #expect(isLess == (left < right))
      }
    }
    #expect(key(.objectId(ids[0])).count == 12)
  }

  @Test func `an index finds decimal numbers and identifiers, however they are written`() throws {
    let id = ObjectId(high: 1, low: 2)
    let store = try TestStore([
      ClassSchema("Price", .indexed("amount", .decimal), .key("id", .objectId))
    ]) { session in
      let amount = Decimal(string: "1.50") ?? 0
      try session.create("Price", ["amount": .decimal(amount), "id": .objectId(id)])
    }
    let session = try store.session()
    let table = try session.table("Price")
    let found = try table.find(0, equalTo: .decimal(Decimal(string: "1.5") ?? 0))
    #expect(try found == [table.find(.objectId(id))].compactMap(\.self) && found.count == 1)
    #expect(try store.findings() == [])
  }
}
