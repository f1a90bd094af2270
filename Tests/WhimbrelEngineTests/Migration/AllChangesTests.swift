import Testing
import WhimbrelEngine

/// Every kind of change alone: what the plan calls it, whether the same version allows it,
/// and what becomes of the objects.
struct AllChangesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var old: [ClassSchema]
    var new: [ClassSchema]
    /// What the plan says, change by change.
    var kinds: [MigrationPlan.Kind]
    /// Whether the same version takes it.
    var isFree = false
    /// The values of `A.a` after it.
    var values: [PropertyValue]
    var property = "a"
    /// What a dry run says of renames that the plan cannot know, because the block makes them.
    var renames: String?
    var block: MigrationBlock?
  }

  /// Three objects of `A`, whose `a` says what they are, and an object of `B` that the
  /// first two link to.
  private static func fill(_ session: Session, _ classes: [ClassSchema]) throws {
    let target = try session.create("B", ["name": "b0"])
    for number in 0..<Int64(3) {
      var values: [String: PropertyValue] = [:]
      for property in classes[0].properties {
        values[property.name] =
          switch property.type {
          case .int, .int16: property.isOptional && number == 2 ? .null : .int(number)
          case .string: .string("\(number)")
          case .link: number < 2 ? .link(target) : .null
          case .list(let element) where element.type == .int: .list([.int(number)])
          case .set: .list([.int(number)])
          default: .list([])
          }
      }
      try session.create("A", values)
    }
  }

  private static let b = ClassSchema("B", .key("name", .string))

  private static func a(_ properties: PropertySchema...) -> [ClassSchema] {
    [ClassSchema(name: "A", properties: properties), b]
  }

  private static let number = a(.required("a", .int))

  static let shapes: [Case] = [
    Case(
      testDescription: "reorder", old: a(.required("a", .int), .required("x", .int)),
      new: a(.required("x", .int), .required("a", .int)), kinds: [.instant], isFree: true,
      values: [0, 1, 2]),
    Case(
      testDescription: "add", old: number,
      new: a(.required("a", .int), .required("n", .int, default: 7)),
      kinds: [.instant], values: [7, 7, 7], property: "n"),
    Case(
      testDescription: "remove", old: a(.required("a", .int), .required("x", .int)), new: number,
      kinds: [.destructive], values: [0, 1, 2]),
    Case(
      testDescription: "rename in the model", old: number, new: a(.required("n", .int, was: "a")),
      kinds: [.instant], values: [0, 1, 2], property: "n"),
    Case(
      testDescription: "rename through names of versions that are gone", old: number,
      new: a(.required("n", .int, was: "a3", "a2", "a")), kinds: [.instant], values: [0, 1, 2],
      property: "n"),
    Case(
      testDescription: "rename in the block, in a chain", old: number,
      new: a(.required("n", .int, default: 9)), kinds: [.destructive, .instant],
      values: [0, 1, 2], property: "n", renames: "Property 'A.a' has been renamed to 'n'.",
      block: { migration, _ in
        try migration.renameProperty(onType: "A", from: "a", to: "a2")
        try migration.renameProperty(onType: "A", from: "a2", to: "n")
      }),
    Case(
      testDescription: "default changed", old: number, new: a(.required("a", .int, default: 5)),
      kinds: [.instant], isFree: true, values: [0, 1, 2]),
    Case(
      testDescription: "index added", old: number, new: a(.indexed("a", .int)),
      kinds: [.indexBuild], isFree: true, values: [0, 1, 2]),
    Case(
      testDescription: "index removed", old: a(.indexed("a", .int)), new: number,
      kinds: [.instant], isFree: true, values: [0, 1, 2]),
    Case(
      testDescription: "class added", old: number, new: number + [ClassSchema("C", .key("c"))],
      kinds: [.instant], isFree: true, values: [0, 1, 2]),
    Case(
      testDescription: "class removed", old: number, new: [number[0]], kinds: [.instant],
      isFree: true, values: [0, 1, 2]),
    Case(
      testDescription: "class renamed", old: number,
      new: [number[0], ClassSchema("C", .key("name", .string))],
      kinds: [.instant, .instant], isFree: true, values: [0, 1, 2],
      renames: "Class 'B' has been renamed to 'C'.",
      block: { migration, _ in try migration.renameClass(from: "B", to: "C") }),
    Case(
      testDescription: "cases added and removed",
      old: a(PropertySchema(name: "a", type: .string, cases: ["0", "1", "2"])),
      new: a(PropertySchema(name: "a", type: .string, cases: ["1", "2", "3"])), kinds: [.instant],
      isFree: true, values: ["0", "1", "2"]),
  ]

  static let types: [Case] = [
    Case(
      testDescription: "retype by itself", old: number, new: a(.required("a", .string)),
      kinds: [.rewrite], values: ["0", "1", "2"]),
    Case(
      testDescription: "widen", old: a(.required("a", .int16)), new: number, kinds: [.instant],
      values: [0, 1, 2]),
    Case(
      testDescription: "narrow", old: number, new: a(.required("a", .int16)), kinds: [.rewrite],
      values: [0, 1, 2]),
    Case(
      testDescription: "retype by code", old: a(.required("a", .string)), new: number,
      kinds: [.needsCode], values: [0, 1, 2], block: parse),
    Case(
      testDescription: "made optional", old: number, new: a(.optional("a", .int)),
      kinds: [.instant], values: [0, 1, 2]),
    Case(
      testDescription: "made required, with a default", old: a(.optional("a", .int)),
      new: a(.required("a", .int, default: 5)), kinds: [.instant, .instant], values: [0, 1, 5]),
    Case(
      testDescription: "made required, with code", old: a(.optional("a", .int)), new: number,
      kinds: [.needsCode], values: [0, 1, 8],
      block: { migration, _ in
        try migration.enumerateObjects(ofType: "A") { old, new in
          if old?["a"] == .null { new?["a"] = 8 }
        }
      }),
    Case(
      testDescription: "value to list", old: number, new: a(.list("a", .int)), kinds: [.rewrite],
      values: [[0], [1], [2]]),
    Case(
      testDescription: "list to value", old: a(.list("a", .int)), new: a(.optional("a", .int)),
      kinds: [.rewrite], values: [0, 1, 2]),
    Case(
      testDescription: "list to set", old: a(.list("a", .int)), new: a(.set("a", .int)),
      kinds: [.rewrite], values: [[0], [1], [2]]),
    Case(
      testDescription: "set to list", old: a(.set("a", .int)), new: a(.list("a", .int)),
      kinds: [.rewrite], values: [[0], [1], [2]]),
    Case(
      testDescription: "to-one to list", old: a(.link("a", to: "B")),
      new: a(.list("a", .link(to: "B"))), kinds: [.rewrite],
      values: [[.link(ObjectID(rawValue: 1))], [.link(ObjectID(rawValue: 1))], []]),
  ]

  private static let parse: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "A") { old, new in
      let text = try #require(old)["a", as: String.self]
      try new?.set("a", to: try #require(Int(text)))
    }
  }

  static let keys: [Case] = [
    Case(
      testDescription: "key added", old: number, new: a(.key("a")), kinds: [.indexBuild],
      values: [0, 1, 2]),
    Case(
      testDescription: "key removed", old: a(.key("a")), new: number, kinds: [.instant],
      values: [0, 1, 2]),
    Case(
      testDescription: "key changed", old: a(.key("a"), .required("x", .string)),
      new: a(.required("a", .int), .key("x", .string)), kinds: [.indexBuild],
      values: [0, 1, 2]),
    Case(
      testDescription: "key retyped by itself", old: a(.key("a")), new: a(.key("a", .string)),
      kinds: [.rewrite], values: ["0", "1", "2"]),
    Case(
      testDescription: "key retyped by code", old: a(.key("a", .string)), new: a(.key("a")),
      kinds: [.needsCode], values: [0, 1, 2], block: parse),
    Case(
      testDescription: "key renamed", old: a(.key("a")), new: a(.key("n", was: "a")),
      kinds: [.instant], values: [0, 1, 2], property: "n"),
  ]

  @Test(arguments: shapes + types + keys)
  func `a change alone is planned, predicted and made`(_ change: Case) throws {
    let other = try TestStore(change.old) { try Self.fill($0, change.old) }
    let refusal = storeError { try other.open(change.new, version: 1) }
    #expect(refusal?.code == (change.isFree ? nil : .schemaMismatch))

    let store = try TestStore(change.old) { try Self.fill($0, change.old) }
    let plan = try store.plan(change.new, version: 2)
    #expect(plan.changes.map(\.kind) == change.kinds)
    let request = TestStore.request(
      store.path, change.new, version: 2, migration: change.block)
    let dryRun = try StoreFile.dryRunMigration(request)
    if let renames = change.renames {
      #expect(dryRun.plan.changes.first.map { "\($0.change)" } == renames)
      #expect(dryRun.plan.changes.allSatisfy { $0.kind == .instant })
    } else {
      #expect(dryRun.plan == plan)
    }
    let before = try store.contents()
    _ = try StoreFile.open(request)
    let after = try store.contents()
    let property = change.property
    #expect(
      Set(after.values("A", property)) == Set(change.values) && after.list("A").count == 3)
    // What is instant, or an index, writes no object.
    let isWritten = change.kinds.contains { $0 == .rewrite || $0 == .needsCode }
    #expect(isWritten || before.generation("A") == after.generation("A"))
    #expect(after.catalog.history.last?.objects == dryRun.objectsRewritten)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == after.tableNames)
    #expect(try store.plan(change.new, version: 2).isEmpty)
  }

  @Test(arguments: (shapes + types + keys).filter { $0.kinds.contains(.needsCode) })
  func `what needs code is refused without, and nothing changes`(_ change: Case) throws {
    let store = try TestStore(change.old) { try Self.fill($0, change.old) }
    let before = try store.contents()
    let error = storeError { try store.open(change.new, version: 2) }
    #expect(error?.code == .migrationUnset || error?.code == .migrationNil)
    #expect(error?.context.className == "A" && error?.context.propertyName == "a")
    #expect(error?.recovery.contains("store is unchanged") == true)
    #expect(try store.contents() == before)
  }

  @Test func `a link leads to another class, whose objects code looks up by their keys`() throws {
    let old = [
      ClassSchema("Visit", .link("place", to: "City"), .list("all", .link(to: "City"))),
      ClassSchema("City", .key("name", .string)),
    ]
    let new = [
      ClassSchema("Visit", .link("place", to: "Zone"), .list("all", .link(to: "Zone"))), old[1],
      ClassSchema("Zone", .key("identifier", .string)),
    ]
    let store = try TestStore(old) { session in
      for name in ["Vila", "Roma"] {
        let city = try session.create("City", ["name": .string(name)])
        try session.create("Visit", ["place": .link(city), "all": [.link(city), .link(city)]])
      }
    }
    #expect(
      try store.plan(new, version: 2).changes.map(\.kind) == [.needsCode, .needsCode, .instant])
    #expect(storeError { try store.open(new, version: 2) }?.code == .migrationUnset)
    try store.open(new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "City") { old, _ in
        let name = try #require(old)["name", as: String.self]
        try migration.create("Zone", ["identifier": .string("Europe/\(name)")])
      }
      try migration.enumerateObjects(ofType: "Visit") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        #expect(try new.object("place") == nil && new.list("all").count() == 0)
        let name = try #require(try old.object("place"))["name", as: String.self]
        let zone = try migration.object(ofType: "Zone", forPrimaryKey: .string("Europe/\(name)"))
        try new.set("place", to: zone)
        new["all"] = .list([.link(try #require(zone).id)])
      }
    }
    let contents = try store.contents()
    #expect(contents.values("Zone", "identifier") == ["Europe/Vila", "Europe/Roma"])
    #expect(contents.values("Visit", "place") == [1, 2].map { .link(ObjectID(rawValue: $0)) })
    #expect(try store.findings() == [])
  }
}
