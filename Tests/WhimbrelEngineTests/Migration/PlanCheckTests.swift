import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// What is found in the data before a migration.
struct PlanCheckTests {
  /// All findings for a schema, as sentences; nothing may have been written.
  private func findings(_ store: TestStore, _ classes: [ClassSchema]) throws -> [MigrationFinding] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    var request = TestStore.request(store.path, classes, version: 2)
    let notes = Notes<MigrationFinding>()
    let plan = try store.plan(classes, version: 2)
    request.migration.describesValues = true
    try StoreFile.checkMigration(request, plan) { finding in
      notes.add(finding)
      return true
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
    let coded = try JSONEncoder().encode(notes.all)
    #expect(try JSONDecoder().decode([MigrationFinding].self, from: coded) == notes.all)
    return notes.all
  }

  @Test func `a nil that becomes required is found, with the object`() throws {
    let old = [ClassSchema("A", .key("key", .string), .optional("a", .int))]
    let store = try TestStore(old) { session in
      for number in 0..<6 {
        let value: PropertyValue = number % 3 == 0 ? nil : 1
        try session.create("A", ["key": .string("K\(number)"), "a": value])
      }
    }
    let required = [ClassSchema("A", .key("key", .string), .required("b", .int, was: "a"))]
    #expect(
      try findings(store, required).map(\.description) == [
        "'A.b' of object 1 (primary key 'K0') is nil, and is required now.",
        "'A.b' of object 4 (primary key 'K3') is nil, and is required now.",
      ])
    #expect(try findings(store, old) == [])
    let filled = [ClassSchema("A", .key("key", .string), .required("a", .int, default: 7))]
    #expect(try findings(store, filled) == [])
    // The same that the migration would complain of.
    #expect(storeError { try store.open(required, version: 2) }?.code == .migrationNil)
  }

  @Test func `all objects of all groups with the same new key are found`() throws {
    let old = [ClassSchema("A", .required("a", .string), .required("n", .int))]
    let store = try TestStore(old) { session in
      for text in ["x", "y", "x", "z", "y", "x"] {
        try session.create("A", ["a": .string(text), "n": 1])
      }
    }
    let keyed = [ClassSchema("A", .key("a", .string), .required("n", .int))]
    let found = try findings(store, keyed)
    #expect(found.map(\.rule) == Array(repeating: .unique, count: 5))
    #expect(found.map(\.value) == ["x", "x", "x", "y", "y"])
    #expect(found.map(\.objectID.rawValue) == [1, 3, 6, 2, 5])
    #expect(
      found.first?.description
        == "'A.a' of object 1 is 'x', as in other objects, and is the primary key now.")
    #expect(storeError { try store.open(keyed, version: 2) }?.code == .migrationDuplicateKeys)
  }

  @Test func `a key that is added is the same for all objects`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int))]) { session in
      for number in 0..<Int64(3) { try session.create("A", ["a": .int(number)]) }
    }
    var key = PropertySchema.key("k")
    key.defaultValue = .value(9)
    let found = try findings(store, [ClassSchema("A", .required("a", .int), key)])
    #expect(found.map(\.value) == ["9", "9", "9"])
    #expect(try findings(store, [ClassSchema("A", .key("a"))]) == [])
  }

  @Test func `values that a narrower type cannot hold are found`() throws {
    let store = try TestStore([
      ClassSchema("A", .required("a", .int), .required("b", .int))
    ]) { session in
      for number: Int64 in [1, 127, 128, -129, 1 << 60 + 1] {
        try session.create("A", ["a": .int(number), "b": .int(number)])
      }
    }
    let narrow = [ClassSchema("A", .required("a", .int8), .required("b", .double))]
    #expect(
      try findings(store, narrow).map(\.description) == [
        "'A.a' of object 3 is '128', which its new type cannot hold.",
        "'A.a' of object 4 is '-129', which its new type cannot hold.",
        "'A.a' of object 5 is '1152921504606846977', which its new type cannot hold.",
        "'A.b' of object 5 is '1152921504606846977', which its new type cannot hold.",
      ])
    #expect(storeError { try store.open(narrow, version: 2) }?.code == .conversionFailed)
  }

  @Test func `values that an enum has no case for are found`() throws {
    func kind(_ cases: [String]) -> [ClassSchema] {
      [ClassSchema("A", PropertySchema(name: "kind", type: .string, cases: cases))]
    }
    let store = try TestStore(kind(["one", "two", "three"])) { session in
      for text in ["one", "two", "three"] { try session.create("A", ["kind": .string(text)]) }
    }
    #expect(
      try findings(store, kind(["two", "four"])).map(\.description) == [
        "'A.kind' of object 1 is 'one', which is not a case of its enum.",
        "'A.kind' of object 3 is 'three', which is not a case of its enum.",
      ])
    #expect(try findings(store, kind(["one", "two", "three", "four"])) == [])
  }

  @Test func `objects that would have no owner, or several, are found`() throws {
    let owner = ClassSchema(
      "P", .link("one", to: "C"), .list("many", .link(to: "C")), .link("gone", to: "C"))
    let store = try TestStore([owner, ClassSchema("C", .required("a", .int))]) { session in
      let ids = try (0..<Int64(6)).map { try session.create("C", ["a": .int($0)]) }
      let many: [PropertyValue] = [.link(ids[1]), .link(ids[3]), .link(ids[3])]
      try session.create("P", ["one": .link(ids[1]), "many": .list(many), "gone": .link(ids[4])])
      try session.create("P", ["one": .link(ids[2]), "many": []])
    }
    let embedded = ClassSchema.embedded("C", .required("a", .int))
    let without = ClassSchema("P", .link("one", to: "C"), .list("many", .link(to: "C")))
    let found = try findings(store, [embedded, without])
    #expect(found.map(\.objectID.rawValue) == [1, 2, 4, 5, 6])
    #expect(found.map(\.rule) == [.owned, .ownedOnce, .ownedOnce, .owned, .owned])
    #expect(
      found.first?.description
        == "Object 1 of 'C' is embedded, and has no owner now: it will be deleted.")
    #expect(
      found[1].description
        == "Object 2 of 'C' is embedded now, and has several owners: it will be copied.")
    // With the third link, the fifth has an owner.
    #expect(try findings(store, [embedded, owner]).map(\.objectID.rawValue) == [1, 2, 4, 6])
  }

  @Test func `objects that are found without an owner are those that go`() throws {
    let owner = ClassSchema("P", .link("one", to: "C"))
    let store = try TestStore([owner, ClassSchema("C", .required("a", .int))]) { session in
      let ids = try (0..<Int64(5)).map { try session.create("C", ["a": .int($0)]) }
      for id in [ids[3], ids[1]] { try session.create("P", ["one": .link(id)]) }
    }
    let classes = [owner, ClassSchema.embedded("C", .required("a", .int))]
    let found = try findings(store, classes)
    #expect(found.map(\.objectID.rawValue) == [1, 3, 5])
    let request = TestStore.request(store.path, classes, version: 2)
    let dryRun = try StoreFile.dryRunMigration(request)
    #expect(dryRun.classes.first { $0.className == "C" }?.deleted == 3)
    _ = try StoreFile.open(request)
    #expect(try store.contents().objects["C"]?.keys.sorted() == [2, 4])
    #expect(try store.findings() == [])
  }

  @Test func `collections that their new type cannot hold are found`() throws {
    let old = [
      ClassSchema("A", .list("set", .int), .list("one", .string), .optional("many", .int)),
      ClassSchema("B", .link("any", to: "A")),
    ]
    let store = try TestStore(old) { session in
      let lists: [([PropertyValue], [PropertyValue])] = [
        ([1, 2], ["x"]), ([1, 1], []), ([], ["x", "y"]),
      ]
      for (set, one) in lists {
        let id = try session.create("A", ["set": .list(set), "one": .list(one), "many": nil])
        try session.create("B", ["any": .link(id)])
      }
    }
    let new = [
      ClassSchema("A", .set("set", .int), .required("one", .string), .list("many", .int)),
      ClassSchema("B", .optional("any", .any)),
    ]
    #expect(
      try findings(store, new).map(\.description) == [
        "'A.set' of object 2 is '[1, 1]', which its new type cannot hold.",
        "'A.one' of object 2 is nil, and is required now.",
        "'A.one' of object 3 is '[x, y]', which its new type cannot hold.",
      ])
  }

  @Test func `a store that is open is checked as it is on the disk`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int))]) { session in
      try session.create("A", ["a": nil])
    }
    let required = [ClassSchema("A", .required("a", .int))]
    try store.write { session in
      try session.create("A", ["a": nil])
      #expect(try findings(store, required).map(\.objectID.rawValue) == [1])
    }
    #expect(try findings(store, required).map(\.objectID.rawValue) == [1, 2])
  }

  @Test func `the check ends when it is told to, or when the caller throws`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int))]) { session in
      for _ in 0..<5 { try session.create("A", ["a": nil]) }
    }
    let classes = [ClassSchema("A", .required("a", .int))]
    let request = TestStore.request(store.path, classes, version: 2)
    let plan = try store.plan(classes, version: 2)
    let notes = Notes<MigrationFinding>()
    try StoreFile.checkMigration(request, plan) { finding in
      notes.add(finding)
      return notes.count < 2
    }
    #expect(notes.count == 2)
    #expect(throws: BlockError.self) {
      try StoreFile.checkMigration(request, plan) { _ in throw BlockError() }
    }
    var missing = request
    missing.path += "-missing"
    let error = storeError { try StoreFile.checkMigration(missing, plan) { _ in true } }
    #expect(error?.code == .fileNotFound)
  }

  @Test func `a plan is checked on the file and the models that it was made for`() throws {
    let classes = [ClassSchema("A", .required("a", .int))]
    let store = try TestStore(classes) { session in try session.create("A", ["a": 1]) }
    let changed = [ClassSchema("A", .required("a", .string))]
    let plan = try store.plan(changed, version: 2)
    try store.write { session in try session.create("A", ["a": 2]) }
    for (other, version) in [(classes, 2), (changed, 3)] as [([ClassSchema], SchemaVersion)] {
      let request = TestStore.request(store.path, other, version: version)
      let error = storeError { try StoreFile.checkMigration(request, plan) { _ in true } }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.message.contains("the plan to check was not made for its models") == true)
    }
    // More objects make no other plan.
    let request = TestStore.request(store.path, changed, version: 2)
    try StoreFile.checkMigration(request, plan) { _ in true }
    try store.open(changed, version: 2)
    #expect(
      storeError { try StoreFile.checkMigration(request, plan) { _ in true } }?.code
        == .invalidConfiguration)
  }

  @Test func `values are shown on request, and those of keys always`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int), .required("b", .int))]) {
      for _ in 0..<2 { try $0.create("A", ["a": 300, "b": 400]) }
    }
    let classes = [ClassSchema("A", .key("a"), .required("b", .int8))]
    #expect(
      try store.check(classes).map(\.description) == [
        "'A.b' of object 1 has a value that its new type cannot hold.",
        "'A.b' of object 2 has a value that its new type cannot hold.",
        "'A.a' of object 1 is '300', as in other objects, and is the primary key now.",
        "'A.a' of object 2 is '300', as in other objects, and is the primary key now.",
      ])
    #expect(try findings(store, classes).map(\.value) == ["400", "400", "300", "300"])
  }

  @Test func `more keys than fit into memory are sorted`() throws {
    let count = TestRun.isLong ? 400_000 : 24_000
    let store = try TestStore([ClassSchema("A", .required("a", .string))]) { session in
      for number in 0..<count {
        let text = String(repeating: "k", count: 380) + "\((number * 7_919) % (count - 1))"
        try session.create("A", ["a": .string(text)])
      }
    }
    let found = try findings(store, [ClassSchema("A", .key("a", .string))])
    #expect(found.map(\.objectID.rawValue) == [1, UInt64(count)])
    #expect(found.allSatisfy { $0.value?.count == 101 })
  }

  @Test(arguments: 0..<TestRun.count(50, long: 1_000) as Range<UInt64>)
  func `what is found is what a migration without code fails for`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let old = MigrationModel.schema(using: &generator)
    let new = MigrationModel.changed(old, version: 2, using: &generator)
    let store = try TestStore(old) { session in
      for schema in old {
        for number in 0..<Int64(6) { try fill(schema, number, session, &generator) }
      }
    }
    let found = try findings(store, new)
    let request = TestStore.request(store.path, new, version: 2)
    let dryRun = Result { try StoreFile.dryRunMigration(request) }
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(storeError { _ = try dryRun.get() }?.description == error?.description)
    let rewritten = try store.contents().catalog.history.last?.objects
    #expect((try? dryRun.get())?.objectsRewritten == rewritten)
    guard error?.code != .migrationUnset else { return }
    let codes: [MigrationFinding.Rule: StoreError.Code] = [
      .required: .migrationNil, .unique: .migrationDuplicateKeys,
      .uniqueIndex: .migrationDuplicateKeys, .convertible: .conversionFailed,
    ]
    if let code = error?.code {
      #expect(found.contains { codes[$0.rule] == code }, "\(code)")
    } else {
      #expect(found == [])
      #expect(try store.findings() == [])
    }
  }

  /// Creates an object with extreme values, and keys that others may have too.
  private func fill(
    _ schema: ClassSchema, _ number: Int64, _ session: Session,
    _ generator: inout SeededGenerator
  ) throws {
    var values: [String: PropertyValue] = [:]
    for property in schema.properties {
      let isNil = property.isOptional && generator.once(in: 3)
      let isSmall = generator.once(in: 2)
      values[property.name] =
        if property.name == "tag" {
          .int(property.isPrimaryKey || generator.once(in: 2) ? number : number / 2)
        } else if isNil {
          .null
        } else if isSmall {
          MigrationModel.value(property.type, using: &generator)
        } else {
          RandomValues.value(property.type, using: &generator)
        }
    }
    do { try session.create(schema.name, values) } catch StoreError.Code.duplicateValues {}
  }
}
