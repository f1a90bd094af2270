import Foundation
import Testing
import WhimbrelEngine

/// Schema versions, plans, the history, and misuse of what a block is given.
struct VersionTests {
  private static let first = [ClassSchema("A", .key("key"), .required("a", .int))]

  private func store() throws -> TestStore {
    try TestStore(Self.first, version: 3) { session in
      for number in 0..<Int64(4) {
        try session.create("A", ["key": .int(number), "a": .int(number)])
      }
    }
  }

  @Test func `the same version takes what leaves all values as they are`() throws {
    let store = try store()
    let more = [
      ClassSchema("A", .indexed("a", .int), .key("key")), ClassSchema("B", .required("b", .int)),
    ]
    let called = Notes<Int>()
    try store.open(more, version: 3) { _, _ in called.add(0) }
    #expect(called.count == 0)
    #expect(try store.findings() == [])
    #expect(try store.contents().catalog.history == [])
    // The index goes, and comes again with other data.
    try store.open(Self.first, version: 3)
    try store.write { session in
      let table = try session.table("A")
      try table.remove(try table.objectIDs()[0])
      try session.create("A", ["key": 9, "a": 9])
    }
    try store.open(more, version: 3)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
    #expect(try store.contents().generation("A") == 1)
  }

  @Test func `the same version refuses all else, with a line for each change`() throws {
    let store = try store()
    let before = try store.contents()
    let error = storeError {
      try store.open(
        [ClassSchema("A", .required("key", .int), .required("a", .string))], version: 3)
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.context.changes.count == 2)
    for line in [
      "- Property 'A.a' has been changed from 'int' to 'string'.",
      "- Primary Key for class 'A' has been removed.",
    ] {
      #expect(error?.description.contains(line) == true)
    }
    #expect(try store.contents() == before)
  }

  // What had refused an open kept its snapshot for ever, so that tables of before the next
  // migration could not be removed.
  @Test func `an open that is refused lets go of the file`() throws {
    let store = try store()
    let retyped = [ClassSchema("A", .key("key"), .required("a", .string))]
    for version in [2, 3] as [SchemaVersion] {
      #expect(storeError { try store.open(retyped, version: version) } != nil)
    }
    try store.open(retyped, version: 4)
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `a lower version is refused`() throws {
    let store = try store()
    let error = storeError { try store.open(Self.first, version: 2) }
    #expect(error?.code == .schemaVersionTooNew)
    #expect(error?.context.storedVersion == 3 && error?.context.declaredVersion == 2)
  }

  @Test func `the block is called when only the version differs, and not on creation`() throws {
    let called = Notes<SchemaVersion>()
    let block: MigrationBlock = { migration, version in
      called.add(version)
      #expect(migration.oldSchemaVersion == version && migration.newSchemaVersion == 5)
      #expect(migration.oldSchema["A"]?.properties.count == 2)
      #expect(migration.newSchema["A"]?.properties.count == 2)
    }
    let store = try store()
    try store.open(Self.first, version: 5, block)
    #expect(called.all == [3])
    #expect(try store.contents().version == 5)
    #expect(try store.contents().generation("A") == 1)
    try store.open(Self.first, version: 5, block)
    let fresh = OpenRequest(path: store.path + "2")
    var request = fresh
    request.declaration = Declaration(StoreSchema(classes: Self.first))
    request.schemaVersion = 5
    request.migration.block = block
    _ = try StoreFile.open(request)
    #expect(called.all == [3])
  }

  @Test func `a store that is only read says that it needs a migration`() throws {
    let store = try store()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let retyped = [ClassSchema("A", .key("key"), .required("a", .string))]
    var request = TestStore.request(store.path, retyped, version: 4)
    request.isReadOnly = true
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(error?.code == .migrationNeeded)
    #expect(error?.context.changes.isEmpty == false)
    // Another version alone changes no data.
    var sameSchema = TestStore.request(store.path, Self.first, version: 4)
    sameSchema.isReadOnly = true
    _ = try StoreFile.open(sameSchema)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
  }

  @Test func `the plan says what is done, as text and as JSON`() throws {
    let store = try TestStore([
      ClassSchema(
        "A", .key("key"), .required("gone", .int), .required("wide", .int8),
        .required("text", .int), .required("plain", .int), .required("odd", .string))
    ]) { session in
      for number in 0..<Int64(3) {
        try session.create(
          "A",
          [
            "key": .int(number), "gone": 1, "wide": 2, "text": 3, "plain": 4, "odd": "5",
          ])
      }
    }
    let classes = [
      ClassSchema(
        "A", .key("key"), .required("wide", .int), .required("text", .string),
        .indexed("plain", .int), .required("odd", .int), .optional("new", .date)),
      ClassSchema("B", .key("b")),
    ]
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let plan = try store.plan(classes, version: 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == bytes)
    #expect(
      plan.changes.map(\.kind) == [
        .destructive, .instant, .rewrite, .indexBuild, .needsCode, .instant, .instant,
      ])
    #expect(plan.changes.prefix(6).allSatisfy { $0.objects == 3 })
    #expect(plan.fromVersion == 1 && plan.toVersion == 2 && !plan.isEmpty)
    let lines = plan.description.split(separator: "\n")
    #expect(lines[0] == "From version 1 to 2:")
    #expect(lines.contains { $0.hasPrefix("  rewrite      Property 'A.text' has been changed") })
    let coded = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(MigrationPlan.self, from: coded) == plan)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in new?["odd"] = 5 }
    }
    let contents = try store.contents()
    let record = try #require(contents.catalog.history.last)
    #expect(record.from == 1 && record.to == 2 && record.objects == 3)
    #expect(record.changes == plan.changes.map(\.change.description))
    #expect(try store.plan(classes, version: 2).isEmpty)
    #expect(try store.findings() == [])
  }

  /// Something that a block must not do, and what comes of it.
  struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: StoreError.Code
    let body: @Sendable (Migration, _ old: DynamicObject, _ new: DynamicObject) throws -> Void
  }

  static let misuses: [Misuse] = [
    Misuse(testDescription: "unknown property read", code: .unknownProperty) { _, old, _ in
      _ = old["nothing"]
    },
    Misuse(testDescription: "unknown property set", code: .unknownProperty) { _, _, new in
      new["nothing"] = 1
    },
    Misuse(testDescription: "wrong type", code: .wrongType) { _, _, new in new["a"] = "text" },
    Misuse(testDescription: "nil where none may be", code: .missingValue) { _, _, new in
      new["a"] = nil
    },
    Misuse(testDescription: "old object set", code: .oldObjectIsReadOnly) { _, old, _ in
      old["a"] = 1
    },
    Misuse(testDescription: "old object deleted", code: .oldObjectIsReadOnly) { migration, old, _ in
      try migration.delete(old)
    },
    Misuse(testDescription: "deleted twice", code: .objectDeleted) { migration, _, new in
      try migration.delete(new)
      try migration.delete(new)
    },
    Misuse(testDescription: "deleted object set", code: .objectDeleted) { migration, _, new in
      try migration.delete(new)
      new["a"] = 1
    },
    Misuse(testDescription: "unknown class", code: .unknownClass) { migration, _, _ in
      try migration.create("Nothing")
    },
  ]

  @Test(arguments: misuses)
  func `misuse is reported with the object, and changes nothing`(_ misuse: Misuse) throws {
    let store = try store()
    let before = try store.contents()
    let error = storeError {
      try store.open(Self.first, version: 4) { migration, _ in
        try migration.enumerateObjects(ofType: "A") { old, new in
          let (old, new) = (try #require(old), try #require(new))
          if old["key"] == 2 { try misuse.body(migration, old, new) }
        }
      }
    }
    #expect(error?.code == .migrationBlockFailed)
    #expect(error?.context.className == "A" && error?.context.primaryKey == "2")
    #expect((error?.underlying as? StoreError)?.code == misuse.code)
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `an error outside of an enumeration is wrapped with the versions`() throws {
    let store = try store()
    let error = storeError { try store.open(Self.first, version: 4) { _, _ in throw BlockError() } }
    #expect(error?.code == .migrationBlockFailed && error?.underlying is BlockError)
    #expect(error?.context.storedVersion == 3 && error?.context.objectID == nil)
    #expect(try store.contents().version == 3)
  }
}
