import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

struct LinkFacetTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  /// What bosses show.
  private func bossFacets(_ count: Int, _ bosses: [Int: Int]) throws -> Set<String> {
    try People.make(at: path, (0..<count).map { "\($0)" }, bosses: bosses)
    return Set(
      try facetTexts(path).filter { $0.hasPrefix("Person.boss: ") }.map { String($0.dropFirst(13)) }
    )
  }

  @Test func `objects without links show nil and no fan-in`() throws {
    #expect(try bossFacets(2, [:]) == ["nil", "fan-in none"])
  }

  @Test func `an object that one other links to shows a fan-in of one`() throws {
    #expect(
      try bossFacets(2, [1: 2]) == ["nil", "linked", "fan-in none", "fan-in one"])
  }

  @Test func `an object that several others link to shows a fan-in of many`() throws {
    #expect(
      try bossFacets(3, [1: 3, 2: 3]) == ["nil", "linked", "fan-in none", "fan-in many"])
  }

  @Test func `an object that links to itself shows that`() throws {
    #expect(try bossFacets(1, [1: 1]) == ["linked", "fan-in one", "to itself"])
  }

  @Test func `a cycle of three is a cycle`() throws {
    #expect(try bossFacets(3, [1: 2, 2: 3, 3: 1]) == ["linked", "fan-in one", "cycle"])
  }

  @Test func `a way between two cycles is no cycle`() throws {
    let schema = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "next", type: .link(to: "Node")),
        PropertySchema(name: "bridge", type: .link(to: "Node")),
      ])
    try makeStore(at: path, [schema]) { session in
      let table = try session.table("Node")
      for _ in 1...4 { _ = try table.create([:], replacing: false) }
      func link(_ from: UInt64, _ to: UInt64, _ position: Int) throws {
        try table.update(ObjectID(rawValue: from)) {
          try $0.set(position, .link(ObjectID(rawValue: to)))
        }
      }
      for (from, to) in [(1, 2), (2, 1), (3, 4), (4, 3)] as [(UInt64, UInt64)] {
        try link(from, to, 0)
      }
      try link(2, 3, 1)
    }
    let facets = try facetTexts(path)
    #expect(facets.contains("Node.next: cycle"))
    #expect(!facets.contains("Node.bridge: cycle"))
  }

  @Test func `a long way of links is walked without recursion`() throws {
    let count = 20_000
    try People.make(
      at: path, (1...count).map { "\($0)" },
      bosses: Dictionary(uniqueKeysWithValues: (1..<count).map { ($0, $0 + 1) }))
    #expect(try !facetTexts(path).contains("Person.boss: cycle"))
    let report = try StorePruning().plan(StoreInspector(path: path))
    #expect(report.lost == [])
  }

  @Test func `elements of a list are links, and references in values of any type`() throws {
    let schema = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "others", type: .list(of: ElementType(.link(to: "Node")))),
        PropertySchema(name: "any", type: .any),
      ])
    try makeStore(at: path, [schema]) { session in
      let table = try session.table("Node")
      let first = try table.create([:], replacing: false)
      let reference = PropertyValue.object(
        ObjectReference(classID: table.resolved.id, id: first))
      _ = try table.create(
        ["others": [.link(first), .link(first)], "any": [reference]], replacing: false)
      try table.update(first) { try $0.set(1, reference) }
    }
    #expect(
      try facetTexts(path) == [
        "Node: many objects", "Node: layout 1", "Node.others: empty", "Node.others: many",
        // Two links of one object are one object that links.
        "Node.others: fan-in none", "Node.others: fan-in one",
        "Node.any: other", "Node.any: kind object", "Node.any: kind list",
        "Node.any: fan-in many", "Node.any: to itself",
      ])
  }

  @Test func `embedded objects have one owner, which is no facet`() throws {
    try makeStore(at: path, [EmbeddedSample.address, EmbeddedSample.person]) { session in
      let home = try session.table("Address").create(["street": "a"], replacing: false)
      _ = try session.table("Person").create(["home": .link(home)], replacing: false)
    }
    #expect(try !facetTexts(path).contains { $0.contains("fan-in") })
    #expect(try facetTexts(path).contains("Person.home: linked"))
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `links of random people are what trying all ways finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let links = (0..<count).map { _ in
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Int.random(in: 0..<count, using: &random)
      }
    }
    try makeStore(at: path, [People.person]) { session in
      let table = try session.table("Person")
      let ids = try (0..<count).map { try table.create(["name": "\($0)"], replacing: false) }
      for (id, targets) in zip(ids, links) {
        try table.update(id) { try $0.set(2, .list(targets.map { .link(ids[$0]) })) }
      }
    }
    var reaches = links.map { targets in (0..<count).map { targets.contains($0) } }
    for middle in 0..<count {
      for from in 0..<count where reaches[from][middle] {
        for to in 0..<count where reaches[middle][to] { reaches[from][to] = true }
      }
    }
    let sources = (0..<count).map { target in links.count { $0.contains(target) } }
    let isCyclic = links.indices.contains { from in
      links[from].contains { $0 != from && reaches[$0][from] }
    }
    let expected: [(String, Bool)] = [
      ("fan-in none", sources.contains(0)), ("fan-in one", sources.contains(1)),
      ("fan-in many", sources.contains { $0 > 1 }),
      ("to itself", links.indices.contains { links[$0].contains($0) }), ("cycle", isCyclic),
    ]
    let facets = try facetTexts(path)
    for (text, isShown) in expected {
      #expect(facets.contains("Person.friends: \(text)") == isShown, "\(text), seed \(seed)")
    }
  }
}
