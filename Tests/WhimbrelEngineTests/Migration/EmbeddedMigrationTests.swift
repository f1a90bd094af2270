import Foundation
import Testing
import WhimbrelEngine

/// Embedded objects in migrations: at the end each has exactly one owner.
struct EmbeddedMigrationTests {
  private static let address = ClassSchema.embedded(
    "Address", .required("town", .string), .link("part", to: "Part"))
  private static let part = ClassSchema.embedded("Part", .required("number", .int))
  private static let person = ClassSchema(
    "Person", .required("name", .string), .link("home", to: "Address"),
    .list("others", .link(to: "Address")), .required("any", .any))
  private static let all = [address, part, person]

  /// Persons, each with a home and two other addresses of which one has a part.
  private func store(_ count: Int = 3, _ classes: [ClassSchema] = all) throws -> TestStore {
    try TestStore(classes) { session in
      for number in 0..<count {
        func address(_ name: String, _ part: PropertyValue = .null) throws -> PropertyValue {
          .link(
            try session.create("Address", ["town": .string("\(name)\(number)"), "part": part]))
        }
        let part = try session.create("Part", ["number": .int(Int64(number))])
        try session.create(
          "Person",
          [
            "name": .string("\(number)"), "home": address("h"),
            "others": .list([address("o"), address("p", .link(part))]),
          ])
      }
    }
  }

  private func towns(_ store: TestStore) throws -> [PropertyValue] {
    try store.contents().values("Address", "town")
  }

  @Test func `children go with owners that the block deletes`() throws {
    let store = try store()
    try store.open(Self.all, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        if let new, new["name"] == "1" { try migration.delete(new) }
      }
    }
    #expect(try towns(store) == ["h0", "o0", "p0", "h2", "o2", "p2"])
    #expect(try store.contents().values("Part", "number") == [0, 2])
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `children go when the block puts others in their place`() throws {
    let store = try store()
    try store.open(Self.all, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        guard let new else { return }
        let home = try migration.create("Address", ["town": "new"])
        new["home"] = .link(home.id)
        if new["name"] == "0" { new["others"] = [] }
      }
    }
    #expect(try towns(store) == ["o1", "p1", "o2", "p2", "new", "new", "new"])
    #expect(try store.contents().values("Part", "number") == [1, 2])
    #expect(try store.findings() == [])
  }

  @Test func `a child may move to another owner`() throws {
    let store = try store()
    try store.open(Self.all, version: 2) { migration, _ in
      var last: PropertyValue = .null
      try migration.enumerateObjects(ofType: "Person") { old, new in
        new?["home"] = last
        last = old?["home"] ?? .null
      }
    }
    #expect(try towns(store) == ["h0", "o0", "p0", "h1", "o1", "p1", "o2", "p2"])
    #expect(try store.findings() == [])
    // Also out of a child that goes itself.
    try store.open(Self.all, version: 3) { migration, _ in
      var part: PropertyValue = .null
      try migration.enumerateObjects(ofType: "Address") { _, new in
        if new?["town"] == "p0" { part = new?["part"] ?? .null }
        if new?["town"] == "h1" { new?["part"] = part }
      }
      try migration.enumerateObjects(ofType: "Person") { _, new in
        if new?["name"] == "0" { new?["others"] = [] }
      }
    }
    #expect(try store.contents().values("Part", "number") == [0, 1, 2])
    #expect(try store.findings() == [])
  }

  @Test func `a child with two owners is an error, and nothing changes`() throws {
    let store = try store()
    let before = try store.contents()
    let error = storeError {
      try store.open(Self.all, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Person") { _, new in
          new?["home"] = .link(ObjectID(rawValue: 2))
        }
      }
    }
    #expect(error?.code == .embeddedHasOwner && error?.context.objectID?.rawValue == 2)
    #expect(
      error?.message == """
        Could not migrate 'Address' from version 1 to 2: the class is embedded, and more than one \
        link leads to object 2.
        """)
    #expect(try store.contents() == before)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `children of a property that is removed go, although no code runs`() throws {
    let store = try store()
    let fewer = ClassSchema(
      "Person", .required("name", .string), .link("home", to: "Address"), .required("any", .any))
    try store.open([Self.address, Self.part, fewer], version: 2)
    #expect(try towns(store) == ["h0", "h1", "h2"])
    #expect(try store.contents().list("Part").isEmpty)
    #expect(try store.contents().generation("Person") == 1)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `a class that is deleted takes the embedded objects along`() throws {
    let store = try store()
    try store.open([Self.address, Self.part], version: 2) { migration, _ in
      try migration.deleteData(forType: "Person")
    }
    #expect(try towns(store) == [])
    #expect(try store.contents().list("Part").isEmpty)
    #expect(try store.findings() == [])
  }

  @Test func `embedded classes that nobody declares stay with their owners`() throws {
    let store = try store()
    let before = try store.contents()
    let other = ClassSchema("Other", .required("number", .int))
    try store.open([other], version: 2)
    #expect(try store.contents().objects["Address"] == before.objects["Address"])
    #expect(try store.findings() == [])
    // The owners go, the classes of the children are not declared.
    try store.open([other], version: 3) { migration, _ in
      try migration.deleteData(forType: "Person")
    }
    #expect(try towns(store) == [])
    #expect(try store.findings() == [])
  }

  @Test func `what leads to a child that goes becomes nil`() throws {
    let store = try store()
    try store.write { session in
      let id = try session.table("Address").resolved.id
      let child = ObjectReference(classID: id, id: ObjectID(rawValue: 1))
      let table = try session.table("Person")
      try table.update(ObjectID(rawValue: 3)) {
        try $0.set(table.resolved.requiredPosition(of: "any"), [.object(child), 5])
      }
    }
    try store.open(Self.all, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        if new?["name"] == "0" { new?["home"] = .null }
      }
    }
    #expect(try store.contents().values("Person", "any").last == [nil, 5])
    #expect(try store.findings() == [])
  }

  // MARK: Classes that become embedded

  private static let loose = ClassSchema(
    "Address", .required("town", .string), .link("part", to: "Part"))

  // A read of a child without an owner noted that its links had been put right, and they had not.
  @Test func `a child that gets an owner again does not lead to what was deleted`() throws {
    let dog = ClassSchema("Dog", .required("name", .string))
    let address = ClassSchema.embedded("Address", .link("dog", to: "Dog"))
    let person = ClassSchema("Person", .link("home", to: "Address"))
    let store = try TestStore([dog, address, person]) { session in
      let dog = try session.create("Dog", ["name": "Rex"])
      let home = try session.create("Address", ["dog": .link(dog)])
      try session.create("Person", ["home": .link(home)])
    }
    try store.open([dog, address, person], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        let home = try #require(try new?.object("home"))
        try new?.set("home", to: PropertyValue.null)
        try migration.enumerateObjects(ofType: "Dog") { _, dog in
          if let dog { try migration.delete(dog) }
        }
        let hidden = try? home.value("dog")
        #expect(hidden == nil)
        try new?.set("home", to: home)
        let link = try home.value("dog")
        #expect(link == .null)
      }
    }
    #expect(try store.contents().values("Address", "dog") == [.null])
    #expect(try store.findings() == [])
  }

  @Test func `objects without an owner go when their class becomes embedded`() throws {
    let store = try store(3, [Self.loose, Self.part, Self.person])
    try store.write { session in
      try session.create("Address", ["town": "nowhere"])
    }
    #expect(
      storeError { try store.open(Self.all, version: 1) }?.code == .schemaMismatch)
    let plan = try store.plan(Self.all, version: 2)
    #expect(plan.changes.map(\.change) == [.embeddingChanged(class: "Address", isEmbedded: true)])
    #expect(plan.changes.first?.kind == .destructive)
    try store.open(Self.all, version: 2)
    #expect(try towns(store).count == 9)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Person").removeAll() }
    #expect(try towns(store) == [])
  }

  @Test func `nothing is rewritten when all have one owner`() throws {
    let store = try store(3, [Self.loose, Self.part, Self.person])
    let before = try store.contents()
    try store.open(Self.all, version: 2)
    let after = try store.contents()
    #expect(after.objects == before.objects && after.generation("Address") == 1)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == after.tableNames)
    // And back.
    try store.open([Self.loose, Self.part, Self.person], version: 3)
    try store.write { try $0.table("Person").removeAll() }
    #expect(try store.contents().objects["Address"] == before.objects["Address"])
    #expect(try store.findings() == [])
  }

  @Test func `a chain of ten thousand goes in a migration`() throws {
    let node = ClassSchema.embedded("Node", .link("next", to: "Node"))
    let root = ClassSchema("Root", .link("first", to: "Node"))
    let store = try TestStore([node, root]) { session in
      for _ in 0..<2 {
        var last = try session.create("Node", [:])
        for _ in 0..<5_000 { last = try session.create("Node", ["next": .link(last)]) }
        try session.create("Root", ["first": .link(last)])
      }
    }
    try store.open([node, root], version: 2) { migration, _ in
      var isFirst = true
      try migration.enumerateObjects(ofType: "Root") { _, new in
        if let new, isFirst { try migration.delete(new) }
        isFirst = false
      }
    }
    #expect(try store.contents().list("Node").count == 5_001)
    #expect(try store.findings() == [])
  }
}
