import Testing
import WhimbrelEngine

/// What `enumerateObjects` visits, and what happens when the block changes other
/// objects meanwhile.
///
/// Every test runs with few small objects, and with so many large ones that
/// batches are committed between objects.
struct EnumerationTests {
  /// How many objects there are, and how many bytes each has.
  struct Size: Sendable, CustomTestStringConvertible {
    let count: Int
    let padding: Int
    var testDescription: String { "\(count) objects of \(padding) bytes" }
  }

  static let sizes = [Size(count: 20, padding: 0), Size(count: 60, padding: 200_000)]

  static let old = [
    ClassSchema("Item", .key("key", .string), .required("value", .int), .required("text", .string))
  ]
  static let new = [
    ClassSchema(
      "Item", .key("key", .string), .required("value", .int), .required("text", .string),
      .required("double", .int), .link("next", to: "Item"))
  ]

  private func store(_ size: Size) throws -> TestStore {
    try TestStore(Self.old) { session in
      let text = String(repeating: "x", count: size.padding)
      for number in 0..<size.count {
        try session.create(
          "Item", ["key": "k\(number)", "value": .int(Int64(number)), "text": .string(text)])
      }
    }
  }

  /// Migrates, and gives what became of `double` by key, and the number of links.
  private func migrate(
    _ size: Size, _ block: @escaping MigrationBlock
  ) throws -> (doubles: [String: Int64], objects: [StoreContents.Object]) {
    let store = try store(size)
    try store.open(Self.new, version: 2, block)
    #expect(try store.findings() == [])
    let contents = try store.contents()
    var doubles: [String: Int64] = [:]
    for object in contents.list("Item") {
      guard case .string(let key) = object["key"], case .int(let value) = object["double"] else {
        continue
      }
      #expect(doubles.updateValue(value, forKey: key) == nil)
    }
    return (doubles, contents.list("Item"))
  }

  private static func double(_ old: DynamicObject, _ new: DynamicObject) throws {
    try new.set("double", to: 2 * (try old["value", as: Int.self]))
  }

  private static func expected(_ numbers: some Sequence<Int>) -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: numbers.map { ("k\($0)", Int64(2 * $0)) })
  }

  private static func number(_ object: DynamicObject) throws -> Int {
    try object["value", as: Int.self]
  }

  @Test(arguments: sizes) func `old and new are pairs, in the order of IDs`(_ size: Size) throws {
    let seen = Notes<ObjectID>()
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        #expect(old.id == new.id)
        #expect(try old.value("text") == new.value("text"))
        #expect(new["double"] == .null)
        seen.add(old.id)
        try Self.double(old, new)
      }
    }
    #expect(result.doubles == Self.expected(0..<size.count))
    #expect(seen.count == size.count && seen.all == seen.all.sorted())
  }

  @Test(arguments: sizes) func `deleted objects are skipped, ahead and behind`(_ size: Size) throws
  {
    let seen = Notes<Int>()
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        let number = try Self.number(old)
        seen.add(number)
        try Self.double(old, new)
        func delete(_ number: Int) throws {
          let other = try migration.object(ofType: "Item", forPrimaryKey: "k\(number)")
          if let other { try migration.delete(other) }
        }
        if number == 5 { try delete(8) }
        if number == 10 { try delete(3) }
        if number == 12 { try migration.delete(new) }
      }
      try migration.enumerateObjects(ofType: "Item") { old, _ in
        let number = try Self.number(try #require(old))
        #expect(![8, 3, 12].contains(number))
      }
    }
    #expect(result.doubles == Self.expected((0..<size.count).filter { ![3, 8, 12].contains($0) }))
    #expect(seen.all == (0..<size.count).filter { $0 != 8 })
  }

  @Test(arguments: sizes) func `deleting ahead without a look-up is skipped too`(_ size: Size)
    throws
  {
    let seen = Notes<Int>()
    let result = try migrate(size) { migration, _ in
      var kept: [DynamicObject] = []
      // Only what has been given may be kept: stop before the end.
      try? migration.enumerateObjects(ofType: "Item") { old, new in
        kept.append(try #require(new))
        if kept.count == 4 { throw BlockError() }
      }
      try migration.delete(kept[1])
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        seen.add(try Self.number(old))
        try Self.double(old, new)
      }
    }
    #expect(result.doubles == Self.expected((0..<size.count).filter { $0 != 1 }))
    #expect(seen.all == (0..<size.count).filter { $0 != 1 })
  }

  @Test(arguments: sizes) func `created objects are not visited`(_ size: Size) throws {
    let seen = Notes<Int>()
    let result = try migrate(size) { migration, _ in
      for _ in 0..<2 {
        try migration.enumerateObjects(ofType: "Item") { old, new in
          let (old, new) = (try #require(old), try #require(new))
          let number = try Self.number(old)
          seen.add(number)
          try Self.double(old, new)
          let key = PropertyValue.string("new\(seen.count)")
          let made = try migration.create(
            "Item", ["key": key, "value": -1, "text": "", "double": -2])
          new["next"] = made.link
        }
      }
    }
    #expect(seen.count == 2 * size.count)
    #expect(result.doubles.count == 3 * size.count)
    #expect(result.objects.filter { $0["next"] != .null }.count == size.count)
  }

  @Test(arguments: sizes) func `enumerations of the same class nest`(_ size: Size) throws {
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        let number = try Self.number(old)
        try Self.double(old, new)
        guard number % 7 == 3 else { return }
        var count = 0
        try migration.enumerateObjects(ofType: "Item") { inner, innerNew in
          let (inner, innerNew) = (try #require(inner), try #require(innerNew))
          count += 1
          #expect(inner.id == innerNew.id)
          if inner.id == old.id { #expect(innerNew["double"] == .int(Int64(2 * number))) }
          if try Self.number(inner) == number + 1 { new["next"] = innerNew.link }
        }
        #expect(count == size.count)
        // The outer object is still that of before.
        #expect(try Self.number(old) == number)
        #expect(try Self.number(new) == number)
      }
    }
    #expect(result.doubles == Self.expected(0..<size.count))
    for object in result.objects {
      guard case .int(let number) = object["value"] else { continue }
      let hasNext = number % 7 == 3 && Int(number) + 1 < size.count
      #expect((object["next"] != .null) == hasNext)
    }
  }

  // An inner enumeration that was left by an error kept the object that it had
  // just been given in the encoder; the outer one took it for gone, and the next
  // object was written over it.
  @Test(arguments: sizes)
  func `leaving an inner enumeration by an error loses no object`(_ size: Size) throws {
    let seen = Notes<Int>()
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        let number = try Self.number(old)
        seen.add(number)
        try Self.double(old, new)
        guard number % 6 == 5 else { return }
        do {
          try migration.enumerateObjects(ofType: "Item") { inner, _ in
            if try Self.number(try #require(inner)) == number + 2 { throw BlockError() }
          }
        } catch StoreError.Code.migrationBlockFailed {}
      }
    }
    #expect(result.doubles == Self.expected(0..<size.count))
    #expect(seen.all == Array(0..<size.count))
  }

  @Test(arguments: sizes) func `others may be changed, ahead and behind`(_ size: Size) throws {
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        let number = try Self.number(old)
        if number == 5 || number == 10 {
          for other in [2, 7, 15] {
            let object = try #require(
              try migration.object(ofType: "Item", forPrimaryKey: "k\(other)"))
            try object.set("double", to: 2 * other)
            object["text"] = .string("by \(number)")
          }
        }
        if ![2, 7, 15].contains(number) { try Self.double(old, new) }
      }
    }
    #expect(result.doubles == Self.expected(0..<size.count))
    #expect(result.objects[7]["text"] == "by 10" && result.objects[2]["text"] == "by 10")
    #expect(result.objects[15]["text"] == "by 10")
  }

  @Test(arguments: sizes) func `keys that have changed are found, old ones not`(_ size: Size) throws
  {
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        let number = try Self.number(old)
        try Self.double(old, new)
        new["key"] = .string("new\(number)")
        guard number % 5 == 1 else { return }
        let found = try migration.object(ofType: "Item", forPrimaryKey: .string("new\(number)"))
        #expect(found?.id == new.id)
        #expect(try migration.object(ofType: "Item", forPrimaryKey: .string("k\(number)")) == nil)
        #expect(
          try migration.object(ofType: "Item", forPrimaryKey: .string("k\(number + 1)")) != nil)
      }
    }
    #expect(Set(result.doubles.keys) == Set((0..<size.count).map { "new\($0)" }))
  }

  @Test(arguments: sizes) func `deleting everything leaves nothing to visit`(_ size: Size) throws {
    let seen = Notes<Int>()
    let result = try migrate(size) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        let number = try Self.number(try #require(old))
        seen.add(number)
        guard number == 4 else { return }
        try migration.deleteData(forType: "Item")
        try migration.create("Item", ["key": "k9", "value": 9, "text": "", "double": 18])
      }
      try migration.enumerateObjects(ofType: "Item") { _, _ in seen.add(-1) }
    }
    #expect(seen.all == [0, 1, 2, 3, 4])
    #expect(result.doubles == ["k9": 18])
  }
}
