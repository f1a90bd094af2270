import Foundation
import Testing
import WhimbrelEngine

/// All that keeps a migration from succeeding is told at once, with what it is about.
struct AllProblemsTests {
  private static let old = [
    ClassSchema("A", .key("key", .string), .optional("a", .int), .optional("b", .string)),
    ClassSchema("B", .optional("c", .int)),
    ClassSchema("C", .optional("d", .int)),
  ]

  private func store() throws -> TestStore {
    try TestStore(Self.old) { session in
      for number in 0..<Int64(4) {
        try session.create(
          "A", ["key": .string("k\(number)"), "a": number == 2 ? nil : .int(number), "b": nil])
        try session.create("B", ["c": nil])
      }
    }
  }

  @Test func `values that only code gives are told of all classes and properties`() throws {
    let store = try store()
    let before = try store.contents()
    let classes = [
      ClassSchema(
        "A", .key("key", .string), .required("a", .int), .required("b", .string),
        .required("new", .date)),
      ClassSchema("B", .required("c", .int)),
      // It has no objects.
      ClassSchema("C", .required("d", .int), .required("new", .date)),
    ]
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationUnset)
    #expect(
      error?.context.problems == [
        "'A.a' is nil in object 3 (primary key 'k2').",
        "'A.b' is nil in 4 objects, starting with object 1 (primary key 'k0').",
        "'A.new' is not set in 4 objects, starting with object 1 (primary key 'k0').",
        "'B.c' is nil in 4 objects, starting with object 1.",
      ])
    #expect(error?.context.className == "A" && error?.context.propertyName == "a")
    #expect(error?.context.objectID == ObjectID(rawValue: 3))
    #expect(error?.context.primaryKey == "k2")
    #expect(error?.context.path == store.path)
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `when all are nil, the code of the error says so`() throws {
    let store = try store()
    let classes = [
      ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .string)),
      ClassSchema("B", .required("c", .int)),
    ]
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationNil && error?.context.problems.count == 2)
  }

  @Test func `what the block leaves unset is told of all classes and properties`() throws {
    let store = try store()
    let before = try store.contents()
    let classes = [
      ClassSchema(
        "A", .key("key", .string), .required("e", .int), .required("f", .string)),
      ClassSchema("B", .optional("c", .int), .required("g", .int)),
    ]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "A") { old, new in
          new?["e"] = 1
          if old?["key"] != "k1" { new?["f"] = "f" }
          if old?["key"] == "k3" { try migration.delete(try #require(new)) }
        }
        try migration.enumerateObjects(ofType: "B") { _, _ in }
      }
    }
    #expect(error?.code == .migrationUnset)
    #expect(
      error?.context.problems == [
        "'A.f' is not set in object 2 (primary key 'k1').",
        "'B.g' is not set in 4 objects, starting with object 1.",
      ])
    #expect(error?.context.migrationReach?.objectsRewritten == 7)
    #expect(try store.contents() == before)
  }

  @Test func `a rename that was not finished is told before what it leaves unset`() throws {
    let store = try store()
    let classes = [
      ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .string)),
      ClassSchema("B", .required("other", .int)),
    ]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.renameProperty(onType: "B", from: "c", to: "nowhere")
      }
    }
    #expect(error?.code == .invalidRename && error?.context.className == "B")
  }

  @Test func `values are shown when they are asked for, and else not`() throws {
    let store = try TestStore([ClassSchema("A", .key("key"), .required("a", .int))]) { session in
      try session.create("A", ["key": 1, "a": 1])
      try session.create("A", ["key": 2, "a": 70_000])
    }
    var request = TestStore.request(
      store.path, [ClassSchema("A", .key("key"), .required("a", .int8))], version: 2)
    for isAsked in [false, true] {
      request.migration.describesValues = isAsked
      let ready = request
      let error = storeError { _ = try StoreFile.open(ready) }
      #expect(error?.code == .conversionFailed)
      #expect(error?.context.value == (isAsked ? "70000" : nil))
      #expect(error?.message.contains("70000") == isAsked)
      #expect(error?.context.primaryKey == "2")
    }
  }

  @Test func `values of a unique index are shown when they are asked for, and else not`() throws {
    let properties = [PropertySchema.key("key"), .required("mail", .string)]
    let store = try TestStore([ClassSchema(name: "A", properties: properties)]) { session in
      for key: Int64 in 1...2 {
        try session.create("A", ["key": .int(key), "mail": "a@b.example"])
      }
    }
    var request = TestStore.request(
      store.path,
      [ClassSchema(name: "A", properties: properties, indexes: [IndexSchema(["mail"], .unique)])],
      version: 2)
    for isAsked in [false, true] {
      request.migration.describesValues = isAsked
      let ready = request
      let error = storeError { _ = try StoreFile.open(ready) }
      #expect(error?.code == .migrationDuplicateKeys)
      #expect(error?.message.contains("a@b.example") == isAsked)
      #expect(error?.message.contains("the objects with primary keys 1, 2") == true)
    }
  }

  @Test func `an error says how far the migration got`() throws {
    let store = try BigMigration.store(10)
    for (number, sentence) in [
      (0, "cannot handle. The store is unchanged."),
      (1, "cannot handle. 1 object was rewritten; the store is unchanged."),
      (7, "cannot handle. 7 objects were rewritten; the store is unchanged."),
    ] {
      let error = storeError {
        _ = try StoreFile.open(
          BigMigration.request(store.path) { if $0 == number { throw BlockError() } })
      }
      #expect(error?.recovery.hasSuffix(sentence) == true)
      #expect(error?.context.migrationReach?.objectsRewritten == number)
      #expect(error?.context.migrationReach?.version == 1)
    }
  }
}
