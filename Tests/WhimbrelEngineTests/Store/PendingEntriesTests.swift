import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Index entries of new objects are written late. Nothing shows that: whatever is asked in a write
/// sees all objects, and what is committed holds together.
struct PendingEntriesTests {
  private static let item = ClassSchema(
    name: "Item",
    properties: [
      .key("number"), .indexed("size", .int), .indexed("name", .string),
      .required("code", .string), .required("text", .string), .link("next", to: "Item"),
      .list("friends", .link(to: "Item")),
    ],
    indexes: [
      IndexSchema(["size", "name"]), IndexSchema(["code"], .unique),
      IndexSchema(["text"], .fullText),
    ])

  private static let words = ["alder", "birch", "cedar", "elm", "fir"]

  private struct Run {
    let session: Session
    var random: SeededGenerator
    /// What each object is known to have.
    var sizes: [ObjectID: Int64] = [:]
    var links: [ObjectID: ObjectID] = [:]
    var number: Int64 = 0

    var table: ClassTable { get throws { try session.table("Item") } }

    mutating func add() throws {
      number += 1
      let size = Int64.random(in: 0..<20, using: &random)
      let name = String(repeating: "n", count: Int.random(in: 0...90, using: &random))
      let words = (0..<3).map { _ in PendingEntriesTests.words.randomElement(using: &random)! }
      let target = sizes.keys.sorted().randomElement(using: &random)
      // The keys come in no order, so that IDs do not.
      let key = number * 7_919 % 10_007
      let id = try session.create(
        "Item",
        [
          "number": .int(key), "size": .int(size), "name": .string(name + "\(number % 5)"),
          "code": .string("c\(number)"), "text": .string(words.joined(separator: " ")),
          "next": target.map { .link($0) } ?? .null,
          "friends": .list(target.map { [.link($0), .link($0)] } ?? []),
        ])
      sizes[id] = size
      links[id] = target
    }

    mutating func step() throws {
      let known = sizes.keys.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        guard let known else { return }
        try table.remove(known)
        sizes[known] = nil
        links[known] = nil
        for (id, target) in links where target == known { links[id] = nil }
      case 1:
        guard let known else { return }
        let size = Int64.random(in: 0..<20, using: &random)
        try table.set(known, at: 1) { try $0.set(1, .int(size)) }
        sizes[known] = size
      case 2: try requireSizes(Int64.random(in: 0..<20, using: &random))
      case 3:
        guard let known else { return }
        try requireSources(of: known)
      case 4:
        // Refused at once, whatever is not yet written.
        guard number > 0, !sizes.isEmpty else { return }
        let codes = try table.objectIDs().map { try session.table("Item").value("code", of: $0) }
        #expect(throws: StoreError.self) {
          try session.create(
            "Item", ["number": -1, "size": 1, "name": "x", "code": codes[0], "text": ""])
        }
      default: for _ in 0..<Int.random(in: 1...6, using: &random) { try add() }
      }
    }

    func requireSizes(_ size: Int64) throws {
      let expected = sizes.filter { $0.value == size }.keys.sorted()
      #expect(try table.find(1, equalTo: .int(size)) == expected)
    }

    func requireSources(of id: ObjectID) throws {
      let (table, expected) = (try table, links.filter { $0.value == id }.keys.sorted())
      for (position, count) in [(5, 1), (6, 2)] {
        let found = try table.sources(position, linkingTo: id, of: table.resolved.id)
        #expect(found.map(\.id) == expected && found.allSatisfy { $0.count == count })
      }
    }
  }

  @Test(arguments: 0..<TestRun.count(8, long: 200) as Range<UInt64>)
  func `what is asked in a write sees all objects`(seed: UInt64) throws {
    let store = try TestStore([Self.item])
    let session = try store.session()
    var run = Run(session: session, random: SeededGenerator(seed: seed))
    for round in 0..<12 {
      let before = run
      do {
        try session.write {
          for _ in 0..<15 { try run.step() }
          if round % 4 == 3 { throw Undone() }
        }
      } catch is Undone {
        let number = run.number
        run = before
        // Codes and keys are not used again.
        run.number = number
      }
      #expect(try IntegrityCheck.run(session).map(\.description) == [], "seed \(seed)")
      for size in Int64(0)..<20 { try run.requireSizes(size) }
      for id in run.sizes.keys.sorted() { try run.requireSources(of: id) }
      #expect(try session.table("Item").count() == run.sizes.count)
    }
  }

  private struct Undone: Error {}

  @Test func `many new objects fill the pages of a new index`() throws {
    let store = try TestStore([Self.item])
    let session = try store.session()
    try session.write {
      for number in 0..<1_000 {
        let key = number * 7_919 % 10_007
        try session.create(
          "Item",
          [
            "number": .int(Int64(key)), "size": .int(Int64(key)), "name": .string("name \(key)"),
            "code": .string("c\(key)"), "text": "",
          ])
      }
    }
    let table = try session.table("Item")
    let sizes = try session.view.statistics(#require(table.indexes[1]))
    // A key of 17 bytes, a checksum of 4, and what LMDB keeps for each: 32 bytes.
    #expect(sizes.entries == 1_000 && sizes.pages <= 1_000 * 32 / 4_080 + 3, "\(sizes)")
    #expect(try IntegrityCheck.run(session) == [])
  }

  // Nothing of what is kept back may be left for the next write.
  @Test func `a write that is cancelled leaves no entries for the next`() throws {
    let store = try TestStore([Self.item])
    let session = try store.session()
    func add(_ number: Int64) throws {
      try session.create(
        "Item",
        ["number": .int(number), "size": 3, "name": "a", "code": .string("\(number)"), "text": ""])
    }
    try session.beginWrite()
    try add(1)
    try session.cancelWrite()
    try session.beginWrite()
    try add(2)
    try session.commitWrite()
    let table = try session.table("Item")
    #expect(try table.find(1, equalTo: 3) == [ObjectID(clusteredKey: 2)])
    #expect(try IntegrityCheck.run(session) == [])
  }
}

extension ClassTable {
  fileprivate func value(_ name: String, of id: ObjectID) throws -> PropertyValue {
    try value(resolved.requiredPosition(of: name), of: #require(try record(id)), id)
  }
}
