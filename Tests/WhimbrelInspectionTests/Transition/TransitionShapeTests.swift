import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct TransitionShapeTests {
  private let folder: TestFolder
  private var path: String { folder.path("things.whimbrel") }
  private let key = PropertySchema(name: "key", type: .string, isPrimaryKey: true)

  init() throws { folder = try TestFolder() }

  /// Opens the store online with other classes, without converting an object.
  private func transition(to classes: [ClassSchema], _ rules: [ObjectRule] = []) throws {
    try openOnline(path, classes, rules).close()
  }

  @Test func `what needs no rule is shown converted`() throws {
    func thing(_ count: PropertySchema) -> ClassSchema {
      ClassSchema(name: "Thing", properties: [key, count])
    }
    try makeStore(at: path, [thing(PropertySchema(name: "count", type: .int8))]) { session in
      for number in 1...5 {
        _ = try session.table("Thing").create(
          ["key": .string("t\(number)"), "count": .int(Int64(number))], replacing: false)
      }
    }
    try transition(to: [thing(PropertySchema(name: "count", type: .int, isIndexed: true))])
    let inspector = try StoreInspector(path: path)
    #expect(try inspector.description().transition?.classes.map(\.waiting) == [5])
    #expect(try inspector.unconvertedObjects() == [])
    let view = try inspector.view(of: "t3", class: "Thing")
    #expect(view.version == nil && view.text().contains("count  3"))
    let few = ObjectSelection(className: "Thing", query: "count > 3")
    #expect(try ObjectQuery(few, of: inspector).count() == 2)
    #expect(try inspector.objectsLeftOut(of: few) == [])
    var bytes: [UInt8] = []
    try ObjectTable(few, of: inspector).writeCSV { bytes += $0 }
    #expect(String(decoding: bytes, as: UTF8.self) == "key,count\nt4,4\nt5,5\n")
    #expect(try dump(path).contains(#""id":2,"values":{"key":"t2","count":2}}"#))
    #expect(try StoreCheck(path: path).run().isSound)
    let copy = folder.path("copy.whimbrel")
    let session = try readOnlySession(path)
    let made = try StoreCopy(of: session, to: copy)
    let things = try session.table("Thing")
    for id in try things.objectIDs() { try made.add(id, of: things) }
    #expect(try made.finish())
    #expect(try StoreCheck(path: copy).run().isSound)
    #expect(try dump(copy) == dump(path))
    let diff = try StoreDiff(from: inspector, to: StoreInspector(path: copy))
    #expect(try diff.classCounts().map(\.same) == [5])
    try expectRoundTrip(of: path, in: folder)
  }

  @Test func `an old link to a renamed class is shown`() throws {
    let station = ClassSchema(name: "Station", properties: [key])
    let old = ClassSchema(
      name: "Thing",
      properties: [
        key, PropertySchema(name: "kept", type: .link(to: "Station")),
        PropertySchema(name: "gone", type: .link(to: "Station")),
        PropertySchema(name: "raw", type: .int),
      ])
    try makeStore(at: path, [station, old]) { session in
      let target = try session.table("Station").create(["key": "S1"], replacing: false)
      _ = try session.table("Thing").create(
        ["key": "t1", "kept": .link(target), "gone": .link(target), "raw": 7], replacing: false)
    }
    let post = ClassSchema(name: "Post", properties: [key], previousNames: ["Station"])
    let new = ClassSchema(
      name: "Thing",
      properties: [
        key, PropertySchema(name: "kept", type: .link(to: "Post")),
        PropertySchema(name: "text", type: .string, defaultValue: .value("")),
      ])
    let read = ClassSchema(
      name: "Thing", properties: [key, PropertySchema(name: "raw", type: .int)])
    try transition(
      to: [post, new], [ObjectRule(from: 1, read, new, isLast: true) { _ in EmptyRule() }])
    let inspector = try StoreInspector(path: path)
    let text = try inspector.view(of: "t1", class: "Thing").text()
    #expect(text.hasPrefix("Thing t1 id:1 (version 1)\n"))
    #expect(text.contains("  kept  Post S1 id:1\n"))
    #expect(text.contains("  raw   7\n"))
    let dumped = try dump(path)
    #expect(dumped.contains(#""kept":{"key":"S1"},"gone":{"key":"S1"},"raw":7}}"#))
    #expect(try StoreCheck(path: path).run().findings.map(\.description) == [])
  }

  @Test func `a query through a link leaves out what leads to unconverted objects`() throws {
    let old = ClassSchema(
      name: "Thing", properties: [key, PropertySchema(name: "raw", type: .int)])
    let owner = ClassSchema(
      name: "Owner", properties: [key, PropertySchema(name: "thing", type: .link(to: "Thing"))])
    try makeStore(at: path, [owner, old]) { session in
      let thing = try session.table("Thing").create(["key": "t1", "raw": 7], replacing: false)
      _ = try session.table("Owner").create(
        ["key": "o1", "thing": .link(thing)], replacing: false)
      _ = try session.table("Owner").create(["key": "o2"], replacing: false)
    }
    let new = ClassSchema(
      name: "Thing",
      properties: [
        key, PropertySchema(name: "text", type: .string, defaultValue: .value("none")),
      ])
    try transition(
      to: [owner, new], [ObjectRule(from: 1, old, new, isLast: true) { _ in EmptyRule() }])
    let inspector = try StoreInspector(path: path)
    let query = ObjectSelection(className: "Owner", query: "thing.text != 'x' SORT(key ASC)")
    #expect(try ObjectQuery(query, of: inspector).count() == 1)
    #expect(
      try inspector.objectsLeftOut(of: query).map { $0.note(.query(of: "Owner")) } == [
        "1 object of 'Thing' is not yet converted from version 1; they have no 'text', and the query "
          + "leaves out objects that lead to them."
      ])
    var bytes: [UInt8] = []
    try ObjectTable(
      ObjectSelection(className: "Owner"), columns: "key,thing.text,thing.key", of: inspector
    ).writeCSV { bytes += $0 }
    #expect(String(decoding: bytes, as: UTF8.self) == "key,thing.text,thing.key\no1,,t1\no2,,\n")
    let groups = try QueryGroups(
      ObjectSelection(className: "Owner"), by: "thing.text", of: inspector)
    #expect(groups.groups.map(\.count) == [1])
  }

  @Test func `damage to objects that are not converted is found`() throws {
    try TransitionSample.make(at: path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    var (start, count) = (bytes.startIndex, 0)
    // Unconverted records have the old text, and so have copies of them on free pages.
    while let found = bytes.range(of: Data("high".utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 1
      (start, count) = (found.upperBound, count + 1)
    }
    #expect(count > 0)
    try bytes.write(to: URL(filePath: path))
    let report = try StoreCheck(path: path).run()
    #expect(report.findings.map(\.object).contains(6))
    #expect(try StoreSalvage(path: path).run(to: folder.path("saved.whimbrel")).isComplete == false)
    #expect(try StoreCheck(path: folder.path("saved.whimbrel")).run().isSound)
    #expect(
      try StoreInspector(path: folder.path("saved.whimbrel")).unconvertedObjects().map(\.count)
        == [3])
  }
}
