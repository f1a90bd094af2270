import Foundation
import Testing
import WhimbrelEngine

/// Collections and links of the objects that a migration block sees.
@Suite struct DynamicMigrationTests {
  private static let many = (0..<3_000).map { PropertyValue.string("alias \($0)") }

  /// The schema with a property that only code can set.
  private static let changed = [
    DynamicTestSchema.country,
    ClassSchema(
      name: "Zone",
      properties: DynamicTestSchema.zone.properties + [.required("count", .int)]),
  ]

  private func store() throws -> TestStore {
    let store = try DynamicTestSchema.store()
    try store.write { session in
      let zone = try session.dynamic("Zone", 1)
      zone["aliases"] = .list(Self.many)
      zone["tags"] = .list(Self.many)
      zone["name"] = .string(String(repeating: "n", count: 100_000))
      zone["note"] = .string(String(repeating: "x", count: 5_000))
      try zone.set("country", to: session.dynamic("Country", 1))
      try session.dynamic("Country", 1).list("zones").append(
        contentsOf: [zone.link, zone.link, session.dynamic("Zone", 2).link])
    }
    return store
  }

  @Test func `collections and long values are copied`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open(Self.changed, version: 2) { migration, _ in
      let count = try migration.property("count", ofType: "Zone")
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        try new.set(count, to: .int(Int64(old.list("aliases").count())))
        if case .list(let tags) = old["tags"] { #expect(try new.set("tags").values() == tags) }
      }
    }
    let after = try store.contents()
    #expect(after.values("Zone", "count") == [3_000, 0])
    for name in ["aliases", "tags", "name", "note", "country"] {
      #expect(after.values("Zone", name) == before.values("Zone", name))
    }
    #expect(after.list("Country") == before.list("Country"))
    #expect(try store.findings() == [])
  }

  @Test func `new collections are changed element by element, large or small`() throws {
    let store = try store()
    try store.open(Self.changed, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        new["count"] = 1
        try new.list("aliases").append("last")
        try new.list("aliases").insert("first", at: 0)
        try new.set("tags").insert("tag")
        for number in 0..<200 { try new.map("names").set("v", forKey: "k\(number)") }
        try new.list("offsets").append(contentsOf: Array(repeating: 7, count: 1_000))
        #expect { try old.list("aliases").append("x") } throws: {
          StoreError.Code.oldObjectIsReadOnly ~= $0
        }
        // Ahead of its turn, and behind it.
        let country = try #require(
          try migration.object(ofType: "Country", forPrimaryKey: "AD"))
        try country.list("zones").append(new.link)
      }
    }
    let zones = try store.contents().list("Zone")
    #expect(zones[0]["aliases"] == .list(["first"] + Self.many + ["last"]))
    #expect(zones[1]["aliases"] == ["first", "last"])
    #expect(zones[1]["tags"] == ["tag"])
    #expect(zones[0]["offsets"] == .list(Array(repeating: 7, count: 1_000)))
    let links = [1, 1, 2, 1, 2].map { PropertyValue.link(ObjectID(rawValue: $0)) }
    #expect(try store.contents().values("Country", "zones") == [.list(links)])
    #expect(try store.findings() == [])
  }

  @Test func `links are followed on both sides`() throws {
    let store = try store()
    try store.open(Self.changed, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        new["count"] = 0
        guard let country = try old.object("country") else { return }
        new["count"] = .int(Int64(try country.list("zones").count()))
        #expect(try country.list("zones").object(at: 2)?.id.rawValue == 2)
        #expect(try new.object("country")?["name", as: String.self] == "Andorra")
      }
    }
    #expect(try store.contents().values("Zone", "count") == [3, 0])
    #expect(try store.findings() == [])
  }

  @Test func `a link is set to an old object of its class, which stands for the new one`() throws {
    let store = try store()
    try store.open(Self.changed, version: 2) { migration, _ in
      let country = try migration.oldObject(ofType: "Country", forPrimaryKey: "AD")
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        new["count"] = 0
        #expect { try new.set("country", to: old) } throws: { StoreError.Code.wrongType ~= $0 }
        try new.set("country", to: country)
      }
    }
    let link = PropertyValue.link(ObjectID(rawValue: 1))
    #expect(try store.contents().values("Zone", "country") == [link, link])
    #expect(try store.findings() == [])
  }

  @Test func `deleting objects takes them out of collections`() throws {
    let store = try store()
    try store.open(Self.changed, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        new["count"] = 0
        if old.id.rawValue == 1 { try migration.delete(new) }
      }
    }
    #expect(
      try store.contents().values("Country", "zones") == [[.link(ObjectID(rawValue: 2))]])
    #expect(try store.findings() == [])
  }
}
