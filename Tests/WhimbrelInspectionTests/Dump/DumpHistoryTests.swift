import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct DumpHistoryTests {
  /// A store of two classes that has been migrated: 'Zone' has new properties
  /// and 'Country' is no longer declared.
  private func makeMigrated(at path: String) throws {
    try Sample.make(at: path)
    var properties = Sample.zone.properties.filter { $0.name != "country" }
    properties.append(PropertySchema(name: "isPopular", type: .bool, defaultValue: .value(true)))
    properties.append(PropertySchema(name: "length", type: .int))
    let zone = ClassSchema(name: "Zone", properties: properties)
    try migrateStore(at: path, [zone], version: 5) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { _, new in new?["length"] = .int(7) }
    }
  }

  @Test func `a class that is no longer declared is dumped and loaded as such`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeMigrated(at: path)
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.contains(#"{"declared":false,"name":"Country""#))
    #expect(text.contains(#""values":{"code":"AD","name":"Andorra"}"#))
    try load(text, into: folder.path("b.whimbrel"))
    let classes = try StoreInspector(path: folder.path("b.whimbrel")).description().classes
    #expect(classes.map(\.name) == ["Country", "Zone"])
    #expect(classes.map(\.isDeclared) == [false, true])
    #expect(classes.map(\.objects) == [1, 2])
  }

  @Test func `the history of migrations survives`() throws {
    let folder = try TestFolder()
    try makeMigrated(at: folder.path("a.whimbrel"))
    try load(dump(folder.path("a.whimbrel")), into: folder.path("b.whimbrel"))
    let before = try StoreInspector(path: folder.path("a.whimbrel")).description()
    let after = try StoreInspector(path: folder.path("b.whimbrel")).description()
    #expect(before.history.count == 1)
    #expect(before.history.map(\.to) == [5])
    #expect(before.history == after.history)
    #expect(before.uuid == after.uuid)
    #expect(before.created == after.created)
    #expect(after.schemaVersion == 5)
  }

  @Test func `records of old layouts are dumped as they read now`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let more =
      Sample.country.properties + [
        PropertySchema(name: "isMember", type: .bool, defaultValue: .value(true))
      ]
    let country = ClassSchema(name: "Country", properties: more)
    try makeStore(at: path, [country, Sample.zone], version: 5) { session in
      _ = try session.table("Country").create(
        ["code": "NP", "name": "Nepal", "isMember": false], replacing: false)
    }
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.contains(#"{"code":"AD","name":"Andorra","isMember":true}"#))
    #expect(text.contains(#"{"code":"NP","name":"Nepal","isMember":false}"#))
    try load(text, into: folder.path("b.whimbrel"))
    let layouts = try [path, folder.path("b.whimbrel")].map {
      try StoreInspector(path: $0).description().classes.first?.layouts
    }
    #expect(layouts == [2, 1])
  }

  @Test func `values that are no cases of their enum any more are kept`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    func mood(_ cases: [String]) -> ClassSchema {
      ClassSchema(
        name: "Mood",
        properties: [
          PropertySchema(name: "name", type: .string, cases: cases),
          PropertySchema(name: "number", type: .int8, cases: cases.map { String($0.count) }),
          PropertySchema(name: "past", type: .list(of: ElementType(.string)), cases: cases),
          PropertySchema(
            name: "all", type: .set(of: ElementType(.int8)),
            cases: cases.map { String($0.count) }),
          PropertySchema(
            name: "named", type: .map(of: ElementType(.string, isOptional: true)), cases: cases),
        ])
    }
    try makeStore(at: path, [mood(["good", "bad"])]) { session in
      _ = try session.table("Mood").create(
        [
          "name": "bad", "number": 3, "past": .list(["good", "bad"]), "all": .list([4, 3]),
          "named": .map(["a": "bad", "b": .null]),
        ], replacing: false)
    }
    try makeStore(at: path, [mood(["good"])], version: 2)
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.contains(#"{"name":"bad","number":3,"past":["good","bad"],"all":[3,4],"named":"#))
  }
}
