import Testing
import WhimbrelEngine

/// Classes that are declared with their previous names.
struct DeclaredClassRenameTests {
  private static let old = [
    ClassSchema("Dog", .key("name", .string), .optional("age", .int), .link("friend", to: "Dog")),
    ClassSchema("Person", .key("key"), .link("dog", to: "Dog")),
  ]
  private static func new(_ previousNames: [String] = ["Puppy", "Dog"]) -> [ClassSchema] {
    [
      ClassSchema(
        name: "Hound",
        properties: [
          .key("name", .string), .link("friend", to: "Hound"),
          .required("years", .int, default: 1, was: "age"),
        ], previousNames: previousNames),
      ClassSchema("Person", .key("key"), .link("dog", to: "Hound")),
    ]
  }

  private func store() throws -> TestStore {
    try TestStore(Self.old) { session in
      let first = try session.create("Dog", ["name": "Rex", "age": 5])
      let second = try session.create("Dog", ["name": "Ada", "friend": .link(first)])
      try session.create("Person", ["key": 1, "dog": .link(second)])
    }
  }

  @Test func `the plan says the rename, and opening makes it without code`() throws {
    let store = try store()
    let plan = try store.plan(Self.new(), version: 2)
    #expect(
      plan.changes.map(\.change) == [
        .classRenamed(from: "Dog", to: "Hound"),
        .propertyRenamed(class: "Hound", from: "age", to: "years"),
        .madeRequired(class: "Hound", property: "years"),
        .defaultChanged(class: "Hound", property: "years"), .reordered(class: "Hound"),
      ])
    #expect(plan.changes.allSatisfy { $0.kind == .instant && $0.objects == 2 })
    #expect(plan.description.contains("Class 'Dog' has been renamed to 'Hound'."))
    #expect(try store.check(Self.new()) == [])
    try store.open(Self.new(), version: 2)
    let contents = try store.contents()
    #expect(contents.values("Hound", "name") == ["Rex", "Ada"])
    #expect(contents.values("Hound", "years") == [5, 1])
    #expect(contents.catalog["Dog"] == nil)
    #expect(
      contents.catalog.history.last?.changes.first == "Class 'Dog' has been renamed to 'Hound'.")
    #expect(try store.findings() == [])
    // It is done, and the previous name stays declared.
    #expect(try store.plan(Self.new(), version: 3).changes.isEmpty)
  }

  @Test func `the block may say it again, and enumerate by either name`() throws {
    for name in ["Dog", "Hound"] {
      let store = try store()
      let visits = Notes<PropertyValue>()
      try store.open(Self.new(), version: 2) { migration, _ in
        try migration.renameClass(from: "Dog", to: "Hound")
        try migration.enumerateObjects(ofType: name) { old, new in
          visits.add(old?["name"] ?? .null)
          new?["years"] = 9
        }
      }
      #expect(visits.all == ["Rex", "Ada"])
      #expect(try store.contents().values("Hound", "years") == [9, 9])
      #expect(try store.findings() == [])
    }
  }

  @Test func `a declared rename takes a higher version, and a name that is free`() throws {
    let store = try store()
    let error = storeError { try store.open(Self.new(), version: 1) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.context.changes.contains(.classRenamed(from: "Dog", to: "Hound")) == true)
    let both = Self.new() + [ClassSchema("Dog", .key("name", .string))]
    let invalid = storeError { try store.open(both, version: 2) }
    #expect(invalid?.code == .invalidSchema)
    #expect(
      invalid?.context.problems
        == ["The previous name 'Dog' of class 'Hound' is still the name of a class."])
  }

  @Test func `what the block renames is renamed in the dry run and the history`() throws {
    let store = try store()
    let plain = [
      ClassSchema(
        "Hound", .key("name", .string), .link("friend", to: "Hound"),
        .required("years", .int, default: 1)),
      ClassSchema("Person", .key("key"), .link("dog", to: "Hound")),
    ]
    let block: MigrationBlock = { migration, _ in
      try migration.renameClass(from: "Dog", to: "Hound")
      try migration.renameProperty(onType: "Hound", from: "age", to: "years")
    }
    #expect(
      try store.plan(plain, version: 2).changes.contains {
        $0.change == .classRemoved(class: "Dog")
      })
    let request = TestStore.request(store.path, plain, version: 2, migration: block)
    let run = try StoreFile.dryRunMigration(request)
    let renames: [SchemaChange] = [
      .classRenamed(from: "Dog", to: "Hound"),
      .propertyRenamed(class: "Hound", from: "age", to: "years"),
    ]
    #expect(Array(run.plan.changes.map(\.change).prefix(2)) == renames)
    #expect(!run.plan.changes.contains { $0.kind == .destructive })
    #expect(Array(run.changes.prefix(2)) == renames.map(\.description))
    try store.open(plain, version: 2, block)
    #expect(try store.contents().catalog.history.last?.changes == run.changes)
    #expect(try store.contents().values("Hound", "years") == [5, 1])
  }

  @Test func `a read-only store shows the class under its new name`() throws {
    let store = try store()
    var request = TestStore.request(store.path, Self.new(), version: 2)
    request.isReadOnly = true
    let session = try Session(StoreFile.open(request), for: request.declaration)
    let contents = try StoreContents(session)
    #expect(contents.values("Hound", "years") == [5, 1])
    #expect(session.find("Dog") == nil)
    #expect(try session.table("Hound").linkCount(to: ObjectID(rawValue: 1)) == 1)
  }
}
