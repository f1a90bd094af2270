import Testing
import WhimbrelEngine

/// Primary keys that come, go, and change with a migration.
struct PrimaryKeyTests {
  private func numbered(_ numbers: [Int64]) throws -> TestStore {
    try TestStore([
      ClassSchema("A", .key("id"), .required("code", .string), .link("next", to: "A"))
    ]) { session in
      var last: ObjectID?
      for number in numbers {
        last = try session.create(
          "A", ["id": .int(number), "code": "c\(number)", "next": last.map { .link($0) } ?? .null])
      }
    }
  }

  private static func classes(_ properties: PropertySchema...) -> [ClassSchema] {
    [ClassSchema(name: "A", properties: properties + [.link("next", to: "A")])]
  }

  @Test(arguments: [[1, 2, 3], [.min, -1, 0, .max]] as [[Int64]])
  func `a clustered class goes on without its key, or with another`(_ numbers: [Int64]) throws {
    for target in [
      Self.classes(.required("id", .int), .required("code", .string)),
      Self.classes(.required("id", .int), .key("code", .string)),
      Self.classes(.key("id", .string), .required("code", .string)),
    ] {
      let store = try numbered(numbers)
      let ids = try store.contents().objects["A"]?.keys.sorted()
      try store.open(target, version: 2)
      #expect(try store.contents().objects["A"]?.keys.sorted() == ids)
      #expect(try store.contents().catalog["A"]?.isClustered == false)
      #expect(try store.findings() == [])
      try store.write { session in
        for number in 100..<103 {
          let isText = target[0]["id"]?.type == .string
          let made = try session.create(
            "A", ["id": isText ? "\(number)" : .int(Int64(number)), "code": "new\(number)"])
          #expect(ids?.contains(made.rawValue) == false)
        }
      }
      #expect(try store.contents().list("A").count == numbers.count + 3)
      #expect(try store.findings() == [])
      #expect(
        try store.contents().list("A").filter { $0["next"] != .null }.count == numbers.count - 1)
    }
  }

  @Test func `keys may change in the block, and links survive it`() throws {
    let store = try numbered([1, 2, 3])
    let classes = Self.classes(.key("id"), .required("code", .string))
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        // Each takes the key of another, so duplicates come and go.
        let number = try #require(old)["id", as: Int.self]
        try new?.set("id", to: number % 3 + 1)
        #expect(
          try migration.object(ofType: "A", forPrimaryKey: .int(Int64(number % 3 + 1))) != nil)
      }
    }
    let contents = try store.contents()
    #expect(contents.values("A", "id") == [2, 3, 1])
    #expect(contents.values("A", "code") == ["c1", "c2", "c3"])
    #expect(contents.list("A").filter { $0["next"] != .null }.count == 2)
    #expect(try store.findings() == [])
    try store.write { try $0.create("A", ["id": 7, "code": "c7"]) }
    #expect(
      storeError { try store.write { try $0.create("A", ["id": 2, "code": ""]) } }?.code
        == .duplicatePrimaryKey)
    #expect(try store.findings() == [])
  }

  // No ID follows that of the largest key. The next ID was then below those of the other objects,
  // and once the object was deleted, the check said that theirs would be assigned again.
  @Test(arguments: [false, true])
  func `a class loses its order, and then the object with the largest key`(
    _ isByBlock: Bool
  ) throws {
    let store = try numbered([1, 2, .max])
    let plain = Self.classes(.required("id", .int), .required("code", .string))
    let keyed = Self.classes(.key("id"), .required("code", .string))
    try store.open(isByBlock ? keyed : plain, version: 2) { migration, _ in
      guard isByBlock else { return }
      let made = try migration.create("A", ["id": 3, "code": "c3"])
      made["id"] = 4
    }
    #expect(try store.contents().catalog["A"]?.isClustered == false)
    try store.write { try $0.table("A").remove(ObjectID(rawValue: .max)) }
    #expect(try store.findings() == [])
    try store.write { try $0.create("A", ["id": 7, "code": "c7"]) }
    #expect(try store.findings() == [])
  }

  // The object that the block has just been given was found under its old key.
  @Test func `the object at hand is found under its new key only`() throws {
    let store = try numbered([1, 2, 3])
    let classes = Self.classes(.key("id"), .required("code", .string))
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        let number = Int64(try #require(old)["id", as: Int.self])
        new?["id"] = .int(number + 100)
        #expect(try migration.object(ofType: "A", forPrimaryKey: .int(number)) == nil)
        #expect(try migration.object(ofType: "A", forPrimaryKey: .int(number + 100))?.id == new?.id)
      }
    }
    #expect(try store.contents().values("A", "id") == [101, 102, 103])
  }

  @Test func `duplicates are named with their values and objects`() throws {
    let store = try TestStore([ClassSchema("A", .required("code", .string))]) {
      for code in ["a", "b", "a", "c", "b", "a"] { try $0.create("A", ["code": .string(code)]) }
    }
    let before = try store.contents()
    for block in [nil, { migration, _ in try migration.enumerateObjects(ofType: "A") { _, _ in } }]
      as [MigrationBlock?]
    {
      let error = storeError {
        try store.open([ClassSchema("A", .key("code", .string))], version: 2, block)
      }
      #expect(error?.code == .migrationDuplicateKeys)
      #expect(error?.context.count == 2)
      #expect(error?.context.objectIDs.map(\.rawValue) == [1, 3, 6, 2, 5])
      #expect(error?.message.contains("'a'") == true && error?.message.contains("'b'") == true)
      #expect(try store.contents() == before)
    }
    try store.open([ClassSchema("A", .key("code", .string))], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        new?["code"] = .string("x\(try #require(old).id)")
      }
    }
    #expect(try store.findings() == [])
  }

  // An object that was created with the key of one deleted got its object ID: it
  // was visited as if it were the old one, and links to the old one led to it.
  @Test(arguments: [0, 1, 2])
  func `an object created with a deleted one's key is another object`(_ way: Int) throws {
    let store = try numbered([1, 2, 3])
    let seen = Notes<String>()
    let classes = Self.classes(.key("id"), .required("code", .string))
    try store.open(classes, version: 2) { migration, _ in
      if way == 0 { try migration.enumerateObjects(ofType: "A") { _, _ in } }
      if way == 2 {
        try migration.deleteData(forType: "A")
      } else if let second = try migration.object(ofType: "A", forPrimaryKey: 2) {
        try migration.delete(second)
      }
      try migration.create("A", ["id": 2, "code": "new"])
      try migration.enumerateObjects(ofType: "A") { old, new in
        seen.add("\(try #require(old)["code", as: String.self]) \(new?["code"] ?? nil)")
      }
    }
    #expect(seen.all.count == (way == 2 ? 0 : 2))
    let contents = try store.contents()
    #expect(contents.list("A").count == (way == 2 ? 1 : 3))
    // 2 led to 1 and 3 to 2.
    #expect(contents.list("A").allSatisfy { $0["next"] == .null })
    #expect(try store.findings() == [])
  }

  @Test func `a new class may lose its order while it is filled`() throws {
    let store = try numbered([1])
    let classes =
      Self.classes(.key("id"), .required("code", .string)) + [
        ClassSchema("B", .key("id"), .required("name", .string))
      ]
    try store.open(classes, version: 2) { migration, _ in
      let first = try migration.create("B", ["id": 1, "name": "one"])
      try migration.create("B", ["id": 2, "name": "two"])
      first["id"] = 5
      try migration.create("B", ["id": 9, "name": "nine"])
    }
    #expect(Set(try store.contents().values("B", "id")) == [5, 2, 9])
    #expect(try store.findings() == [])
    try store.write {
      for id in 10..<20 { try $0.create("B", ["id": .int(Int64(id)), "name": ""]) }
    }
    #expect(try store.findings() == [])
  }
}
