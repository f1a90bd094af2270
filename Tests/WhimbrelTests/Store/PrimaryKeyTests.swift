import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct PrimaryKeyTests {
  @Test func `integer keys of all sizes are found and in order`() throws {
    let test = try TestStore()
    let keys = [Int.max, .min, 0, -1, 1, .min + 1, .max - 1, 1 << 40, -(1 << 40)]
    let store = try test.open()
    try store.write {
      for key in keys { try store.add(Numbered(number: key, text: "\(key)")) }
    }
    let reopened = try test.open()
    #expect(reopened.objects(Numbered.self).map(\.number) == keys.sorted())
    for key in keys {
      #expect(reopened.object(ofType: Numbered.self, forPrimaryKey: key)?.text == "\(key)")
    }
    #expect(reopened.object(ofType: Numbered.self, forPrimaryKey: 2) == nil)
    #expect(reopened.object(ofType: Numbered.self, forPrimaryKey: "2") == nil)
    try test.expectWhole()
  }

  @Test func `small integer keys are found by their own type and by Int`() throws {
    let test = try TestStore([Small.self])
    let store = try test.open()
    try store.write { for key in Int8.min ... .max { try store.add(Small(key: key)) } }
    #expect(store.objects(Small.self).map(\.key) == Array(Int8.min ... .max))
    #expect(store.object(ofType: Small.self, forPrimaryKey: Int8(-128))?.key == -128)
    #expect(store.object(ofType: Small.self, forPrimaryKey: 127)?.key == 127)
    #expect(store.object(ofType: Small.self, forPrimaryKey: 128) == nil)
    try test.expectWhole()
  }

  @Test func `text keys longer than an index entry are told apart by their ends`() throws {
    let test = try TestStore()
    let prefix = String(repeating: "p", count: 420)
    let keys =
      ["", "\u{0}", "\u{0}\u{0}", "a", "a\u{0}", "a\u{0}b", prefix]
      + (0..<200).map { prefix + String($0) }
      + (398...404).flatMap { length in
        [String(repeating: "q", count: length), String(repeating: "\u{0}", count: length)]
      }
    #expect(Set(keys).count == keys.count)
    let store = try test.open()
    try store.write {
      for (number, key) in keys.enumerated() { try store.add(Named(name: key, number: number)) }
    }
    let reopened = try test.open()
    for (number, key) in keys.enumerated() {
      #expect(reopened.object(ofType: Named.self, forPrimaryKey: key)?.number == number)
    }
    #expect(reopened.object(ofType: Named.self, forPrimaryKey: prefix + "x") == nil)
    try reopened.write {
      for key in keys {
        try expectError(.duplicatePrimaryKey) { try reopened.add(Named(name: key)) }
      }
      for key in keys.prefix(100) {
        let object = try #require(reopened.object(ofType: Named.self, forPrimaryKey: key))
        try reopened.delete(object)
      }
    }
    #expect(reopened.objects(Named.self).count == keys.count - 100)
    for key in keys.prefix(100) {
      #expect(reopened.object(ofType: Named.self, forPrimaryKey: key) == nil)
    }
    try test.expectWhole()
  }

  @Test func `UUID keys are found`() throws {
    let test = try TestStore()
    let store = try test.open()
    let keys = Extremes.uuid + (0..<100).map { _ in UUID() }
    try store.write {
      for key in keys { try store.add(Tagged(tag: key, text: key.uuidString)) }
    }
    for key in keys {
      #expect(
        store.object(ofType: Tagged.self, forPrimaryKey: key)?.text == key.uuidString)
    }
    #expect(store.object(ofType: Tagged.self, forPrimaryKey: UUID()) == nil)
    try test.expectWhole()
  }

  // The six bytes of the text and its end read as the eight of an integer.
  @Test func `a key of another type finds nothing, whatever its bytes`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Named(name: "abcdef")) }
    let bits = UInt64(0x6162_6364_6566_0000) ^ (1 << 63)
    #expect(
      store.object(ofType: Named.self, forPrimaryKey: Int(Int64(bitPattern: bits))) == nil)
    #expect(store.object(ofType: Named.self, forPrimaryKey: Data("abcdef".utf8)) == nil)
    #expect(store.object(ofType: Named.self, forPrimaryKey: "abcdef") != nil)
  }

  @Test func `a class without a primary key finds nothing and says why`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Node(name: "a")) }
    #expect(store.object(ofType: Node.self, forPrimaryKey: "a") == nil)
    try expectError(.noPrimaryKey) { try store.refresh() }
  }

  @Test func `a clustered object gives way to a new one under its key`() throws {
    let test = try TestStore()
    let store = try test.open()
    let owner = Numbered(number: 1, partner: Numbered(number: 2, text: "old"))
    try store.write { try store.add(owner) }
    try store.write {
      try store.delete(try #require(owner.partner))
      #expect(owner.partner == nil)
      try store.add(Numbered(number: 2, text: "new"))
      #expect(owner.partner == nil)
    }
    #expect(store.object(ofType: Numbered.self, forPrimaryKey: 2)?.text == "new")
    try test.expectWhole()
  }
}

@Model
final class Small {
  @PrimaryKey var key: Int8
}
