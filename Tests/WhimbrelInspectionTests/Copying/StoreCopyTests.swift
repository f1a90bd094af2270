import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport

struct StoreCopyTests {
  @Test(arguments: seeds(10, long: 100))
  func `a copy of all objects has the same dump, and the same bytes each time`(seed: UInt64) throws
  {
    let folder = try TestFolder()
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    try copy(folder.path("a.whimbrel"), to: folder.path("b.whimbrel"))
    try copy(folder.path("a.whimbrel"), to: folder.path("c.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == dump(folder.path("a.whimbrel")))
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
    #expect(folder.contents("b.whimbrel") == folder.contents("c.whimbrel"))
    #expect(try folder.names().allSatisfy { !$0.contains(".new-") })
  }

  @Test(arguments: seeds(10, long: 100))
  func `objects that are written anew with the values they have stay the same`(
    seed: UInt64
  ) throws {
    let folder = try TestFolder()
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    try copy(folder.path("a.whimbrel"), to: folder.path("b.whimbrel")) { table, id in
      let record = try #require(try table.record(id))
      return try table.resolved.properties.indices.map {
        StoreCopy.Change($0, try table.value($0, of: record, id))
      }
    }
    #expect(try dump(folder.path("b.whimbrel")) == dump(folder.path("a.whimbrel")))
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
  }

  /// Overflow was appended in the order of the declaration, but its keys are in the order in which
  /// the properties were added. The copy failed, and so did `salvage`, `prune` and `anonymize`. The
  /// error said that the new store is damaged.
  @Test func `long values of a property that is declared before an older one are copied`() throws {
    let folder = try TestFolder()
    let number = PropertySchema(name: "number", type: .int, isPrimaryKey: true)
    let notes = PropertySchema(name: "notes", type: .string)
    let title = PropertySchema(name: "title", type: .string, defaultValue: .value(.string("")))
    let path = folder.path("a.whimbrel")
    try makeStore(at: path, [ClassSchema(name: "Zone", properties: [number, notes])])
    let new = ClassSchema(name: "Zone", properties: [title, number, notes])
    try makeStore(at: path, [new], version: 2) { session in
      _ = try session.table("Zone").create(
        ["number": .int(1), "notes": .string(Self.long), "title": .string(Self.long + "title")],
        replacing: false)
    }
    try copy(path, to: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == dump(path))
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
  }

  /// The layouts of the records of a class, in the order of their IDs.
  private func layouts(_ path: String, _ name: String) throws -> [UInt16] {
    let session = try readOnlySession(path)
    var layouts: [UInt16] = []
    try session.table(name).forEachRecord { layouts.append($1.layoutID.rawValue) }
    return layouts
  }

  private static let long = String(repeating: "long ", count: 2_000)

  /// A store of two layouts: one more property, and one less, since the first two objects.
  private func makeGrown(_ path: String) throws {
    let old = ClassSchema(
      name: "Zone",
      properties: [
        PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
        PropertySchema(name: "secret", type: .string),
        PropertySchema(name: "notes", type: .string, isIndexed: true),
      ])
    let new = ClassSchema(
      name: "Zone",
      properties: [
        PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
        PropertySchema(name: "notes", type: .string, isIndexed: true),
        PropertySchema(name: "rank", type: .int, defaultValue: .value(.int(7))),
      ])
    try makeStore(at: path, [old]) { session in
      for name in ["a", "b"] {
        _ = try session.table("Zone").create(
          ["identifier": .string(name), "secret": "hidden treasure", "notes": .string(Self.long)],
          replacing: false)
      }
    }
    try migrateStore(at: path, [new], version: 2) { _, _ in }
    try makeStore(at: path, [new], version: 2) { session in
      _ = try session.table("Zone").create(
        ["identifier": "c", "notes": "short", "rank": 1], replacing: false)
    }
  }

  @Test func `records keep their layouts, also with other values`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeGrown(path)
    let before = try layouts(path, "Zone")
    #expect(Set(before).count == 2)
    try copy(path, to: folder.path("b.whimbrel")) { _, id in
      [StoreCopy.Change(1, .string("other \(id)"))]
    }
    #expect(try layouts(folder.path("b.whimbrel"), "Zone") == before)
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
    #expect(try dump(folder.path("b.whimbrel")).contains(#""notes":"other 1","rank":7"#))
    // A value that the old layout has no place for.
    try copy(path, to: folder.path("c.whimbrel")) { _, _ in [StoreCopy.Change(2, 8)] }
    #expect(Set(try layouts(folder.path("c.whimbrel"), "Zone")).count == 1)
    #expect(try integrityFindings(folder.path("c.whimbrel")) == [])
    #expect(try dump(folder.path("c.whimbrel")).contains(#""identifier":"a","notes":"long "#))
  }

  @Test func `what a record has of a property that is gone does not reach a copy`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeGrown(path)
    let secret = Data("hidden treasure".utf8)
    #expect(folder.contents("a.whimbrel")?.range(of: secret) != nil)
    try copy(path, to: folder.path("b.whimbrel"))
    #expect(folder.contents("b.whimbrel")?.range(of: secret) == nil)
    #expect(try dump(folder.path("b.whimbrel")) == dump(path))
    #expect(try layouts(folder.path("b.whimbrel"), "Zone") == layouts(path, "Zone"))
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
  }

  @Test func `objects of a class that has lost all properties are copied without them`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeStore(
      at: path,
      [ClassSchema(name: "Note", properties: [PropertySchema(name: "text", type: .string)])]
    ) { session in
      for _ in 0..<3 {
        _ = try session.table("Note").create(["text": "hidden treasure"], replacing: false)
      }
    }
    try migrateStore(at: path, [ClassSchema(name: "Note", properties: [])], version: 2) { _, _ in }
    try copy(path, to: folder.path("b.whimbrel"))
    #expect(folder.contents("b.whimbrel")?.range(of: Data("hidden treasure".utf8)) == nil)
    #expect(try dump(folder.path("b.whimbrel")) == dump(path))
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
  }

  @Test func `a record written anew has nothing but its values`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeGrown(path)
    try copy(path, to: folder.path("b.whimbrel")) { _, _ in [] }
    #expect(try dump(folder.path("b.whimbrel")) == dump(path))
    #expect(try layouts(folder.path("b.whimbrel"), "Zone") == layouts(path, "Zone"))
  }

  @Test func `a property that is dropped takes its data and its indexes along`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeGrown(path)
    let source = try readOnlySession(path)
    let copy = try StoreCopy(
      of: source, to: folder.path("b.whimbrel"), dropping: ["Zone": ["notes"]])
    let table = try source.table("Zone")
    for id in try table.objectIDs() { try copy.add(id, of: table) }
    #expect(try copy.finish())
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
    #expect(try !dump(folder.path("b.whimbrel")).contains("notes"))
    for text in ["hidden treasure", "long long"] {
      #expect(folder.contents("b.whimbrel")?.range(of: Data(text.utf8)) == nil)
    }
    #expect {
      _ = try StoreCopy(of: source, to: folder.path("c.whimbrel"), dropping: ["Zone": ["note"]])
    } throws: { StoreError.Code.unknownProperty ~= $0 }
    #expect(try folder.names().filter { $0.hasPrefix("c.") } == [])
  }

  @Test func `two objects with one key are an error, and leave no file`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    #expect {
      try copy(path, to: folder.path("b.whimbrel")) { table, _ in
        table.name == "Zone" ? [StoreCopy.Change(0, "same")] : nil
      }
    } throws: { StoreError.Code.duplicatePrimaryKey ~= $0 }
    #expect(try folder.names().filter { $0.hasPrefix("b.") } == [])
  }

  /// Copies all objects.
  private func copy(
    _ path: String, to other: String,
    _ changes: (ClassTable, ObjectID) throws -> [StoreCopy.Change]? = { _, _ in nil }
  ) throws {
    let source = try readOnlySession(path)
    let copy = try StoreCopy(of: source, to: other)
    for table in source.classes {
      for id in try table.objectIDs() { try copy.add(id, of: table, changing: changes(table, id)) }
    }
    #expect(try copy.finish())
  }
}
