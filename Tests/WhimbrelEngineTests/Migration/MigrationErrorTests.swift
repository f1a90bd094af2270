import Foundation
import Testing
import WhimbrelEngine

/// What the errors of migrations say to do, and how they name objects.
struct MigrationErrorTests {
  /// A store whose object IDs are the integer keys.
  private func keyed(_ properties: PropertySchema..., values: [String: PropertyValue] = [:]) throws
    -> TestStore
  {
    try TestStore([
      ClassSchema(name: "A", properties: [.key("key")] + properties),
      ClassSchema("B", .link("a", to: "A")),
    ]) { session in
      for key in [5, 7, -3] as [PropertyValue] {
        let id = try session.create("A", values.merging(["key": key]) { $1 })
        try session.create("B", ["a": .link(id)])
      }
    }
  }

  private func error(
    _ store: TestStore, _ classes: [ClassSchema], _ block: MigrationBlock? = { _, _ in }
  ) throws -> StoreError {
    let error = try #require(storeError { try store.open(classes, version: 2, block) })
    // No object ID that is a key in disguise.
    #expect(!error.description.contains("92233720368547758"), "\(error)")
    return error
  }

  // MARK: What to do

  @Test func `an optional whose type changes is to be set, to nil where it has no value`() throws {
    let store = try keyed(.optional("a", .string), values: ["a": "x"])
    let classes = [
      ClassSchema("A", .key("key"), .optional("a", .date)), ClassSchema("B", .link("a", to: "A")),
    ]
    let plan = try store.plan(classes, version: 2)
    #expect(
      plan.changes.map(\.note) == [
        "A migration block or rule must set it for every object, to nil where it has no value."
      ])
    let unset = try error(store, classes) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if old?["key"] != 7 { try new?.set("a", to: .null) }
      }
    }
    #expect(unset.code == .migrationUnset)
    #expect(unset.recovery.hasPrefix("Set it in the block; set it to nil where it has no value."))
    #expect(unset.message.contains("for the object with primary key 7"))
    #expect(unset.context.primaryKey == "7")
    let without = try error(store, classes, nil)
    #expect(without.recovery.contains("set it to nil where it has no value"))
    #expect(!without.recovery.contains("default"))
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in try new?.set("a", to: .null) }
    }
    #expect(try store.contents().values("A", "a") == [.null, .null, .null])
  }

  @Test func `a default is advised where it helps only`() throws {
    let link = try keyed(.required("a", .string), values: ["a": "x"])
    let linked = try error(
      link,
      [
        ClassSchema("A", .key("key"), .link("a", to: "A")), ClassSchema("B", .link("a", to: "A")),
      ])
    #expect(linked.recovery.hasPrefix("Set it in the block; set it to nil"))
    #expect(!linked.recovery.contains("default"))

    let retyped = try keyed(.required("a", .string), values: ["a": "x"])
    let classes = [
      ClassSchema("A", .key("key"), .required("a", .date, default: .date(.now))),
      ClassSchema("B", .link("a", to: "A")),
    ]
    // It has a default, which does not take the place of old values.
    #expect(try error(retyped, classes).recovery.hasPrefix("Set it in the block. "))

    let added = try keyed()
    let more = [
      ClassSchema("A", .key("key"), .required("a", .date)), ClassSchema("B", .link("a", to: "A")),
    ]
    #expect(
      try error(added, more).recovery.hasPrefix("Set it in the block, or declare a default value."))
  }

  // MARK: Objects are named by their keys

  @Test func `nil and duplicates name primary keys`() throws {
    let store = try keyed(.optional("a", .string), .optional("code", .int), values: ["code": 1])
    let b = ClassSchema("B", .link("a", to: "A"))
    let required = try error(
      store,
      [ClassSchema("A", .key("key"), .required("a", .string), .optional("code", .int)), b], nil)
    #expect(required.code == .migrationNil)
    #expect(
      required.message.contains(
        "is nil in 3 objects, starting with the objects with primary keys -3, 5, 7"))
    #expect(required.context.primaryKey == "-3")

    let rekeyed = try error(
      store,
      [
        ClassSchema(
          "A", .required("key", .int), .optional("a", .string),
          PropertySchema(name: "code", type: .int, isPrimaryKey: true)), b,
      ])
    #expect(rekeyed.code == .migrationDuplicateKeys || rekeyed.code == .migrationNil)
    #expect(rekeyed.message.contains("1: the objects with primary keys -3, 5, 7"), "\(rekeyed)")

    let unique = try error(
      store,
      [
        ClassSchema(
          name: "A",
          properties: [.key("key"), .optional("a", .string), .optional("code", .int)],
          indexes: [IndexSchema(["code"], .unique)]), b,
      ])
    #expect(unique.message.contains("- the objects with primary keys -3, 5, 7"), "\(unique)")
  }

  // They were all named by the key that they have in common: "0: the objects with primary keys 0, 0".
  @Test func `objects with the same new key are named by their IDs, if they had no key`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int))]) { session in
      for value: Int64 in [0, 1, 0] { try session.create("A", ["a": .int(value)]) }
    }
    let keyed = try error(store, [ClassSchema("A", .key("a"))])
    #expect(keyed.message.contains("0: objects 1, 3"), "\(keyed)")
  }

  @Test func `errors of the block and findings of the check name keys`() throws {
    struct Wrong: Error {}
    let store = try keyed(.optional("a", .string))
    let same = [
      ClassSchema("A", .key("key"), .optional("a", .string)), ClassSchema("B", .link("a", to: "A")),
    ]
    let thrown = try error(store, same) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, _ in
        if old?["key"] == 5 { throw Wrong() }
      }
    }
    #expect(thrown.message.contains("for the object with primary key 5"))
    let old = try error(store, same) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, _ in try old?.set("a", to: "x") }
    }
    #expect(old.description.contains("change the object with primary key -3"))
    let deleted = try error(store, same) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in
        guard let new else { return }
        try migration.delete(new)
        try new.set("a", to: "x")
      }
    }
    #expect(deleted.description.contains("use the object with primary key -3 of 'A'"))
    let findings = try store.check([
      ClassSchema("A", .key("key"), .required("a", .string)), ClassSchema("B", .link("a", to: "A")),
    ])
    #expect(
      findings.first?.description
        == "'A.a' of the object with primary key '-3' is nil, and is required now.")
  }

  @Test func `errors of a store name keys`() throws {
    let store = try keyed(.optional("a", .string))
    let error = storeError {
      try store.write { session in
        let table = try session.table("A")
        try table.remove(ObjectID(clusteredKey: 5))
        try table.remove(ObjectID(clusteredKey: 5))
      }
    }
    #expect(
      error?.message == "Could not use the object with primary key 5 of 'A': it has been deleted.")
    #expect(error?.context.primaryKey == "5")
  }

  // MARK: The block

  // It named neither the property nor the key.
  @Test func `a link to an object that does not exist names the property and the key`() throws {
    let store = try keyed(.optional("a", .string))
    let classes = [
      ClassSchema("A", .key("key"), .optional("a", .string)), ClassSchema("B", .link("a", to: "A")),
    ]
    let error = try error(store, classes) { migration, _ in
      try migration.enumerateObjects(ofType: "B") { _, new in
        try new?.set("a", to: .link(ObjectID(clusteredKey: 6)))
      }
    }
    let cause = try #require(error.underlying as? StoreError)
    #expect(cause.code == .objectDeleted)
    #expect(cause.context.valuePath == "B.a" && cause.context.primaryKey == "6")
  }

  @Test func `a rename that is not finished names the property of the file`() throws {
    let store = try keyed(.optional("a", .string))
    let classes = [
      ClassSchema("A", .key("key"), .optional("b", .string)), ClassSchema("B", .link("a", to: "A")),
    ]
    let unfinished = try error(store, classes) { migration, _ in
      try migration.renameProperty(onType: "A", from: "a", to: "bb")
    }
    #expect(unfinished.message.hasPrefix("Could not rename the property 'A.a' to 'bb': "))
    #expect(unfinished.context.propertyName == "a")
    let chained = try error(store, classes) { migration, _ in
      try migration.renameProperty(onType: "A", from: "a", to: "x")
      try migration.renameProperty(onType: "A", from: "x", to: "y")
    }
    #expect(chained.message.hasPrefix("Could not rename the property 'A.a' to 'y': "))
  }

  @Test func `reading with a wrong type says read`() throws {
    let store = try keyed(.optional("a", .string))
    let classes = [
      ClassSchema("A", .key("key"), .optional("a", .string)), ClassSchema("B", .link("a", to: "A")),
    ]
    let messages = Notes<String>()
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        guard let old, let new else { return }
        let reads: [() throws -> Void] = [
          { _ = try old["key", as: String.self] }, { _ = try old["a", as: String.self] },
          { _ = try new.list("key") }, { _ = try new.object("key") },
        ]
        for read in reads { messages.add(storeError(read)?.description ?? "") }
      }
    }
    #expect(
      Array(messages.all.prefix(4)) == [
        "Could not read 'A.key' as 'String': it holds 'int'. Read it as its own type.",
        "Could not read 'A.a' as 'String': it is nil. Read it as an optional.",
        "Could not read 'A.key' as a list: it holds 'int'. Read it as its own type.",
        "Could not read 'A.key' as a link: it holds 'int'. Read it as its own type.",
      ])
  }

  @Test func `a class that neither schema has is a typo where one has nearly that name`() throws {
    let store = try TestStore([ClassSchema("Person", .key("key")), ClassSchema("Gone")])
    let classes = [ClassSchema("Person", .key("key")), ClassSchema("Came")]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Persom") { _, _ in }
      }
    }
    #expect(error?.code == .unknownClass)
    #expect(error?.description.contains("'Person'") == true)
    let deletion = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.deleteData(forType: "Gome")
      }
    }
    #expect(deletion?.code == .unknownClass)
    try store.open(classes, version: 2) { migration, _ in
      for name in ["Person", "Gone", "Came"] {
        try migration.enumerateObjects(ofType: name) { _, _ in }
      }
    }
  }

  @Test func `an embedded object that the block gives to no other is an error`() throws {
    let classes = [
      ClassSchema("Owner", .key("key"), .link("part", to: "Part")),
      ClassSchema(name: "Part", isEmbedded: true, properties: [.required("text", .string)]),
    ]
    let store = try TestStore(classes) { session in
      try session.create("Owner", ["key": 1])
    }
    let before = try store.contents()
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.create("Part", ["text": "alone"])
      }
    }
    #expect(error?.code == .embeddedNeedsOwner && error?.context.className == "Part")
    #expect(error?.message.contains("has created an object without an owner") == true)
    #expect(try store.contents() == before)
    try store.open(classes, version: 2) { migration, _ in
      let deleted = try migration.create("Part", ["text": "deleted"])
      try migration.delete(deleted)
      try migration.enumerateObjects(ofType: "Owner") { _, new in
        try new?.set("part", to: try migration.create("Part", ["text": "owned"]))
      }
    }
    #expect(try store.contents().values("Part", "text") == ["owned"])
    #expect(try store.findings() == [])
  }
}
