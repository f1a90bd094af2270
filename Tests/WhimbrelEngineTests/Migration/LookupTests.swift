import Testing
import WhimbrelEngine

/// Old objects by their keys, and links followed backwards, on both sides.
struct LookupTests {
  private static func classes(_ extra: PropertySchema...) -> [ClassSchema] {
    [
      ClassSchema("Country", .key("code", .string), .required("name", .string)),
      ClassSchema(
        name: "Zone",
        properties: [
          .key("number"), .link("country", to: "Country"),
          .required("all", .list(of: ElementType(.link(to: "Country")))), .required("note", .any),
        ] + extra),
    ]
  }

  private func store(zones: Int = 6) throws -> TestStore {
    try TestStore(Self.classes()) { session in
      let first = try session.create("Country", ["code": "a", "name": "A"])
      let second = try session.create("Country", ["code": "b", "name": "B"])
      let country = try session.table("Country").resolved.id
      for number in 0..<zones {
        let target = number % 2 == 0 ? first : second
        try session.create(
          "Zone",
          [
            "number": .int(Int64(number)), "country": .link(target),
            "all": [.link(first), .link(second), .link(first)],
            "note": .object(ObjectReference(classID: country, id: target)),
          ])
      }
    }
  }

  @Test func `an old object is found by its key, whatever has become of the new one`() throws {
    let store = try store()
    let classes = [
      ClassSchema("Country", .required("code", .string), .required("name", .string)),
      Self.classes()[1],
    ]
    try store.open(classes, version: 2) { migration, _ in
      try migration.deleteData(forType: "Country")
      let old = try #require(
        try migration.oldObject(ofType: "Country", forPrimaryKey: "b"))
      #expect(old["name"] == "B" && old.id == ObjectID(rawValue: 2))
      #expect(try migration.oldObject(ofType: "Country", forPrimaryKey: "c") == nil)
      #expect {
        _ = try migration.oldObject(ofType: "Country", forPrimaryKey: 1)
      } throws: {
        ($0 as? StoreError)?.code == .wrongType
      }
      #expect {
        _ = try migration.object(ofType: "Country", forPrimaryKey: 1)
      } throws: {
        ($0 as? StoreError)?.code == .noPrimaryKey
      }
      let zone = try #require(try migration.oldObject(ofType: "Zone", forPrimaryKey: 3))
      #expect(try zone.object("country")?["name"] == "B")
      #expect(try migration.oldObject(ofType: "Zone", forPrimaryKey: 99) == nil)
      #expect { _ = try migration.oldObject(ofType: "X", forPrimaryKey: 1) } throws: {
        StoreError.Code.unknownClass ~= $0
      }
    }
    #expect(try store.findings() == [])
  }

  @Test func `a class without a primary key has no old objects by key`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int))])
    let error = storeError {
      try store.open([ClassSchema("A", .key("a"))], version: 2) { migration, _ in
        _ = try migration.oldObject(ofType: "A", forPrimaryKey: 1)
      }
    }
    #expect(error?.code == .noPrimaryKey)
  }

  @Test(arguments: ["country", "all", "note"])
  func `old objects know what links to them, to the end`(_ property: String) throws {
    let store = try store()
    try store.open(Self.classes(), version: 2) { migration, _ in
      let country = try #require(try migration.oldObject(ofType: "Country", forPrimaryKey: "a"))
      let expected: [PropertyValue] = property == "all" ? [0, 1, 2, 3, 4, 5] : [0, 2, 4]
      for _ in 0..<2 {
        let found = try country.linkingObjects(ofType: "Zone", property: property)
        #expect(found.map { $0["number"] } == expected)
        try migration.deleteData(forType: "Zone")
      }
    }
    #expect(try store.findings() == [])
  }

  @Test func `new objects that nobody has changed are asked the index of the file`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open(Self.classes(), version: 2) { migration, _ in
      let country = try #require(try migration.oldObject(ofType: "Country", forPrimaryKey: "a"))
      try migration.enumerateObjects(ofType: "Country") { _, new in
        guard let new, new.id == country.id else { return }
        let found = try new.linkingObjects(ofType: "Zone", property: "country")
        #expect(found.map { $0["number"] } == [0, 2, 4])
      }
    }
    #expect(try store.contents().generation("Zone") == before.generation("Zone"))
    #expect(try store.contents().objects == before.objects)
  }

  @Test(arguments: ["country", "all", "note"])
  func `new objects know what links to them after every change`(_ property: String) throws {
    let store = try store()
    try store.open(Self.classes(.required("extra", .int, default: 1)), version: 2) {
      migration, _ in
      let a = try #require(try migration.object(ofType: "Country", forPrimaryKey: "a"))
      let b = try #require(try migration.object(ofType: "Country", forPrimaryKey: "b"))
      func sources(_ target: DynamicObject) throws -> [PropertyValue] {
        try target.linkingObjects(ofType: "Zone", property: property).map { $0["number"] }
      }
      func value(_ target: DynamicObject) -> PropertyValue {
        switch property {
        case "all": [target.link, target.link]
        case "note": target.reference
        default: target.link
        }
      }
      try migration.enumerateObjects(ofType: "Zone") { _, new in
        let new = try #require(new)
        // All of them lead to 'a' in the end; the last question is about the object at hand.
        new[property] = value(a)
        #expect(try sources(a).contains(new["number"]))
        #expect(try !sources(b).contains(new["number"]))
        new["extra"] = 2
      }
      #expect(try sources(a) == [0, 1, 2, 3, 4, 5] && sources(b) == [])
      let created = try migration.create(
        "Zone", ["number": 10, property: value(b), "extra": 3])
      #expect(try sources(b) == [10])
      created[property] = value(a)
      #expect(try sources(b) == [] && sources(a).last == 10)
      let zone = try #require(try migration.object(ofType: "Zone", forPrimaryKey: 2))
      try migration.delete(zone)
      #expect(try sources(a) == [0, 1, 3, 4, 5, 10])
      // An error that is caught leaves everything as it was.
      #expect(throws: (any Error).self) { try created.set("country", to: "no link") }
      #expect(try sources(a).last == 10)
      try migration.deleteData(forType: "Zone")
      #expect(try sources(a) == [])
      try migration.create("Zone", ["number": 1, property: value(b)])
      #expect(try sources(b) == [1])
    }
    #expect(try store.contents().values("Zone", "number") == [1])
    #expect(try store.findings() == [])
  }

  @Test func `a long list that is changed in place is followed too`() throws {
    let store = try store()
    try store.open(Self.classes(.required("extra", .int, default: 1)), version: 2) {
      migration, _ in
      let a = try #require(try migration.object(ofType: "Country", forPrimaryKey: "a"))
      let b = try #require(try migration.object(ofType: "Country", forPrimaryKey: "b"))
      let zone = try #require(try migration.object(ofType: "Zone", forPrimaryKey: 3))
      func sources(_ target: DynamicObject) throws -> Int {
        try target.linkingObjects(ofType: "Zone", property: "all").count
      }
      let list = try zone.list("all")
      zone["all"] = .list(Array(repeating: a.link, count: 1_000))
      #expect(try sources(a) == 6 && sources(b) == 5)
      try list.append(b.link)
      try list.append(b.link)
      #expect(try sources(b) == 6)
      try list.remove(at: 1_001)
      #expect(try sources(b) == 6)
      try list.remove(at: 1_000)
      #expect(try sources(b) == 5)
      zone["all"] = []
      #expect(try sources(a) == 5 && sources(b) == 5)
    }
    #expect(try store.findings() == [])
  }

  @Test func `links that a migration adds are followed, and those of a new class`() throws {
    let store = try store()
    let classes =
      Self.classes(.link("other", to: "Country")) + [
        ClassSchema("New", .link("country", to: "Country"))
      ]
    try store.open(classes, version: 2) { migration, _ in
      let a = try #require(try migration.object(ofType: "Country", forPrimaryKey: "a"))
      #expect(try a.linkingObjects(ofType: "New", property: "country").isEmpty)
      #expect(try a.linkingObjects(ofType: "Zone", property: "other").isEmpty)
      try migration.enumerateObjects(ofType: "Zone") { _, new in
        try new?.set("other", to: a)
        try migration.create("New", ["country": a.link])
      }
      #expect(try a.linkingObjects(ofType: "New", property: "country").count == 6)
      #expect(try a.linkingObjects(ofType: "Zone", property: "other").count == 6)
      #expect { _ = try a.linkingObjects(ofType: "Zone", property: "number") } throws: {
        StoreError.Code.wrongType ~= $0
      }
    }
    #expect(try store.findings() == [])
  }

  @Test func `both sides of many objects are followed in time`() throws {
    let store = try store(zones: 3_000)
    let total = Notes<Int>()
    try store.open(Self.classes(.required("extra", .int)), version: 2) { migration, _ in
      let country = try migration.property("country", ofType: "Zone")
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        new["extra"] = 1
        let own = try migration.create("Country", ["code": .string("\(old.id)"), "name": "x"])
        try new.set(country, to: own.link)
        total.add(try own.linkingObjects(ofType: "Zone", property: "country").count)
      }
    }
    #expect(total.all.allSatisfy { $0 == 1 } && total.count == 3_000)
    #expect(try store.findings() == [])
  }
}
