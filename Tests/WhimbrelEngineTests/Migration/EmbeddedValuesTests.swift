import Testing
import WhimbrelEngine

/// Embedded objects that lose their owners, and lack values that the new schema asks for: what is
/// deleted needs none. The plan, the check, the dry run and the opening agree on it.
///
/// A lossy change let such a migration through, of which the check had found that it cannot be;
/// a new required property refused it, for objects that were about to be deleted.
struct EmbeddedValuesTests {
  private static let part = ClassSchema.embedded("Part", .optional("number", .int))
  private static let address = ClassSchema.embedded(
    "Address", .required("town", .string), .optional("zip", .int), .required("size", .int),
    .link("part", to: "Part"))
  private static let person = ClassSchema(
    "Person", .required("name", .string), .link("home", to: "Address"),
    .list("others", .link(to: "Address")))
  /// It lacks the list.
  private static let homebody = ClassSchema(
    "Person", .required("name", .string), .link("home", to: "Address"))

  /// A change that needs values.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var address = EmbeddedValuesTests.address
    var part = EmbeddedValuesTests.part
    /// What the change is called, and which rule is broken by objects that stay.
    let property: String
    let rule: MigrationFinding.Rule?
    let code: StoreError.Code
    let kind: MigrationPlan.Kind

    init(
      _ title: String, _ property: String, _ rule: MigrationFinding.Rule?,
      _ code: StoreError.Code, _ kind: MigrationPlan.Kind, address: ClassSchema? = nil,
      part: ClassSchema? = nil
    ) {
      testDescription = title
      (self.property, self.rule, self.code, self.kind) = (property, rule, code, kind)
      self.address = address ?? self.address
      self.part = part ?? self.part
    }
  }

  private static func address(_ zip: PropertySchema, _ size: PropertySchema) -> ClassSchema {
    .embedded("Address", .required("town", .string), zip, size, .link("part", to: "Part"))
  }

  private static let zip = PropertySchema.optional("zip", .int)
  private static let size = PropertySchema.required("size", .int)

  static let changes = [
    Change(
      "a new property", "new", nil, .migrationUnset, .needsCode,
      address: .embedded(
        "Address", .required("town", .string), zip, size, .link("part", to: "Part"),
        .required("new", .date))),
    Change(
      "nil no longer", "zip", .required, .migrationNil, .needsCode,
      address: address(.required("zip", .int), size)),
    Change(
      "nil no longer, with a conversion", "zip", .required, .migrationUnset, .rewrite,
      address: address(.required("zip", .string), size)),
    Change(
      "a smaller type", "size", .convertible, .conversionFailed, .rewrite,
      address: address(zip, .required("size", .int8))),
    Change(
      "another type", "size", nil, .migrationUnset, .needsCode,
      address: address(zip, .required("size", .date))),
    Change(
      "another type that may be nil", "size", nil, .migrationUnset, .needsCode,
      address: address(zip, .optional("size", .date))),
    Change(
      "a part of a part", "number", .required, .migrationNil, .needsCode,
      part: .embedded("Part", .required("number", .int))),
  ]

  /// Persons with two other addresses each, and some with a home.
  private func store(homes: Int) throws -> TestStore {
    try TestStore([Self.address, Self.part, Self.person]) { session in
      func address() throws -> PropertyValue {
        let part = try session.create("Part", [:])
        return .link(
          try session.create("Address", ["town": "Vila", "size": 70_000, "part": .link(part)]))
      }
      for number in 0..<3 {
        var values: [String: PropertyValue] = [
          "name": "n", "others": .list([try address(), try address()]),
        ]
        if number < homes { values["home"] = try address() }
        try session.create("Person", values)
      }
    }
  }

  @Test(arguments: changes)
  func `what is deleted needs no values`(_ change: Change) throws {
    let store = try store(homes: 0)
    let classes = [change.address, change.part, Self.homebody]
    let plan = try store.plan(classes, version: 2)
    #expect(!plan.changes.contains { [.needsCode, .rewrite].contains($0.kind) }, "\(plan)")
    let removal = plan.changes.first { $0.change.className == "Person" }
    #expect(removal?.kind == .destructive && removal?.deleted == 12)
    let findings = try store.check(classes)
    #expect(Set(findings.map(\.rule)) == [.owned] && findings.count == 12)
    let request = TestStore.request(store.path, classes, version: 2)
    let run = try StoreFile.dryRunMigration(request)
    #expect(run.classes.map(\.orphaned) == [6, 6, 0])
    _ = try StoreFile.open(request)
    #expect(
      try store.contents().objects.mapValues(\.count) == ["Address": 0, "Part": 0, "Person": 3])
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test(arguments: changes)
  func `what stays needs them, and only that is told`(_ change: Change) throws {
    let store = try store(homes: 1)
    let before = try store.contents()
    let classes = [change.address, change.part, Self.homebody]
    let plan = try store.plan(classes, version: 2)
    #expect(plan.changes.contains { $0.kind == change.kind }, "\(plan)")
    let findings = try store.check(classes).filter { $0.rule != .owned }
    #expect(findings.map(\.rule) == (change.rule.map { [$0] } ?? []))
    #expect(findings.allSatisfy { $0.objectID == ObjectID(rawValue: 3) })
    let request = TestStore.request(store.path, classes, version: 2)
    let dryError = storeError { _ = try StoreFile.dryRunMigration(request) }
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(dryError?.description == error?.description)
    #expect(error?.code == change.code, "\(error.map { "\($0)" } ?? "done")")
    #expect(error?.context.propertyName == change.property)
    #expect(error?.context.objectID == ObjectID(rawValue: 3))
    #expect(error?.description.contains("objects, starting") == false)
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test(arguments: changes)
  func `what the block deletes needs none, although it does not say so`(_ change: Change) throws {
    for way in 0..<4 {
      let store = try store(homes: 2)
      let isDeclared = way != 0
      let classes = [change.address, change.part] + (isDeclared ? [Self.person] : [])
      try store.open(classes, version: 2) { migration, _ in
        if way < 2 {
          try migration.deleteData(forType: "Person")
          return
        }
        try migration.enumerateObjects(ofType: "Person") { _, new in
          guard let new else { return }
          if way == 2 { return try migration.delete(new) }
          new["home"] = .null
          new["others"] = []
        }
      }
      let counts = try store.contents().objects.mapValues(\.count).filter { $0.value > 0 }
      #expect(counts == (way == 3 ? ["Person": 3] : [:]), "\(way)")
      #expect(try store.findings() == [])
    }
  }

  @Test func `what the block gives an owner again needs a value`() throws {
    let store = try store(homes: 0)
    let before = try store.contents()
    let classes = [Self.changes[1].address, Self.part, Self.homebody]
    func open(_ zip: PropertyValue?) throws {
      try store.open(classes, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Person") { old, new in
          guard let new, case .list(let others)? = old?["others"] else { return }
          new["home"] = others.first ?? .null
        }
        guard let zip else { return }
        try migration.enumerateObjects(ofType: "Address") { _, new in new?["zip"] = zip }
      }
    }
    let error = storeError { try open(nil) }
    #expect(error?.code == .migrationUnset || error?.code == .migrationNil)
    #expect(error?.context.propertyName == "zip" && error?.context.objectID?.rawValue == 1)
    #expect(error?.description.contains("2, ") == false, "\(error.map { "\($0)" } ?? "done")")
    #expect(try store.contents() == before)
    try open(5)
    #expect(try store.contents().values("Address", "zip") == [5, 5, 5])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [PropertyType.link(to: "Address"), .map(of: ElementType(.link(to: "Address")))])
  func `where the block chooses what stays, all values are told`(_ type: PropertyType) throws {
    let store = try store(homes: 1)
    let person = ClassSchema(
      "Person", .required("name", .string), PropertySchema(name: "others", type: type))
    let classes = [Self.changes[1].address, Self.part, person]
    // The home is gone in any case, but it may be the one that the block puts there.
    let found = try store.check(classes).filter { $0.rule == .required }
    #expect(found.map(\.objectID.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    let plan = try store.plan(classes, version: 2)
    let change = plan.changes.first { $0.change.className == "Address" }
    #expect(change?.kind == .needsCode)
    #expect(storeError { try store.open(classes, version: 2) } != nil)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { old, new in
        guard case .list(let others)? = old?["others"], let first = others.first else { return }
        new?["others"] = type.isCollection ? .map(["first": first]) : first
      }
      try migration.enumerateObjects(ofType: "Address") { _, new in new?["zip"] = 5 }
    }
    #expect(try store.contents().values("Address", "zip") == [5, 5, 5])
    #expect(try store.findings() == [])
  }

  @Test func `all that stays without values is told at once`() throws {
    let store = try store(homes: 2)
    let person = ClassSchema(
      "Person", .required("name", .string), .link("home", to: "Address"), .required("age", .int))
    let classes = [Self.changes[1].address, .embedded("Part", .required("number", .int)), person]
    let error = storeError { try store.open(classes, version: 2) }
    #expect(
      error?.context.problems == [
        "'Address.zip' is nil in 2 objects, starting with object 3.",
        "'Part.number' is nil in 2 objects, starting with object 3.",
        "'Person.age' is not set in 3 objects, starting with object 1.",
      ])
  }

  // MARK: Unique indexes

  private static func indexed(isEmbedded: Bool) -> ClassSchema {
    ClassSchema(
      name: "Item", isEmbedded: isEmbedded,
      properties: [.required("name", .string), .optional("number", .int)],
      indexes: [IndexSchema(["name", "number"], .unique)])
  }

  private static let box = ClassSchema("Box", .link("one", to: "Item"), .link("two", to: "Item"))

  @Test func `what is deleted is no duplicate`() throws {
    let loose = ClassSchema("Item", .required("name", .string), .optional("number", .int))
    let store = try TestStore([loose, Self.box]) { session in
      let ids = try (0..<3).map { _ in
        try session.create("Item", ["name": "same", "number": 1])
      }
      try session.create("Box", ["two": .link(ids[1])])
    }
    let classes = [Self.indexed(isEmbedded: true), Self.box]
    #expect(try store.check(classes).map(\.rule) == [.owned, .owned])
    try store.open(classes, version: 2)
    #expect(try store.contents().objects["Item"]?.keys.sorted() == [2])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [1, 200], [false, true])
  func `what is copied is one`(_ length: Int, _ hadIndex: Bool) throws {
    let loose = ClassSchema("Item", .required("name", .string), .optional("number", .int))
    let name = PropertyValue.string(String(repeating: "n", count: length * 10))
    let store = try TestStore([hadIndex ? Self.indexed(isEmbedded: false) : loose, Self.box]) {
      let shared = try $0.create("Item", ["name": name, "number": 1])
      let free = try $0.create("Item", ["name": name])
      let own = try $0.create("Item", ["name": name, "number": 2])
      try $0.create("Box", ["one": .link(shared), "two": .link(shared)])
      try $0.create("Box", ["one": .link(free), "two": .link(free)])
      try $0.create("Box", ["one": .link(own)])
    }
    let before = try store.contents()
    let classes = [Self.indexed(isEmbedded: true), Self.box]
    let found = try store.check(classes)
    #expect(found.map(\.rule) == [.uniqueIndex, .ownedOnce, .ownedOnce])
    #expect(found.first?.objectID.rawValue == 1)
    let request = TestStore.request(store.path, classes, version: 2)
    #expect(
      storeError { _ = try StoreFile.dryRunMigration(request) }?.code == .migrationDuplicateKeys)
    #expect(storeError { _ = try StoreFile.open(request) }?.code == .migrationDuplicateKeys)
    #expect(try store.contents() == before)
  }

  // MARK: The plan

  @Test func `the plan says what goes with a list that becomes another`() throws {
    let store = try store(homes: 0)
    let person = ClassSchema(
      "Person", .required("name", .string), .link("home", to: "Address"),
      .list("others", .string))
    let plan = try store.plan([Self.address, Self.part, person], version: 2)
    let change = try #require(plan.changes.first)
    #expect(plan.changes.count == 1 && change.kind == .needsCode && change.deleted == 12)
    #expect(
      change.note == """
        A migration block or rule must set it for every object. Objects of 'Address' deleted \
        because no link leads to them: 6. Objects of 'Part' deleted because no link leads to \
        them: 6.
        """)
  }

  @Test func `the plan does not promise that objects stay which go with their owners`() throws {
    let store = try store(homes: 2)
    let person = ClassSchema("Person", .required("name", .string))
    let plan = try store.plan([person], version: 2)
    let removed = plan.changes.filter { ["Address", "Part"].contains($0.change.className) }
    #expect(removed.count == 2 && removed.allSatisfy { $0.note == nil }, "\(plan)")
    #expect(plan.changes.reduce(0) { $0 + $1.deleted } == 16)
    // With owners that stay, they do.
    let other = ClassSchema("Other", .required("name", .string))
    let notes = try store.plan([other], version: 2).changes.map(\.note).filter { $0 != nil }
    #expect(notes.count == 3)
    try store.open([person], version: 2)
    #expect(
      try store.contents().objects.mapValues(\.count) == ["Address": 0, "Part": 0, "Person": 3])
  }

  @Test func `the plan asks for no code of nobody, and for code where links have to be parted`()
    throws
  {
    let node = [PropertySchema.link("next", to: "Node")]
    let root = ClassSchema("Root", .link("first", to: "Node"))
    let store = try TestStore([ClassSchema(name: "Node", properties: node), root]) { session in
      for _ in 0..<3 { try session.create("Node", [:]) }
      let table = try session.table("Node")
      try table.update(ObjectID(rawValue: 1)) { try $0.set(0, .link(ObjectID(rawValue: 2))) }
      try session.create("Root", [:])
    }
    let new = ClassSchema(
      name: "Node", isEmbedded: true, properties: node + [.required("new", .int)])
    #expect(
      try store.plan([new, root], version: 2).changes.map(\.kind).sorted { $0.words < $1.words }
        == [.destructive, .instant])
    try store.write { session in
      let table = try session.table("Node")
      try table.update(ObjectID(rawValue: 2)) { try $0.set(0, .link(ObjectID(rawValue: 1))) }
    }
    #expect(
      try store.plan([new, root], version: 2).changes.map(\.kind) == [.needsCode, .needsCode])
    #expect(
      storeError { try store.open([new, root], version: 2) }?.code == .embeddedHasOwner)
  }
}
