import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Comparing two stores took six times as long as dumping both: each object was taken apart for the
/// names of what it links to. The same bytes are taken for the same values now, where that is so.
struct SameRecordsTests {
  let folder: TestFolder

  private static let classes = [
    ClassSchema(
      name: "Part", isEmbedded: true,
      properties: [
        PropertySchema(name: "text", type: .string),
        PropertySchema(name: "to", type: .link(to: "Thing")),
        PropertySchema(name: "inner", type: .link(to: "Part")),
      ]),
    ClassSchema(
      name: "Plain", properties: [PropertySchema(name: "to", type: .link(to: "Thing"))]),
    ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "key", type: .string, isPrimaryKey: true),
        PropertySchema(name: "next", type: .link(to: "Thing")),
        PropertySchema(name: "parts", type: .list(of: ElementType(.link(to: "Part")))),
        PropertySchema(name: "any", type: .any),
      ]),
  ]

  init() throws { folder = try TestFolder() }

  private func make(_ name: String, _ fill: (Session) throws -> Void) throws -> String {
    let path = folder.path(name)
    try makeStore(at: path, Self.classes, fill)
    return path
  }

  private func differences(_ old: String, _ new: String) throws -> [String] {
    var lines: [String] = []
    let diff = try StoreDiff(from: StoreInspector(path: old), to: StoreInspector(path: new))
    for counts in try diff.classCounts() {
      lines.append(
        "\(counts.name) +\(counts.added) -\(counts.removed) *\(counts.changed) =\(counts.same)")
      try diff.forEachDifference(of: counts) { difference in
        lines.append(difference.text)
        return true
      }
    }
    return lines
  }

  private func things(_ keys: [String], _ session: Session) throws -> [ObjectID] {
    try keys.map { try session.table("Thing").create(["key": .string($0)], replacing: false) }
  }

  @Test func `the same ID of objects with other keys is another link`() throws {
    func make(_ name: String, _ keys: [String]) throws -> String {
      try self.make(name) { session in
        let ids = try things(keys, session)
        _ = try session.table("Plain").create(["to": .link(ids[0])], replacing: false)
        try session.table("Thing").update(ids[2]) { try $0.set(1, .link(ids[0])) }
      }
    }
    let found = try differences(make("a", ["x", "y", "z"]), make("b", ["y", "x", "z"]))
    #expect(found.contains("Plain +0 -0 *1 =0"))
    #expect(found.contains("Thing +0 -0 *1 =2"))
    #expect(found.contains { $0.contains("next: x → y") })
  }

  @Test func `an ID that was given to another object is another link`() throws {
    func make(_ name: String, _ keys: [String]) throws -> String {
      try self.make(name) { session in
        let ids = try things(keys, session)
        _ = try session.table("Plain").create(["to": .link(ids[0])], replacing: false)
      }
    }
    let found = try differences(make("a", ["x", "z"]), make("b", ["y", "z"]))
    #expect(found.contains("Plain +0 -0 *1 =0"))
    #expect(found.contains("Thing +1 -1 *0 =1"))
  }

  @Test func `an embedded object that differs, at any depth, makes its owner differ`() throws {
    func make(_ name: String, inner: String, links: Int) throws -> String {
      try self.make(name) { session in
        let ids = try things(["a", "b", "c"], session)
        let parts = try session.table("Part")
        for id in ids {
          session.checksOwners = false
          let deep = try parts.create(
            ["text": .string(id == ids[1] ? inner : "same")], replacing: false)
          let outer = try parts.create(
            ["text": "outer", "inner": .link(deep), "to": .link(ids[id == ids[2] ? links : 0])],
            replacing: false)
          try session.table("Thing").update(id) { try $0.set(2, .list([.link(outer)])) }
        }
      }
    }
    let base = try make("a", inner: "x", links: 0)
    #expect(try differences(base, make("b", inner: "x", links: 0)).last == "Thing +0 -0 *0 =3")
    let inner = try differences(base, make("c", inner: "y", links: 0))
    #expect(inner.contains("Thing +0 -0 *1 =2"))
    #expect(inner.contains { $0.contains("parts[0].inner.text") })
    let link = try differences(base, make("d", inner: "x", links: 1))
    #expect(link.contains { $0.contains("parts[0].to: a → b") }, "\(link)")
  }

  @Test func `objects in values of any type are told by their keys`() throws {
    func make(_ name: String, _ keys: [String]) throws -> String {
      try self.make(name) { session in
        let ids = try things(keys, session)
        let table = try session.table("Thing")
        let reference = ObjectReference(classID: table.resolved.id, id: ids[0])
        try table.update(ids[2]) { try $0.set(3, .list([.object(reference)])) }
      }
    }
    let base = try make("a", ["x", "y", "z"])
    #expect(try differences(base, make("b", ["x", "y", "z"])).last == "Thing +0 -0 *0 =3")
    #expect(try differences(base, make("c", ["y", "x", "z"])).contains("Thing +0 -0 *1 =2"))
  }

  @Test func `differences come in the order of the keys`() throws {
    func make(_ name: String, _ target: Int) throws -> String {
      try self.make(name) { session in
        let ids = try things(["m", "c", "z", "a"], session)
        for id in ids {
          try session.table("Thing").update(id) { try $0.set(1, .link(ids[target])) }
        }
      }
    }
    let found = try differences(make("a", 0), make("b", 1))
    let order = found.compactMap {
      $0.firstMatch(of: #/^~ Thing ([acmz])\n/#).map { String($0.output.1) }
    }
    #expect(order == ["a", "c", "m", "z"], "\(found)")
  }
}
