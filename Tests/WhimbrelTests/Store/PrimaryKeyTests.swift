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
    try test.expectWhole()
  }

  @Test func `small integer keys are found by their own type and by Int`() throws {
    let test = try TestStore([Small.self])
    let store = try test.open()
    try store.write { for key in Int8.min ... .max { try store.add(Small(key: key)) } }
    #expect(store.objects(Small.self).map(\.key) == Array(Int8.min ... .max))
    #expect(store.object(ofType: Small.self, forPrimaryKey: Int8(-128))?.key == -128)
    #expect(store.object(ofType: Small.self, forPrimaryKey: 127)?.key == 127)
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
  @Test func `a key of another type is an error, whatever its bytes`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Named(name: "abcdef")) }
    let bits = UInt64(0x6162_6364_6566_0000) ^ (1 << 63)
    for key in [.int(Int64(bitPattern: bits)), .data(Data("abcdef".utf8)), .null] as [PropertyValue]
    {
      try expectError(.wrongType) {
        try store.dynamicObject(ofType: "Named", forPrimaryKey: key)
      }
    }
    let error = try expectError(.wrongType) {
      try store.dynamicObject(ofType: "Numbered", forPrimaryKey: "1")
    }
    #expect(
      error.description
        == "Could not look up an object of 'Numbered' by its primary key: 'number' holds 'int' "
        + "and was given 'string'. Give a key of type 'int'.")
    try expectError(.noPrimaryKey) { try store.dynamicObject(ofType: "Node", forPrimaryKey: "a") }
    #expect(store.object(ofType: Named.self, forPrimaryKey: "abcdef") != nil)
    #expect(try store.dynamicObject(ofType: "Named", forPrimaryKey: "abcdef") != nil)
    #expect(try store.dynamicObject(ofType: "Named", forPrimaryKey: "abcde") == nil)
  }

  // The IDs of such objects encode the keys that they had. The error named neither object.
  @Test func `an object whose class has lost its integer key is named by its ID`() throws {
    let test = try TestStore([BadgeWithKey.Badge.self], version: 1)
    let old = try test.open()
    try old.write {
      for number in 1...2 { try old.add(BadgeWithKey.Badge(number: number, text: "a")) }
    }
    try old.write { try old.add(BadgeWithKey.Badge(number: 3, text: "b")) }
    try old.close()
    var store = try test.open([BadgeWithoutKey.Badge.self], version: 2)
    let ids = store.objects(BadgeWithoutKey.Badge.self).ids
    #expect(ids.allSatisfy { $0.rawValue > 1 << 62 })
    try store.close()
    let duplicate = try expectError(.migrationDuplicateKeys) {
      try test.open([BadgeWithIndex.Badge.self], version: 3)
    }
    #expect(ids.prefix(2).allSatisfy { duplicate.message.contains("\($0)") }, "\(duplicate)")
    store = try test.open([BadgeWithoutKey.Badge.self], version: 2)
    try store.write { store.objects(BadgeWithoutKey.Badge.self).first?.text = "c" }
    try store.close()
    store = try test.open([BadgeWithIndex.Badge.self], version: 3)
    let badges = store.objects(BadgeWithIndex.Badge.self)
    let error = try expectError(.duplicateValues) {
      try store.write { badges.first?.text = "b" }
    }
    #expect(
      error.message
        == "Could not write object \(ids[0]) of 'Badge': object \(ids[2]) already has the same "
        + "'text'.")
  }

  // `store.object(ofType: Numbered.self, forPrimaryKey: "1")` does not compile, nor does a
  // look-up of a `Node`.
  @Test func `a look-up takes a key of the property's own type`() throws {
    #expect(Numbered._$Key.self == Int.self)
    #expect(Small._$Key.self == Int8.self)
    #expect(Named._$Key.self == String.self)
    #expect(Tagged._$Key.self == UUID.self)
    #expect(Node._$Key.self == NoPrimaryKey.self)
    #expect(ShownWithHiddenKey._$Key.self == HiddenPrimaryKey.self)
  }

  @Test func `a key that can be seen less far than its model is checked at run time`() async throws
  {
    let test = try TestStore([ShownWithHiddenKey.self])
    let store = try test.open()
    try store.write { try store.add(ShownWithHiddenKey(key: .second)) }
    #expect(store.object(ofType: ShownWithHiddenKey.self, forPrimaryKey: HiddenKey.second) != nil)
    #expect(store.object(ofType: ShownWithHiddenKey.self, forPrimaryKey: HiddenKey.first) == nil)
    let key = HiddenPrimaryKey(HiddenKey.second)
    #expect(store.object(ofType: ShownWithHiddenKey.self, forPrimaryKey: key) != nil)
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore([ShownWithHiddenKey.self]).open()
      _ = store.object(ofType: ShownWithHiddenKey.self, forPrimaryKey: "1")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("'key' holds 'int' and was given 'string'"))
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

private enum BadgeWithKey {
  @Model
  final class Badge {
    @PrimaryKey var number: Int
    var text: String
  }
}

private enum BadgeWithoutKey {
  @Model
  final class Badge {
    var number: Int
    var text: String
  }
}

private enum BadgeWithIndex {
  @Model
  final class Badge {
    var number: Int
    @Indexed(.unique) var text: String
  }
}
