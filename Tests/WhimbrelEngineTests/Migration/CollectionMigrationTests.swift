import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Collections and long values in migrations that write objects anew.
struct CollectionMigrationTests {
  private static let zone = ClassSchema("Zone", .required("number", .int))
  private static let properties: [PropertySchema] = [
    .required("text", .string), .optional("maybe", .string), .required("bytes", .data),
    .required("any", .any), .list("list", .string, isOptional: true), .set("set", .int),
    .map("map", .any), .list("zones", .link(to: "Zone")), .set("zoneSet", .link(to: "Zone")),
    .map("zoneMap", .link(to: "Zone")), .link("zone", to: "Zone"), .list("anyList", .any),
  ]
  private static func box(_ more: PropertySchema...) -> ClassSchema {
    ClassSchema(name: "Box", properties: properties + more)
  }
  private static let count = 4

  private static func values(_ number: Int, _ zoneClass: ClassID) -> StoreContents.Object {
    let size = [0, 3, 700, 5_000][number % 4]
    let zones = (1...UInt64(Self.count)).map { PropertyValue.link(ObjectID(rawValue: $0)) }
    let reference = PropertyValue.object(
      ObjectReference(classID: zoneClass, id: ObjectID(rawValue: 2)))
    let long = String(repeating: "x", count: 40 * size)
    return [
      "text": .string(long), "maybe": number % 2 == 0 ? .null : .string(long),
      "bytes": .data(Data(long.utf8)), "any": [.string(long), reference],
      "list": .list((0..<size).map { $0 % 50 == 7 ? .null : .string("t \($0)") }),
      "set": .list((0..<size).map { .int(Int64($0)) }),
      "map": .map(
        (0..<size).reduce(into: [:]) { $0["k\($1)"] = [.int(Int64($1)), reference] }),
      "zones": .list((0..<size).map { zones[$0 % Self.count] }),
      "zoneSet": .list(zones), "zoneMap": .map(["a": zones[0], "b": zones[1]]), "zone": zones[1],
      "anyList": .list([reference, 5, .string(long)]),
    ]
  }

  private func store() throws -> TestStore {
    try TestStore([Self.zone, Self.box()]) { session in
      for number in 0..<Self.count { try session.create("Zone", ["number": .int(Int64(number))]) }
      let zoneClass = try session.table("Zone").resolved.id
      for number in 0..<Self.count {
        try session.create("Box", Self.values(number, zoneClass))
      }
    }
  }

  @Test func `everything is copied unchanged`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open([Self.zone, Self.box(.required("new", .int))], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Box") { old, new in
        new?["new"] = 7
        #expect(old?["list"] == new?["list"])
      }
    }
    let after = try store.contents()
    #expect(after.generation("Box") == 2)
    for (old, new) in zip(before.list("Box"), after.list("Box")) {
      #expect(old.merging(["new": 7]) { $1 } == new)
    }
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == after.tableNames)
  }

  @Test func `objects that are deleted are taken out of everything`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open([Self.zone, Self.box()], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        if let new, old?["number"] == 1 { try migration.delete(new) }
      }
    }
    let after = try store.contents()
    let gone = PropertyValue.link(ObjectID(rawValue: 2))
    for (old, new) in zip(before.list("Box"), after.list("Box")) {
      guard case .list(let zones)? = old["zones"], case .list(let set)? = old["zoneSet"],
        case .list(let any)? = old["any"], case .map(let map)? = old["map"]
      else { return #expect(Bool(false)) }
      #expect(new["zones"] == .list(zones.filter { $0 != gone }))
      #expect(new["zoneSet"] == .list(set.filter { $0 != gone }))
      #expect(new["zoneMap"] == ["a": .link(ObjectID(rawValue: 1))])
      #expect(new["zone"] == .null && new["any"] == .list([any[0], nil]))
      let expected = map.mapValues { value -> PropertyValue in
        if case .list(let pair) = value { [pair[0], nil] } else { value }
      }
      #expect(new["map"] == .map(expected))
      #expect(new["text"] == old["text"] && new["list"] == old["list"])
    }
    #expect(try store.findings() == [])
  }

  @Test func `the block sets collections and long values`() throws {
    let store = try store()
    let list = PropertyValue.list((0..<3_000).map { .string("tag \($0)") })
    let text = PropertyValue.string(String(repeating: "y", count: 100_000))
    try store.open([Self.zone, Self.box()], version: 2) { migration, _ in
      var number = 0
      try migration.enumerateObjects(ofType: "Box") { _, new in
        number += 1
        new?["list"] = number % 2 == 0 ? list : ["a", nil]
        new?["text"] = number % 2 == 0 ? "short" : text
        new?["set"] = [3, 1, 3, 2]
        new?["map"] = ["k": ["nested": [1, nil]]]
        new?["maybe"] = .null
      }
      // Once more, when they have been written.
      try migration.enumerateObjects(ofType: "Box") { _, new in
        #expect(new?["set"] == [1, 2, 3])
        if new?["text"] == "short" { new?["bytes"] = .data(Data()) }
        new?["zones"] = [.link(ObjectID(rawValue: 1)), .link(ObjectID(rawValue: 1))]
      }
    }
    for (number, box) in try store.contents().list("Box").enumerated() {
      #expect(box["list"] == (number % 2 == 1 ? list : ["a", nil]))
      #expect(box["text"] == (number % 2 == 1 ? "short" : text))
      #expect(box["set"] == [1, 2, 3] && box["map"] == ["k": ["nested": [1, nil]]])
      #expect(box["maybe"] == .null)
    }
    #expect(try store.findings() == [])
  }

  @Test func `the block creates and deletes objects with collections`() throws {
    let store = try store()
    let long = PropertyValue.list((0..<2_000).map { .int($0) })
    try store.open([Self.zone, Self.box()], version: 2) { migration, _ in
      for number in 0..<4 {
        let object = try migration.create(
          "Box",
          [
            "text": .string(String(repeating: "z", count: 5_000)), "bytes": .data(Data()),
            "set": long, "zones": [.link(ObjectID(rawValue: 3))], "map": ["a": 1],
          ])
        if number == 2 { try migration.delete(object) }
      }
      try migration.enumerateObjects(ofType: "Box") { _, new in
        if let new, new["maybe"] == .null { try migration.delete(new) }
      }
    }
    let boxes = try store.contents().list("Box")
    #expect(boxes.count == 2 + 3)
    #expect(boxes.last?["set"] == long && boxes.last?["list"] == [])
    #expect(try store.findings() == [])
  }

  @Test func `a property of long texts is made required and optional`() throws {
    let long = PropertyValue.string(String(repeating: "x", count: 30_000))
    func schema(_ isOptional: Bool, indexed: Bool = false) -> ClassSchema {
      ClassSchema(
        "Note",
        PropertySchema(
          name: "text", type: .string, isOptional: isOptional, isIndexed: indexed,
          defaultValue: isOptional ? .none : .value("none")))
    }
    let store = try TestStore([schema(true)]) { session in
      for value in [long, .null, "short", long] { try session.create("Note", ["text": value]) }
    }
    try store.open([schema(false)], version: 2)
    #expect(try store.contents().values("Note", "text") == [long, "none", "short", long])
    #expect(try store.findings() == [])
    try store.write { session in
      try session.table("Note").update(ObjectID(rawValue: 4)) { try $0.set(0, "other") }
      try session.table("Note").remove(ObjectID(rawValue: 3))
    }
    #expect(try store.findings() == [])
    try store.open([schema(true, indexed: true)], version: 3)
    #expect(try store.contents().values("Note", "text") == [long, "none", "other"])
    #expect(try store.findings() == [])
    try store.open([schema(false, indexed: true)], version: 4)
    #expect(try store.contents().values("Note", "text") == [long, "none", "other"])
    #expect(try store.findings() == [])
  }

  // More than a batch, and more than the room that is kept for one.
  @Test(.takesLong) func `one value of a hundred megabytes is copied`() throws {
    let schema = ClassSchema("Note", .required("bytes", .data))
    let next = ClassSchema("Note", .required("bytes", .data), .required("number", .int))
    let store = try TestStore([schema])
    let data = Data((0..<100 << 10).map { UInt8(truncatingIfNeeded: $0) })
    var long = Data()
    for _ in 0..<1 << 10 { long.append(data) }
    for _ in 0..<4 {
      let error = storeError {
        try store.write { try $0.create("Note", ["bytes": .data(long)]) }
      }
      if error == nil { break }
      #expect(error?.code == .mapFull)
    }
    try store.open([next], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Note") { _, new in new?["number"] = 1 }
    }
    #expect(try store.contents().list("Note") == [["bytes": .data(long), "number": 1]])
    #expect(try store.findings() == [])
  }
}
