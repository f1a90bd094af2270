import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Indexes of several properties, unique and full-text ones, as the tool shows and loads them.
struct IndexDumpTests {
  private static let zone = ClassSchema(
    name: "Zone",
    properties: [
      PropertySchema(name: "name", type: .string), PropertySchema(name: "level", type: .int),
      PropertySchema(name: "mail", type: .string, isOptional: true),
    ],
    indexes: [
      IndexSchema(["name", "level"]), IndexSchema(["mail"], .unique),
      IndexSchema(["name"], .fullText),
    ])

  private func makeZones(_ path: String) throws {
    try makeStore(at: path, [Self.zone]) { session in
      let table = try session.table("Zone")
      for number in 0..<Int64(3) {
        _ = try table.create(
          [
            "name": .string("swan \(number)"), "level": .int(number),
            "mail": .string("\(number)@b.c"),
          ], replacing: false)
      }
    }
  }

  @Test func `a schema shows its indexes, and comes back from JSON`() throws {
    let folder = try TestFolder()
    try makeZones(folder.path("a.whimbrel"))
    let schema = try StoreInspector(path: folder.path("a.whimbrel")).schema
    #expect(
      SchemaText(schema).description == """
        schema version 1

        class Zone
          name   string
          level  int
          mail   string?
          unique index of 'mail'
          full-text index of 'name'
          index of 'name' and 'level'

        """)
    #expect(try SchemaExport(json: schema.json()) == schema)
    #expect(schema.classes[0].indexes == Self.zone.indexes)
    let description = try StoreInspector(path: folder.path("a.whimbrel")).description()
    #expect(description.formatVersion == Int(Header.currentFormat))
  }

  @Test func `a dump makes the indexes again`() throws {
    let folder = try TestFolder()
    try makeZones(folder.path("a.whimbrel"))
    let text = try dump(folder.path("a.whimbrel"))
    try load(text, into: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == text)
    #expect(try integrityFindings(folder.path("b.whimbrel")) == [])
    let session = try readOnlySession(folder.path("b.whimbrel"))
    #expect(try session.table("Zone").resolved.schema.indexes == Self.zone.indexes)
    #expect(session.loaded.header.formatVersion == Header.currentFormat)
  }

  @Test func `a dump with equal values in a unique index is refused`() throws {
    let folder = try TestFolder()
    try makeZones(folder.path("a.whimbrel"))
    let text = try dump(folder.path("a.whimbrel")).replacing("1@b.c", with: "0@b.c")
    let error = #expect(throws: InspectionError.self) {
      try load(text, into: folder.path("b.whimbrel"))
    }
    #expect(error?.line == 3)
    #expect(error?.message.contains("object 1 already has the same 'mail'") == true)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock"])
  }
}
