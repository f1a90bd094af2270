import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Links in collections and in values of any type: how often, and what becomes of
/// them when their objects go.
struct CollectionLinkTests {
  private static let zone = ClassSchema("Zone", .required("number", .int))
  private static let box = ClassSchema(
    "Box", .list("list", .link(to: "Zone")), .set("set", .link(to: "Zone")),
    .map("map", .link(to: "Zone")), .required("any", .any), .list("anyList", .any),
    .set("anySet", .any), .map("anyMap", .any), .link("one", to: "Zone"))

  private func zones(_ session: Session, _ count: Int) throws -> [ObjectID] {
    try (0..<count).map { try session.create("Zone", ["number": .int(Int64($0))]) }
  }

  private func reference(_ session: Session, _ id: ObjectID) throws -> PropertyValue {
    let table = try session.table("Zone")
    return .object(ObjectReference(classID: table.resolved.id, id: id))
  }

  @Test(arguments: [1, 400])
  func `the index counts how often a collection links to an object`(repeats: Int) throws {
    let store = try TestStore([Self.zone, Self.box]) { session in
      let ids = try zones(session, 3)
      let links = (0..<repeats).flatMap { _ in
        [PropertyValue.link(ids[0]), .link(ids[1]), .link(ids[0])]
      }
      let object = try reference(session, ids[0])
      try session.create(
        "Box",
        [
          "list": .list(links), "any": .list([object, .map(["a": object])]),
          "anyList": .list([PropertyValue](repeating: object, count: repeats)),
        ])
    }
    func counts(_ session: Session, _ name: String, _ id: UInt64) throws -> [Int] {
      let (box, zone) = (try session.table("Box"), try session.table("Zone"))
      return try box.sources(
        box.resolved.requiredPosition(of: name), linkingTo: ObjectID(rawValue: id),
        of: zone.resolved.id
      ).map(\.count)
    }
    let session = try store.session()
    #expect(try counts(session, "list", 1) == [2 * repeats])
    #expect(try counts(session, "list", 2) == [repeats])
    #expect(try counts(session, "list", 3) == [])
    #expect(try counts(session, "any", 1) == [2])
    #expect(try counts(session, "anyList", 1) == [repeats])
    try store.write { session in
      try session.table("Box").editCollection(0, of: ObjectID(rawValue: 1)) { editor in
        try editor.removeSubrange(0..<1)
        try editor.replace(at: 0, with: .link(ObjectID(rawValue: 3)))
        try editor.move(from: 0, to: 1)
      }
    }
    _ = try session.refresh()
    #expect(try counts(session, "list", 1) == [2 * repeats - 1])
    #expect(try counts(session, "list", 2) == (repeats == 1 ? [] : [repeats - 1]))
    #expect(try counts(session, "list", 3) == [1])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [4, 300])
  func `an object that goes is taken out of everything`(count: Int) throws {
    let store = try TestStore([Self.zone, Self.box]) { session in
      let ids = try zones(session, count)
      let links = ids.map { PropertyValue.link($0) }
      let objects = try ids.map { try reference(session, $0) }
      try session.create(
        "Box",
        [
          "list": .list(links + [links[1]] + links), "set": .list(links),
          "map": .map(Dictionary(uniqueKeysWithValues: links.enumerated().map { ("k\($0)", $1) })),
          "any": .map(["a": .list([objects[1], 5])]), "anyList": .list(objects + [7, objects[1]]),
          "anySet": .list(objects + [7]), "anyMap": .map(["a": objects[1], "b": 1]),
          "one": links[1],
        ])
      try session.create("Box", ["any": objects[1]])
    }
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 2)) }
    let boxes = try store.contents().list("Box")
    let links = (1...UInt64(count)).filter { $0 != 2 }
      .map { PropertyValue.link(ObjectID(rawValue: $0)) }
    #expect(boxes[0]["list"] == .list(links + links))
    #expect(boxes[0]["set"] == .list(links))
    guard case .map(let map)? = boxes[0]["map"] else { return #expect(Bool(false)) }
    #expect(map.count == count - 1 && map["k1"] == nil)
    #expect(boxes[0]["any"] == ["a": [nil, 5]] && boxes[1]["any"] == .null)
    guard case .list(let list)? = boxes[0]["anyList"] else { return #expect(Bool(false)) }
    #expect(list.count == count + 2 && list[1] == .null && list.last == .null)
    guard case .list(let set)? = boxes[0]["anySet"] else { return #expect(Bool(false)) }
    #expect(set.count == count + 1 && set.first == .null)
    #expect(boxes[0]["anyMap"] == ["a": nil, "b": 1] && boxes[0]["one"] == .null)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Zone").removeAll() }
    let empty = try store.contents().list("Box")[0]
    #expect(empty["list"] == [] && empty["set"] == [] && empty["map"] == [:])
    #expect(empty["anySet"] == [nil, 7])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [6, 900])
  func `objects that go together are taken out of every collection at once`(count: Int) throws {
    let store = try TestStore([Self.zone, Self.box]) { session in
      let ids = try zones(session, count)
      let links = ids.map { PropertyValue.link($0) }
      let objects = try ids.map { try reference(session, $0) }
      let map = Dictionary(uniqueKeysWithValues: links.enumerated().map { ("k\($0)", $1) })
      for _ in 0..<2 {
        try session.create(
          "Box",
          [
            "list": .list(links + [links[1]] + links.reversed()), "set": .list(links),
            "map": .map(map), "anyList": .list(objects + [7]), "one": links[1],
          ])
      }
    }
    // One of them twice, and one that is not there.
    let gone = (1...UInt64(count)).filter { $0 % 3 != 1 } + [2, 90_000]
    try store.write { session in
      try session.table("Zone").remove(gone.map { ObjectID(rawValue: $0) })
    }
    let kept = (1...UInt64(count)).filter { $0 % 3 == 1 }
    let links = kept.map { PropertyValue.link(ObjectID(rawValue: $0)) }
    let session = try store.session()
    #expect(try session.table("Zone").objectIDs().map(\.rawValue) == kept)
    for box in try store.contents().list("Box") {
      #expect(box["list"] == .list(links + links.reversed()))
      #expect(box["set"] == .list(links) && box["one"] == .null)
      guard case .map(let map)? = box["map"] else { return #expect(Bool(false)) }
      #expect(Set(map.keys) == Set(kept.map { "k\($0 - 1)" }))
      guard case .list(let list)? = box["anyList"] else { return #expect(Bool(false)) }
      #expect(list.count == count + 1 && list.filter(\.isNull).count == count - kept.count)
    }
    #expect(try store.findings() == [])
  }

  // The elements of a set move when their values change; one was passed over.
  @Test func `several elements of a set may lead to an object that goes`() throws {
    let store = try TestStore([Self.zone, Self.box]) { session in
      let ids = try zones(session, 2)
      let (first, second) = (try reference(session, ids[0]), try reference(session, ids[1]))
      try session.create(
        "Box",
        [
          "anySet": .list([
            .list([5]), .list([first, 1]), .list([first, 2]), .list([second]), first, second,
            .map(["a": first]), .list([.null, 2]),
          ])
        ])
    }
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 1)) }
    let session = try store.session()
    let second = try reference(session, ObjectID(rawValue: 2))
    let expected: [PropertyValue] = [
      .null, second, [nil, 1], [nil, 2], [5], .list([second]), ["a": nil],
    ]
    #expect(try store.contents().values("Box", "anySet") == [.list(expected)])
    #expect(try store.findings() == [])
  }

  // Every object was looked for in the list: a quarter of a minute and more.
  @Test func `deleting all objects does not go through a list for each`() throws {
    let count = 10_000
    let store = try TestStore([Self.zone, Self.box]) { session in
      let links = try zones(session, count).map { PropertyValue.link($0) }
      try session.create("Box", ["list": .list(links), "set": .list(links)])
    }
    let duration = try ContinuousClock().measure {
      try store.write { try $0.table("Zone").removeAll() }
    }
    #expect(duration < .seconds(20))
    #expect(try store.contents().values("Box", "list") == [[]])
    #expect(try store.findings() == [])
  }

  // The nodes had changed by then, and the index had not.
  @Test func `an error in the midst of an edit leaves a store that holds together`() throws {
    let store = try TestStore([Self.zone, Self.box]) { session in
      let ids = try zones(session, 500)
      try session.create(
        "Box", ["list": .list(ids.map { .link($0) }), "map": .map(["a": .link(ids[0])])])
    }
    try store.write { session in
      let table = try session.table("Box")
      for position in [0, 2] {
        #expect(throws: BlockError.self) {
          try table.editCollection(position, of: ObjectID(rawValue: 1)) { editor in
            try editor.removeSubrange(0..<1)
            throw BlockError()
          }
        }
      }
    }
    #expect(try store.findings() == [])
    let box = try #require(try store.contents().list("Box").first)
    #expect(box["map"] == ["a": .link(ObjectID(rawValue: 1))])
  }

  @Test func `links to objects that are not there are refused`() throws {
    let store = try TestStore([Self.zone, Self.box])
    try store.write { session in
      let missing = ObjectID(rawValue: 9)
      let reference = try reference(session, missing)
      for values in [
        ["list": [.link(missing)]], ["map": ["a": .link(missing)]], ["any": reference],
        ["anyList": [[reference]]],
      ] as [[String: PropertyValue]] {
        #expect(storeError { try session.create("Box", values) }?.code == .objectDeleted)
      }
    }
    #expect(try store.findings() == [])
  }
}
