import Foundation
import Testing
import WhimbrelEngine

/// What Realm's users know of migrations, row by row of its reference, with our answers.
/// What other tests of this folder say already is not said again.
struct RealmBehaviourTests {
  private static let person = ClassSchema("Person", .required("name", .string))

  private func people(_ names: [String] = ["a", "b", "c"]) throws -> TestStore {
    try TestStore([Self.person]) { session in
      for name in names { try session.create("Person", ["name": .string(name)]) }
    }
  }

  // MARK: What a block can do

  @Test func `a class that neither side has is nothing to enumerate or delete`() throws {
    let store = try people()
    try store.open([Self.person], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Invoice") { _, _ in Issue.record("called") }
      #expect(try !migration.deleteData(forType: "Invoice"))
      #expect(try migration.deleteData(forType: "Person"))
      #expect(migration.oldSchema["Person"] != nil)
    }
    #expect(try store.contents().list("Person").isEmpty)
  }

  @Test func `objects that are created take the defaults of the model`() throws {
    let store = try people([])
    let classes = [
      ClassSchema(
        "Person", .required("name", .string), .required("age", .int, default: 42),
        .optional("note", .string), .list("tags", .string))
    ]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in try migration.create("Person") }
    }
    #expect(error?.code == .missingValue && error?.context.propertyName == "name")
    try store.open(classes, version: 2) { migration, _ in
      try migration.create("Person", ["name": "new"])
    }
    #expect(
      try store.contents().list("Person") == [["name": "new", "age": 42, "note": nil, "tags": []]])
  }

  @Test func `a plan of a file that is missing makes none`() throws {
    let store = try people()
    let path = store.path + "-missing"
    let request = TestStore.request(path, [Self.person], version: 2)
    let declaration = try #require(request.declaration)
    #expect(
      storeError { _ = try StoreFile.migrationPlan(request, declaration) }?.code == .fileNotFound)
    #expect(!FileManager.default.fileExists(atPath: path))
    // And one of a file says its version, and leaves every byte.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    #expect(try store.plan([], version: 9).fromVersion == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
  }

  @Test func `opening what is up to date waits for no writer`() throws {
    let store = try people()
    try store.write { session in
      try session.create("Person", ["name": "d"])
      try store.open([Self.person], version: 1)
      #expect(try store.contents().list("Person").count == 3)
    }
    #expect(try store.contents().list("Person").count == 4)
  }

  // MARK: Properties

  // Realm gives an enum's property the empty text, which is no case.
  @Test func `an enum that is added has its default, or needs code`() throws {
    func classes(_ value: PropertyDefault) -> [ClassSchema] {
      [
        ClassSchema(
          "Person", .required("name", .string),
          PropertySchema(name: "kind", type: .string, defaultValue: value, cases: ["dog", "cat"]))
      ]
    }
    let store = try people()
    #expect(try store.plan(classes(.none), version: 2).changes.map(\.kind) == [.needsCode])
    #expect(storeError { try store.open(classes(.none), version: 2) }?.code == .migrationUnset)
    try store.open(classes(.value("cat")), version: 2)
    #expect(try store.contents().values("Person", "kind") == ["cat", "cat", "cat"])
  }

  // Realm zeroes every value, also those that are not nil.
  @Test func `what becomes required keeps its values`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int))]) { session in
      for number: Int64 in 1...3 { try session.create("A", ["a": .int(number)]) }
    }
    try store.open([ClassSchema("A", .required("a", .int))], version: 2)
    #expect(try store.contents().values("A", "a") == [1, 2, 3])
  }

  @Test func `old objects have enums as their raw values, and cases that are gone`() throws {
    func classes(_ cases: [String]) -> [ClassSchema] {
      [ClassSchema("A", PropertySchema(name: "kind", type: .string, cases: cases))]
    }
    let store = try TestStore(classes(["dog", "cat"])) { session in
      for kind in ["dog", "cat"] { try session.create("A", ["kind": .string(kind)]) }
    }
    try store.open(classes(["hound", "cat"]), version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if try #require(old)["kind", as: String.self] == "dog" { new?["kind"] = "hound" }
      }
    }
    #expect(try store.contents().values("A", "kind") == ["hound", "cat"])
  }

  // MARK: Primary keys

  // With Realm all would have 0, and the app the error of duplicates.
  @Test func `a number that becomes the key of objects without one is for code to give`() throws {
    let store = try people()
    let classes = [ClassSchema("Person", .required("name", .string), .key("id"))]
    #expect(
      try store.plan(classes, version: 2).changes.map(\.kind) == [.needsCode, .indexBuild])
    #expect(storeError { try store.open(classes, version: 2) }?.code == .migrationUnset)
    try store.open(classes, version: 2) { migration, _ in
      var next: Int64 = 10
      try migration.enumerateObjects(ofType: "Person") { _, new in
        new?["id"] = .int(next)
        next += 1
      }
    }
    #expect(try store.contents().values("Person", "id") == [10, 11, 12])
    #expect(try store.findings() == [])
  }

  @Test func `nil in what becomes the key is named, or set by code`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .string))]) { session in
      for value: PropertyValue in ["x", nil, "y"] { try session.create("A", ["a": value]) }
    }
    let classes = [ClassSchema("A", .key("a", .string))]
    #expect(try store.check(classes).map(\.rule) == [.required])
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationNil && error?.context.objectID?.rawValue == 2)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if old?["a"] == .null { new?["a"] = "made" }
      }
    }
    #expect(try store.contents().values("A", "a") == ["x", "made", "y"])
    #expect(try store.findings() == [])
  }

  @Test func `two objects may have one key until the block is over`() throws {
    let store = try TestStore([ClassSchema("A", .key("a", .string))]) { session in
      try session.create("A", ["a": "x"])
    }
    let classes = [ClassSchema("A", .key("a", .string), .required("n", .int, default: 1))]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in try migration.create("A", ["a": "x"]) }
    }
    #expect(error?.code == .migrationDuplicateKeys)
    #expect(error?.context.objectIDs.map(\.rawValue) == [1, 2])
    try store.open(classes, version: 2) { migration, _ in
      let made = try migration.create("A", ["a": "x"])
      made["a"] = "y"
    }
    #expect(try store.contents().values("A", "a") == ["x", "y"])
  }

  // MARK: Embedded objects

  // As Realm, which refuses to make a class embedded that a Mixed value leads to.
  @Test func `a class that a value of any type leads to does not become embedded`() throws {
    let old = [
      ClassSchema("Owner", .link("address", to: "Address"), .required("any", .any)),
      ClassSchema("Address", .required("town", .string)),
    ]
    let store = try TestStore(old) { session in
      let table = try session.table("Address").resolved.id
      let ids = try ["x", "y"].map { try session.create("Address", ["town": .string($0)]) }
      for id in ids {
        try session.create(
          "Owner",
          [
            "address": .link(ids[0]), "any": .object(ObjectReference(classID: table, id: id)),
          ])
      }
    }
    let before = try store.contents()
    let embedded = ClassSchema.embedded("Address", .required("town", .string))
    let error = storeError { try store.open([old[0], embedded], version: 2) }
    #expect(error?.code == .embeddedHasOwner)
    #expect(error?.description.contains("'Owner.any' of object 1") == true)
    #expect(try store.contents() == before)
    // Where the block has dealt with the values, the class becomes embedded.
    try store.open([old[0], embedded], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Owner") { _, new in new?["any"] = .null }
    }
    #expect(try store.contents().values("Address", "town") == ["x", "x"])
    #expect(try store.findings() == [])
  }

  @Test func `embedded objects are made in a block, and given to their owners`() throws {
    let store = try people()
    let classes = [
      ClassSchema(
        "Person", .required("name", .string), .link("home", to: "Address"),
        .list("others", .link(to: "Address"))),
      ClassSchema.embedded("Address", .required("town", .string)),
    ]
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { old, new in
        let home = try migration.create("Address", ["town": try #require(old)["name"]])
        try new?.set("home", to: home)
        try new?.list("others").append(.link(try migration.create("Address", ["town": "o"]).id))
      }
    }
    #expect(Set(try store.contents().values("Address", "town")) == ["a", "b", "c", "o"])
    #expect(try store.contents().list("Address").count == 6)
    #expect(try store.findings() == [])
  }
}
