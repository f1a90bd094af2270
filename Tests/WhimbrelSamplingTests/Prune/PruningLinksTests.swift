import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct PruningLinksTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  private func prune(_ options: StorePruning.Options) throws -> PruningReport {
    let small = folder.path("small.whimbrel")
    let report = try StorePruning(options).run(StoreInspector(path: path), into: .newFile(small))
    #expect(try integrityFindings(small) == [])
    return report
  }

  /// The lines of the small store's dump that are objects.
  private func objects() throws -> [Substring] {
    try dump(folder.path("small.whimbrel")).split(separator: "\n").dropFirst().map { $0 }
  }

  /// A row of 50 people, each the boss of the next but the last.
  private func makeRow() throws {
    try People.make(
      at: path, (1...50).map { "p\($0 + 100)" },
      bosses: Dictionary(uniqueKeysWithValues: (1..<50).map { ($0, $0 + 1) }))
  }

  @Test func `links are followed to the end`() throws {
    try makeRow()
    let report = try prune(.init(keep: [ObjectSelection("Person where name == 'p111'")]))
    #expect(report.keptObjects >= 40)
    #expect(try objects().contains { $0.contains("\"p150\"") })
    #expect(report.text.contains("of them by 'Person.boss': '--links depth:1' keeps fewer."))
  }

  @Test func `links beyond the depth become nil`() throws {
    try makeRow()
    let report = try prune(
      .init(keep: [ObjectSelection("Person where name == 'p120'")], links: .depth(2)))
    let lines = try objects()
    #expect(lines.contains { $0.contains("\"p120\",\"boss\":{\"link\":21}") })
    #expect(lines.contains { $0.contains("\"p122\",\"boss\":null") })
    #expect(!lines.contains { $0.contains("\"p123\"") })
    #expect(report.lost == [])
    #expect(report.keptObjects < 15)
  }

  @Test func `links that are cut drop out of lists and values of any type`() throws {
    let schema = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "key", type: .int, isPrimaryKey: true),
        PropertySchema(name: "list", type: .list(of: ElementType(.link(to: "Node")))),
        PropertySchema(name: "map", type: .map(of: ElementType(.any))),
        PropertySchema(name: "any", type: .any),
      ])
    try makeStore(at: path, [schema]) { session in
      let table = try session.table("Node")
      for key in 1...40 { _ = try table.create(["key": .int(Int64(key))], replacing: false) }
      let ids = try table.objectIDs()
      for id in ids {
        let reference = { (index: Int) in
          PropertyValue.object(ObjectReference(classID: table.resolved.id, id: ids[index]))
        }
        try table.update(id) {
          try $0.set(1, .list(ids.map { .link($0) }))
          try $0.set(2, ["x": reference(20), "y": [reference(21), 5], "z": [reference(24), 6]])
          try $0.set(3, [reference(22), reference(24), "text"])
        }
      }
    }
    let report = try prune(.init(links: .cut))
    #expect(report.lost == [])
    #expect(report.keptObjects < 16)
    #expect(try !objects().contains { $0.contains(#""key":25"#) })
    #expect(try objects().contains { $0.contains(#"}},{"string":"text"}]}"#) })
    #expect(try objects().contains { $0.contains(#""z":{"list":[{"int":6}]}"#) })
  }

  @Test func `a facet that takes several objects keeps them all`() throws {
    try People.make(
      at: path, (1...60).map { "p\($0 + 100)" }, bosses: [1: 30, 2: 30, 40: 41, 41: 42, 42: 40])
    let report = try prune(.init(links: .cut))
    let kept = Set(report.facets.map(\.description))
    #expect(
      kept.isSuperset(of: [
        "Person.boss: cycle", "Person.boss: fan-in many", "Person.boss: fan-in one",
        "Person.boss: fan-in none",
      ]))
    #expect(report.keptObjects < 14)
  }

  @Test func `records keep their layouts, and show those there are`() throws {
    let old = ClassSchema(
      name: "Thing", properties: [PropertySchema(name: "number", type: .int)])
    try makeStore(at: path, [old]) { session in
      for _ in 1...20 { _ = try session.table("Thing").create(["number": 1], replacing: false) }
    }
    let new = ClassSchema(
      name: "Thing",
      properties: old.properties + [
        PropertySchema(name: "more", type: .int, defaultValue: .value(1))
      ])
    try makeStore(at: path, [new], version: 2) { session in
      for _ in 1...20 { _ = try session.table("Thing").create(["number": 1], replacing: false) }
    }
    let report = try prune(.init())
    #expect(report.keptObjects == 2)
    #expect(
      report.facets.map(\.description).prefix(3)
        == ["Thing: many objects", "Thing: layout 1", "Thing: layout 2"])
  }
}

struct PruningEmbeddedTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
    try makeStore(at: path, [EmbeddedSample.address, EmbeddedSample.person]) { session in
      let (addresses, people) = (try session.table("Address"), try session.table("Person"))
      func address(_ street: String, _ former: [PropertyValue] = []) throws -> PropertyValue {
        .link(
          try addresses.create(
            ["street": .string(street), "former": .list(former)], replacing: false))
      }
      for number in 1...30 {
        // One address is longer than all others, deep inside of its owner.
        let street = number == 17 ? "a very long street" : "street"
        let home = try address("home", [address("old", [address(street)])])
        _ = try people.create(
          ["home": home, "others": number % 2 == 0 ? [:] : ["work": address("work")]],
          replacing: false)
      }
    }
  }

  @Test(arguments: [StorePruning.Links.follow, .cut, .depth(1)])
  func `embedded objects stay with their owners`(links: StorePruning.Links) throws {
    let small = folder.path("small.whimbrel")
    let report = try StorePruning(.init(links: links)).run(
      StoreInspector(path: path), into: .newFile(small))
    #expect(try integrityFindings(small) == [])
    #expect(try dump(small).contains("a very long street"))
    let people = try #require(report.classes.last)
    #expect((2...6).contains(people.keptObjects))
    // Whole or not at all.
    #expect(try #require(report.classes.first).keptObjects >= 3 * people.keptObjects)
    let lines = Set(try dump(path).split(separator: "\n"))
    #expect(try dump(small).split(separator: "\n").dropFirst().allSatisfy(lines.contains))
  }

  @Test func `what belongs to nobody any more is lost, and refused unless allowed`() throws {
    let small = folder.path("small.whimbrel")
    let drop = ["Person.home", "Address.former"]
    let error = try #require(throws: InspectionError.self) {
      try StorePruning(.init(drop: drop)).run(
        StoreInspector(path: path), into: .newFile(small))
    }
    #expect(error.code == .facetsLost)
    #expect(
      error.message
        == "Could not prune the store '\(path)': 2 facets would be lost: "
        + "'Address.street: shortest', 'Address.street: longest'.")
    #expect(!FileManager.default.fileExists(atPath: small))
    let allowed = ["Address.street: shortest", "Address.street: longest"]
    let pruning = StorePruning(.init(drop: drop, allowedLosses: allowed))
    let report = try pruning.run(StoreInspector(path: path), into: .newFile(small))
    #expect(report.lost.map(\.description) == allowed)
    #expect(report.text.contains("Lost, as allowed:\n  Address.street: shortest\n"))
    #expect(try integrityFindings(small) == [])
  }
}
