import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Objects that several others share when their class becomes embedded: each owner but the
/// first gets a copy.
struct EmbeddedSharingTests {
  private static let part = ClassSchema("Part", .required("number", .int))
  private static let address = ClassSchema(
    "Address", .required("town", .string), .link("part", to: "Part"))
  private static let person = ClassSchema(
    "Person", .required("name", .string), .link("home", to: "Address"),
    .list("others", .link(to: "Address")), .map("named", .link(to: "Address")))
  private static let loose = [address, part, person]
  private static let embedded = [address.embedded, part.embedded, person]

  /// Two persons and one address with a part; nobody has any.
  private func store(_ fill: (Session, ObjectID) throws -> Void) throws -> TestStore {
    try TestStore(Self.loose) { session in
      let part = try session.create("Part", ["number": 7])
      try fill(session, try session.create("Address", ["town": "Vila", "part": .link(part)]))
    }
  }

  /// Each person's addresses, as their towns and the numbers of their parts.
  private func addresses(_ store: TestStore) throws -> [[String: PropertyValue]] {
    let contents = try store.contents()
    func text(_ value: PropertyValue?) -> PropertyValue {
      guard case .link(let id)? = value, let address = contents.objects["Address"]?[id.rawValue],
        case .string(let town)? = address["town"]
      else { return "missing" }
      guard case .link(let part)? = address["part"],
        case .int(let number)? = contents.objects["Part"]?[part.rawValue]?["number"]
      else { return .string(town) }
      return .string("\(town) \(number)")
    }
    return contents.list("Person").map { person in
      person.mapValues { value in
        switch value {
        case .link: text(value)
        case .list(let values): .list(values.map(text))
        case .map(let values): .map(values.mapValues(text))
        default: value
        }
      }
    }
  }

  /// Checks that nothing is shared, is without an owner or lies about.
  private func expectWhole(_ store: TestStore) throws {
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `each owner but the first gets a copy, with all that belongs to it`() throws {
    let store = try store { session, address in
      try session.create("Person", ["name": "a", "home": .link(address)])
      try session.create("Person", ["name": "b", "home": .link(address)])
      try session.create("Person", ["name": "c"])
    }
    let plan = try store.plan(Self.embedded, version: 2)
    let change = try #require(plan.changes.first { $0.change.className == "Address" })
    #expect(change.kind == .rewrite && change.copied == 1 && change.deleted == 0)
    #expect(change.note == "Copies made of shared objects: 1.")
    try store.open(Self.embedded, version: 2)
    let found = try addresses(store)
    #expect(found.map { $0["home"] } == ["Vila 7", "Vila 7", .null])
    let contents = try store.contents()
    #expect(contents.values("Person", "home") == [.link(id(1)), .link(id(2)), .null])
    #expect(contents.values("Address", "part") == [.link(id(1)), .link(id(2))])
    try expectWhole(store)
    // Each goes with its owner.
    try store.write { try $0.table("Person").remove(id(1)) }
    #expect(try store.contents().objects["Address"]?.keys.sorted() == [2])
    #expect(try store.contents().objects["Part"]?.keys.sorted() == [2])
  }

  @Test func `each place in a list and each name in a map has its own`() throws {
    let store = try store { session, address in
      let link = PropertyValue.link(address)
      try session.create(
        "Person",
        [
          "name": "a", "home": link, "others": [link, link], "named": .map(["x": link, "b": link]),
        ])
    }
    let findings = try store.check(Self.embedded)
    #expect(findings.map(\.rule) == [.ownedOnce, .ownedOnce])
    // What belongs to it is copied with it.
    #expect(findings.map(\.className) == ["Address", "Part"])
    let dryRun = try StoreFile.dryRunMigration(
      TestStore.request(store.path, Self.embedded, version: 2))
    #expect(dryRun.classes.map(\.copied) == [4, 4, 0])
    #expect(dryRun.classes.map(\.orphaned) == [0, 0, 0])
    #expect(dryRun.description.contains("4 created, 4 of them as copies"))
    try store.open(Self.embedded, version: 2)
    #expect(
      try addresses(store) == [
        [
          "name": "a", "home": "Vila 7", "others": ["Vila 7", "Vila 7"],
          "named": .map(["b": "Vila 7", "x": "Vila 7"]),
        ]
      ])
    let person = try #require(try store.contents().list("Person").first)
    // The first keeps it, in the order of the properties, and of the names of a map.
    #expect(person["home"] == .link(id(1)))
    #expect(person["others"] == [.link(id(2)), .link(id(3))])
    #expect(person["named"] == .map(["b": .link(id(4)), "x": .link(id(5))]))
    try expectWhole(store)
  }

  @Test func `shared and orphaned objects are counted before and after`() throws {
    let store = try store { session, address in
      for name in ["a", "b", "c"] {
        try session.create("Person", ["name": .string(name), "home": .link(address)])
      }
      for town in ["x", "y"] { try session.create("Address", ["town": .string(town)]) }
    }
    let plan = try store.plan(Self.embedded, version: 2)
    let change = try #require(plan.changes.first { $0.change.className == "Address" })
    #expect(change.kind == .destructive && change.copied == 2 && change.deleted == 2)
    #expect(
      plan.description.contains(
        "Objects deleted because no link leads to them: 2. Copies made of shared objects: 2."
      ))
    let coded = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(MigrationPlan.self, from: coded) == plan)
    #expect(try store.check(Self.embedded).map(\.rule) == [.ownedOnce, .owned, .owned, .ownedOnce])
    let dryRun = try StoreFile.dryRunMigration(
      TestStore.request(store.path, Self.embedded, version: 2))
    let outcome = try #require(dryRun.classes.first { $0.className == "Address" })
    #expect(outcome.copied == 2 && outcome.orphaned == 2)
    #expect(outcome.objectsBefore == 3 && outcome.objectsAfter == 3)
    try store.open(Self.embedded, version: 2)
    #expect(try addresses(store).map { $0["home"] } == ["Vila 7", "Vila 7", "Vila 7"])
    try expectWhole(store)
  }

  @Test func `the block may part them, and then nothing is copied`() throws {
    let store = try store { session, address in
      for name in ["a", "b"] {
        try session.create("Person", ["name": .string(name), "home": .link(address)])
      }
    }
    try store.open(Self.embedded, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        guard let new, new["name"] == "b" else { return }
        new["home"] = .link(try migration.create("Address", ["town": "own"]).id)
      }
    }
    #expect(try addresses(store).map { $0["home"] } == ["Vila 7", "own"])
    try expectWhole(store)
  }

  @Test func `long values and values of lost cases are copied as they are`() throws {
    let text = String(repeating: "long ", count: 50_000)
    let numbers = PropertyValue.list((0..<5_000).map { .int($0) })
    func thing(_ cases: [String]) -> ClassSchema {
      ClassSchema(
        "Thing", .required("text", .string), .list("numbers", .int),
        PropertySchema(name: "kind", type: .string, cases: cases))
    }
    let box = ClassSchema("Box", .list("things", .link(to: "Thing")))
    let store = try TestStore([thing(["old", "new"]), box]) { session in
      let values: [String: PropertyValue] = [
        "text": .string(text), "numbers": numbers, "kind": "old",
      ]
      let id = try session.create("Thing", values)
      try session.create("Box", ["things": [.link(id), .link(id), .link(id)]])
    }
    try store.open([thing(["new"]).embedded, box], version: 2)
    let contents = try store.contents()
    #expect(contents.values("Thing", "text") == Array(repeating: .string(text), count: 3))
    #expect(contents.values("Thing", "numbers") == Array(repeating: numbers, count: 3))
    #expect(contents.values("Thing", "kind") == ["old", "old", "old"])
    #expect(try store.findings() == [])
  }

  @Test func `objects under their keys, and owners that nobody declares, are no exception`() throws
  {
    let keyed = ClassSchema("Child", .key("number"))
    let owners = ["P", "Q"].map { ClassSchema($0, .list("children", .link(to: "Child"))) }
    let store = try TestStore([keyed] + owners) { session in
      let ids = try [Int64.max, -5].map { try session.create("Child", ["number": .int($0)]) }
      for name in ["P", "Q"] {
        try session.create(name, ["children": .list(ids.map { .link($0) })])
      }
    }
    let embedded = ClassSchema.embedded("Child", .required("number", .int))
    try store.open([embedded, owners[0]], version: 2)
    #expect(try store.contents().list("Child").count == 4)
    #expect(Set(try store.contents().values("Child", "number")) == [.int(.max), -5])
    #expect(try store.findings() == [])
    // Q comes back, with children of its own.
    try store.open([embedded] + owners, version: 3)
    try store.write { try $0.table("P").removeAll() }
    #expect(Set(try store.contents().values("Child", "number")) == [.int(.max), -5])
    #expect(try store.contents().list("Child").count == 2)
    #expect(try store.findings() == [])
  }

  private static func node(_ isEmbedded: Bool) -> [ClassSchema] {
    let node = ClassSchema("Node", .link("next", to: "Node"), .link("other", to: "Node"))
    return [isEmbedded ? node.embedded : node, ClassSchema("Root", .link("first", to: "Node"))]
  }

  @Test func `what is shared within what is shared is copied for each way to it`() throws {
    // 1 → 2 twice, 2 → 3 twice: seven objects in the end, for each of two roots.
    let store = try TestStore(Self.node(false)) { session in
      var last = PropertyValue.null
      for _ in 0..<3 {
        last = .link(try session.create("Node", ["next": last, "other": last]))
      }
      for _ in 0..<2 { try session.create("Root", ["first": last]) }
    }
    try store.open(Self.node(true), version: 2)
    #expect(try store.contents().list("Node").count == 14)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Root").remove(id(1)) }
    #expect(try store.contents().list("Node").count == 7)
    #expect(try store.findings() == [])
  }

  @Test(arguments: [false, true])
  func `an object that would own itself is an error that names it`(_ isLong: Bool) throws {
    let store = try TestStore(Self.node(false)) { session in
      var last = try session.create("Node", [:])
      for _ in 0..<(isLong ? 3 : 0) { last = try session.create("Node", ["other": .link(last)]) }
      let table = try session.table("Node")
      try table.update(id(1)) { try $0.set(0, .link(last)) }
      try session.create("Root", ["first": .link(last)])
    }
    let before = try store.contents()
    let error = storeError { try store.open(Self.node(true), version: 2) }
    let circle = isLong ? 4 : 1
    #expect(error?.code == .embeddedHasOwner)
    #expect(
      error?.description.hasPrefix(
        """
        Could not migrate 'Node' from version 1 to 2: the class is embedded, and the links of \
        object \(circle) lead back to it. Make one of them nil in the migration block. The store \
        is unchanged.
        """) == true, "\(String(describing: error))")
    #expect(try store.contents() == before)
    try store.open(Self.node(true), version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Node") { old, new in
        if old?.id == id(1) { new?["next"] = .null }
      }
    }
    #expect(try store.contents().list("Node").count == circle)
    #expect(try store.findings() == [])
  }

  @Test func `a circle that belongs to nobody is an error as well, and is announced`() throws {
    let store = try TestStore(Self.node(false)) { session in
      for _ in 0..<2 { try session.create("Node", [:]) }
      let table = try session.table("Node")
      try table.update(id(1)) { try $0.set(0, .link(id(2))) }
      try table.update(id(2)) { try $0.set(0, .link(id(1))) }
    }
    let before = try store.contents()
    let change = try #require(try store.plan(Self.node(true), version: 2).changes.first)
    #expect(change.kind == .needsCode && change.circular == 2 && change.deleted == 0)
    #expect(
      change.note == """
        Objects whose links lead back to them, which the migration block must separate: 2.
        """)
    let findings = try store.check(Self.node(true))
    #expect(findings.map(\.rule) == [.circle, .circle])
    #expect(
      findings.first?.description == """
        Object 1 of 'Node' is embedded now, and its links lead back to it: it cannot own itself.
        """)
    for isDryRun in [true, false] {
      let error = storeError {
        let request = TestStore.request(store.path, Self.node(true), version: 2)
        if isDryRun {
          _ = try StoreFile.dryRunMigration(request)
        } else {
          _ = try StoreFile.open(request)
        }
      }
      #expect(error?.code == .embeddedHasOwner && error?.context.objectID == id(1))
    }
    #expect(try store.contents() == before)
    // The block may part them, or delete one.
    try store.open(Self.node(true), version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Node") { _, new in
        if let new, new.id == id(1) { try migration.delete(new) }
      }
    }
    #expect(try store.contents().list("Node").isEmpty)
    #expect(try store.findings() == [])
  }

  @Test(.takesLong, arguments: [false, true])
  func `copies are made in batches, however many there are`(_ isList: Bool) throws {
    let count = TestRun.isLong ? 200_000 : 20_000
    let child = ClassSchema("Child", .required("text", .string))
    let owner = ClassSchema(
      "Parent", .link("child", to: "Child"), .list("all", .link(to: "Child")))
    let store = try TestStore([child, owner]) { session in
      let id = try session.create("Child", ["text": .string(String(repeating: "x", count: 400))])
      let link = PropertyValue.link(id)
      if isList {
        try session.create("Parent", ["all": .list(Array(repeating: link, count: count))])
      } else {
        for _ in 0..<count { try session.create("Parent", ["child": link]) }
      }
    }
    let plan = try store.plan([child.embedded, owner], version: 2)
    #expect(plan.changes.map(\.copied) == [count - 1])
    try store.open([child.embedded, owner], version: 2)
    #expect(try store.contents().list("Child").count == count)
    #expect(try store.findings() == [])
  }
}

private func id(_ number: UInt64) -> ObjectID { ObjectID(rawValue: number) }

extension ClassSchema {
  /// The same class, embedded.
  fileprivate var embedded: ClassSchema {
    ClassSchema(name: name, isEmbedded: true, properties: properties)
  }
}
