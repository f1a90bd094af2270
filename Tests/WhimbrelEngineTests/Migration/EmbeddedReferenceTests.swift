import Testing
import WhimbrelEngine

/// A class becomes embedded while values of any type lead to its objects.
struct EmbeddedReferenceTests {
  private static let address = ClassSchema(
    "Address", .required("code", .int), .required("town", .string))
  private static let embedded = ClassSchema.embedded(
    "Address", .required("code", .int), .required("town", .string))
  private static let person = ClassSchema("Person", .link("home", to: "Address"))
  private static let note = ClassSchema(
    "Note", .required("number", .int), .required("any", .any), .list("list", .any),
    .set("set", .any), .map("map", .any))
  private static let old = [address, person, note]
  private static let new = [embedded, person, note]

  /// An address that somebody owns, and one that only a value of any type leads to.
  private func store(_ property: String, isNested: Bool) throws -> TestStore {
    try TestStore(Self.old) { session in
      let ids = try (1...2).map {
        try session.create("Address", ["code": .int($0), "town": "Vila"])
      }
      try session.create("Person", ["home": .link(ids[0])])
      let classID = try session.table("Address").resolved.id
      for (number, id) in ids.enumerated() {
        var value = PropertyValue.object(ObjectReference(classID: classID, id: id))
        if isNested { value = [1, .map(["a": [value]])] }
        let stored: PropertyValue =
          property == "any" ? value : property == "map" ? .map(["k": value]) : .list([value])
        try session.create("Note", ["number": .int(Int64(number)), property: stored])
      }
      try session.create("Note", ["number": 7, "any": "nothing"])
    }
  }

  @Test(arguments: ["any", "list", "set", "map"], [false, true])
  func `a value that leads to an embedded class is refused`(_ property: String, _ isNested: Bool)
    throws
  {
    let store = try store(property, isNested: isNested)
    let before = try store.contents()
    let plan = try store.plan(Self.new, version: 2)
    let change = try #require(
      plan.changes.first { $0.change.className == "Address" && $0.note != nil })
    #expect(change.kind == .needsCode && change.references == 2)
    #expect(
      change.note?.hasSuffix(
        """
        Values of any type lead to its objects, and the migration block must change them: \
        'Note.\(property)' (2).
        """) == true)
    let findings = try store.check(Self.new).filter { $0.rule == .reference }
    #expect(
      findings.map(\.description)
        == (1...2).map {
          "'Note.\(property)' of object \($0) leads to object \($0) of 'Address', which is embedded "
            + "now: only a link to its class may lead to it."
        })
    for hasBlock in [false, true] {
      let block: MigrationBlock = { migration, _ in
        try migration.enumerateObjects(ofType: "Note") { _, _ in }
      }
      for isDryRun in [true, false] {
        let request = TestStore.request(
          store.path, Self.new, version: 2, migration: hasBlock ? block : nil)
        let error = storeError {
          if isDryRun {
            _ = try StoreFile.dryRunMigration(request)
          } else {
            _ = try StoreFile.open(request)
          }
        }
        #expect(error?.code == .embeddedHasOwner && error?.context.propertyName == property)
        #expect(
          error?.description.hasPrefix(
            """
            Could not migrate 'Address' from version 1 to 2: the class is embedded now, and values \
            of any type lead to its objects:
            - 'Note.\(property)' of object 1 leads to object 1 of 'Address'
            - 'Note.\(property)' of object 2 leads to object 2 of 'Address'
            Set these values to something else in the migration block, or delete the objects \
            there.
            """) == true, "\(String(describing: error))")
      }
    }
    #expect(try store.contents() == before)
  }

  @Test(arguments: ["any", "list", "set", "map"], [false, true])
  func `a block that removes such values succeeds`(_ property: String, _ deletes: Bool) throws {
    let store = try store(property, isNested: true)
    try store.open(Self.new, version: 2) { migration, _ in
      if deletes {
        try migration.enumerateObjects(ofType: "Address") { _, new in
          if let new { try migration.delete(new) }
        }
      } else {
        try migration.enumerateObjects(ofType: "Note") { _, new in
          guard let new, new["number"] != 7 else { return }
          try new.set(
            property, to: property == "any" ? .null : property == "map" ? .map([:]) : .list([]))
        }
      }
    }
    #expect(try store.contents().list("Address").count == (deletes ? 0 : 1))
    #expect(try store.findings() == [])
  }

  @Test func `the block cannot set such a value`() throws {
    let store = try store("any", isNested: false)
    let error = storeError {
      try store.open(Self.new, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Note") { old, new in
          guard let old, let new else { return }
          try new.set("list", to: .list([old["any"]]))
        }
      }
    }
    #expect(error?.code == .migrationBlockFailed && error?.context.objectID?.rawValue == 1)
    let reason = "object 1 of 'Address' is embedded, and a value of any type cannot own it"
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a property that is removed does not stand in the way`() throws {
    let store = try store("any", isNested: false)
    let note = ClassSchema("Note", .required("number", .int))
    let schema = [Self.embedded, Self.person, note]
    #expect(try store.check(schema).map(\.rule) == [.owned])
    try store.open(schema, version: 2)
    #expect(try store.contents().list("Address").count == 1)
    #expect(try store.findings() == [])
  }

  @Test func `classes that nobody declares any longer count as well`() throws {
    let store = try store("any", isNested: false)
    let schema = [Self.embedded, Self.person]
    let error = storeError { try store.open(schema, version: 2) }
    #expect(error?.code == .embeddedHasOwner && error?.context.className == "Note")
    try store.open(schema, version: 2) { migration, _ in
      try migration.deleteData(forType: "Note")
    }
    #expect(try store.contents().list("Address").count == 1)
    #expect(try store.findings() == [])
  }
}
