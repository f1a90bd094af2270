import Testing
import Whimbrel
import WhimbrelTesting

enum Owners1 {
  @Model("Part", .embedded) final class Part: Model {
    var text: String
  }

  @Model("Box") final class Box: Model {
    @PrimaryKey var key: Int
    var part: Part?
  }
}

enum Owners2 {
  @Model("Part", .embedded) final class Part: Model {
    var text: String
  }

  @Model("Box") final class Box: Model {
    @PrimaryKey var key: Int
    var part: Part?
    var parts: StoredList<Part>
  }
}

/// Embedded objects that `set(_:value:)` gives another owner.
@Suite struct MigrationOwnersTests {
  @Test(arguments: ["part", "parts"], [false, true])
  func `an embedded object gets the owner to which a block gives it`(
    property: String, isOld: Bool
  ) throws {
    let test = try TestStore([Owners1.Box.self, Owners1.Part.self], version: 1)
    do {
      let store = try test.open()
      try store.write {
        try store.add(Owners1.Box(key: 1, part: Owners1.Part(text: "one")))
        try store.add(Owners1.Box(key: 2))
      }
    }
    let store = try test.open([Owners2.Box.self, Owners2.Part.self], version: 2) { migration, _ in
      let old = try #require(try migration.oldObject(ofType: "Box", forPrimaryKey: 1))
      let first = try #require(try migration.object(ofType: "Box", forPrimaryKey: 1))
      let second = try #require(try migration.object(ofType: "Box", forPrimaryKey: 2))
      let part = try #require(try (isOld ? old : first).object("part"))
      try second.set(property, value: property == "part" ? part : [part])
      try migration.delete(first)
    }
    let box = try #require(store.objects(Owners2.Box.self).first)
    #expect(box.key == 2)
    #expect((property == "part" ? box.part : box.parts.first)?.text == "one")
    #expect(try store.dynamicObjects("Part").count == 1)
  }

  @Test func `in a store an embedded object keeps its owner`() throws {
    let store = try TestStore([Owners2.Box.self, Owners2.Part.self], version: 1).open()
    try store.write {
      try store.add(Owners2.Box(key: 1, part: Owners2.Part(text: "one")))
      try store.add(Owners2.Box(key: 2))
    }
    let boxes = try store.dynamicObjects("Box")
    let first = try #require(boxes.first { $0["key"] == .int(1) })
    let second = try #require(boxes.first { $0["key"] == .int(2) })
    #expect {
      try store.write { try second.set("part", value: try first.object("part")) }
    } throws: {
      StoreError.Code.embeddedHasOwner ~= $0
    }
  }
}
