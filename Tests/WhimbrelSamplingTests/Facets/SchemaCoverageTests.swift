import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

struct SchemaCoverageTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func inspector(_ name: String) throws -> StoreInspector {
    try StoreInspector(path: folder.path(name))
  }

  @Test func `coverage names what is covered and suggests what is missing`() throws {
    let coverage = try SchemaCoverage(by: [inspector("a.whimbrel")])
    #expect(
      coverage.covered.map(\.description) == [
        "Zone: many objects", "Zone.country: nil", "Zone.country: linked",
        "Zone.country: fan-in one", "Zone.area: case europe", "Zone.area: case asia",
        "Zone.comments: default", "Zone.comments: other", "Zone.comments: empty",
      ])
    #expect(
      coverage.missing.map(\.suggestion) == [
        "two or more Country", "Country with name empty",
        "Country with non-ASCII characters in name",
        "Zone with latitude = 0", "an object that no Zone links to by country",
        "two Zone whose country leads to the same object",
        "Zone with non-ASCII characters in comments",
      ])
    #expect(coverage.fraction == 9.0 / 16)
    #expect(coverage.others.map(\.description) == ["Country: one object"])
  }

  @Test func `stores complete each other`() throws {
    try makeStore(at: folder.path("b.whimbrel"), [Sample.country, Sample.zone], version: 3) {
      session in
      let countries = try session.table("Country")
      _ = try countries.create(["code": "", "name": ""], replacing: false)
      let shared = try countries.create(["code": "CI", "name": "Côte d’Ivoire"], replacing: false)
      for name in ["a", "b"] {
        _ = try session.table("Zone").create(
          [
            "identifier": .string(name), "latitude": 0.0, "country": .link(shared), "area": "asia",
            "comments": "é",
          ], replacing: false)
      }
    }
    let both = try SchemaCoverage(by: [inspector("a.whimbrel"), inspector("b.whimbrel")])
    #expect(both.missing == [])
    #expect(both.fraction == 1)
    #expect(both.schemaVersion == 4)
  }

  @Test func `a schema may be given, and counts alone`() throws {
    let schema = SchemaExport(
      schemaVersion: 9,
      classes: [
        .init(
          name: "Zone",
          properties: [
            PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
            PropertySchema(name: "isPopular", type: .bool),
          ]),
        .init(name: "Gone", isDeclared: false, properties: []),
      ])
    let coverage = try SchemaCoverage(of: schema, by: [inspector("a.whimbrel")])
    #expect(coverage.covered.map(\.description) == ["Zone: many objects"])
    #expect(
      coverage.missing.map(\.description) == ["Zone.isPopular: true", "Zone.isPopular: false"])
    #expect(coverage.schemaVersion == 9)
    #expect(try SchemaCoverage(of: schema, by: []).fraction == 0)
  }

  @Test(.mustEnd) func `the text of a large schema takes a time linear in its facets`() throws {
    let properties = (0..<30_000).map {
      PropertySchema(name: "value\($0)", type: .int, isOptional: true)
    }
    let schema = SchemaExport(
      schemaVersion: 1, classes: [.init(name: "Zone", properties: properties)])
    let text = try SchemaCoverage(of: schema, by: []).text
    #expect(text.contains("Zone  0 of 90001\n"))
    #expect(text.contains("  value29999  · nil  · other  · zero\n"))
  }

  @Test func `a copy of the store before a rename counts for the new name`() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("a.whimbrel"), toPath: folder.path("b.whimbrel"))
    var properties = Sample.zone.properties
    properties[4].name = "remarks"
    let zone = ClassSchema(name: "Zone", properties: properties)
    try migrateStore(at: folder.path("b.whimbrel"), [Sample.country, zone], version: 5) {
      migration, _ in
      try migration.renameProperty(onType: "Zone", from: "comments", to: "remarks")
      try migration.enumerateObjects(ofType: "Zone") { _, new in try new?.set("remarks", to: "x") }
    }
    let alone = try SchemaCoverage(by: [inspector("b.whimbrel")])
    #expect(alone.missing.map(\.description).contains("Zone.remarks: default"))
    let both = try SchemaCoverage(by: [inspector("a.whimbrel"), inspector("b.whimbrel")])
    #expect(both.covered.map(\.description).contains("Zone.remarks: default"))
  }

  @Test func `the same coverage is the same JSON`() throws {
    let first = try SchemaCoverage(by: [inspector("a.whimbrel")]).json()
    #expect(try SchemaCoverage(by: [inspector("a.whimbrel")]).json() == first)
    let text = String(decoding: first, as: UTF8.self)
    #expect(text.contains(#""fraction" : 0.5625"#))
    #expect(
      text.contains(
        """
            {
              "add" : "Zone with latitude = 0",
              "facet" : "Zone.latitude: zero"
            }
        """))
  }
}
