import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct SchemaComparisonTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    try FileManager.default.copyItem(
      atPath: folder.path("a.whimbrel"), toPath: folder.path("b.whimbrel"))
  }

  private func comparison(_ first: String, _ second: String) throws -> SchemaComparison {
    try SchemaComparison(
      from: .file(at: folder.path(first)), to: .file(at: folder.path(second)))
  }

  @Test func `a store and its export have the same schema`() throws {
    let export = try StoreOverview(path: folder.path("a.whimbrel")).schema.json()
    try (Data(" \n".utf8) + export).write(to: folder.url.appending(path: "a.json"))
    for (first, second) in [("a.whimbrel", "a.json"), ("a.json", "b.whimbrel")] {
      let comparison = try comparison(first, second)
      #expect(comparison.isEmpty)
      #expect(comparison.description == "")
    }
  }

  @Test func `collections and values of any type are required, whatever an export says`() throws {
    let json = """
      {"schemaVersion": 1, "classes": [{"name": "A", "properties": [
        {"name": "list", "type": "[int]", "optional": true},
        {"name": "set", "type": "{int?}", "optional": true},
        {"name": "any", "type": "any", "optional": true},
        {"name": "map", "type": "[string: any?]", "optional": true},
        {"name": "text", "type": "string", "optional": true}]}]}
      """
    let schema = try SchemaSource.export(Data(json.utf8), name: "a.json").schema
    let properties = schema.classes[0].properties
    let types = ["[int]", "{int?}", "any", "[string: any]", "string"]
    #expect(properties.map(\.type.description) == types)
    #expect(properties.map(\.isOptional) == [false, false, false, false, true])
  }

  @Test func `stores of one lineage tell what was renamed, and others do not`() throws {
    let place = ClassSchema(
      name: "Place",
      properties: [
        PropertySchema(name: "id", type: .string, isPrimaryKey: true, previousNames: ["identifier"])
      ] + Sample.zone.properties.dropFirst())
    try migrateStore(at: folder.path("b.whimbrel"), [Sample.country, place], version: 5) {
      migration, _ in
      try migration.renameClass(from: "Zone", to: "Place")
      try migration.renameProperty(onType: "Place", from: "identifier", to: "id")
    }
    let comparison = try comparison("a.whimbrel", "b.whimbrel")
    #expect(
      comparison.description == """
        schema version 4 to 5
        instant  Class 'Zone' has been renamed to 'Place'.
        instant  Property 'Place.identifier' has been renamed to 'id'.

        """)
    #expect(comparison.changes.map(\.kind) == [.instant, .instant])
    let json = String(decoding: try comparison.json(), as: UTF8.self)
    #expect(json.contains(#""kind" : "classRenamed""#))

    try StoreOverview(path: folder.path("a.whimbrel")).schema.json()
      .write(to: folder.url.appending(path: "a.json"))
    let unrelated = try self.comparison("a.json", "b.whimbrel")
    #expect(
      unrelated.changes.map(\.text) == [
        "Class 'Place' has been added.", "Class 'Zone' has been removed.",
      ])
  }

  @Test func `changes have the kinds that classes with objects need`() throws {
    let country = ClassSchema(
      name: "Country", isEmbedded: true,
      properties: [
        PropertySchema(name: "code", type: .string),
        PropertySchema(name: "name", type: .int),
      ])
    let zone = ClassSchema(
      name: "Zone",
      properties: [
        PropertySchema(name: "identifier", type: .string, isPrimaryKey: true),
        PropertySchema(name: "latitude", type: .double, isIndexed: true),
        PropertySchema(name: "country", type: .link(to: "Country")),
        PropertySchema(name: "area", type: .string, isIndexed: true, cases: ["europe"]),
        PropertySchema(name: "length", type: .int),
        PropertySchema(name: "stamp", type: .uuid, defaultValue: .generated),
      ])
    let export = SchemaExport(
      schemaVersion: 4,
      classes: [country, zone].map {
        SchemaExport.ClassExport(
          name: $0.name, isEmbedded: $0.isEmbedded, properties: $0.properties)
      })
    try export.json().write(to: folder.url.appending(path: "c.json"))
    #expect(
      try comparison("a.whimbrel", "c.json").description == """
        needs code   Property 'Country.name' has been changed from 'string' to 'int'.
                     A migration block or rule must set it for every object.
        instant      Primary Key for class 'Country' has been removed.
        instant      Class 'Country' has been made embedded.
                     Objects without a link to them are deleted, and shared objects are copied.
        destructive  Property 'Zone.comments' has been removed.
        index build  Property 'Zone.latitude' has been made indexed.
        instant      The cases of property 'Zone.area' have changed.
                     Objects that have 'asia' keep it until they are set.
        needs code   Property 'Zone.length' has been added.
                     A migration block or rule must set it for every object.
        rewrite      Property 'Zone.stamp' has been added.

        """)
  }

  @Test(arguments: [
    ("{\n  \"schemaVersion\": 1,,\n}", "'s.json': line 2, column 22: expected a name in quotes"),
    (
      #"{"schemaVersion":-1,"classes":[]}"#,
      "a number in it is too large, or has a fraction or a sign that its place does not allow"
    ),
    (#"{"classes":[]}"#, "'s.json': 'schemaVersion' is missing"),
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[{"name":"b","type":"text"}]}]}"#,
      "in 'classes[0].properties[0].type', 'text' is not the type of a property"
    ),
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[],"indexes":[{"kind":"uniq","#
        + #""properties":["b"]}]}]}"#,
      "in 'classes[0].indexes[0].kind', 'uniq' is not 'ordered', 'unique' or 'fullText'"
    ),
    // Keys that were misspelt were ignored, so a class lost its primary key.
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[{"name":"b","type":"int","#
        + #""primarykey":true}]}]}"#,
      "in 'classes[0].properties[0]', the key 'primarykey' is unknown (perhaps 'primaryKey' is meant)"
    ),
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[],"owner":"B"}]}"#,
      "the key 'owner' is unknown (known are 'name', 'properties', 'indexes', 'previousNames'"
    ),
    (
      #"{"schemaVersion":1,"classes":[],"class":[]}"#,
      "'s.json': the key 'class' is unknown (perhaps 'classes' is meant)"
    ),
    // One of two values was ignored. A merge in Git can leave both.
    (
      #"{"schemaVersion":1,"classes":[],"schemaVersion":2}"#,
      "'s.json': the key 'schemaVersion' occurs twice"
    ),
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[{"name":"b","type":"int","#
        + #""type":"string"}]}]}"#,
      "in 'classes[0].properties[0]', the key 'type' occurs twice"
    ),
    // A migration gave all objects a value that no app could read.
    (
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[{"name":"b","type":"string","#
        + #""cases":["x","y"],"default":{"value":{"string":"z"}}}]}]}"#,
      "the default value 'z' of 'A.b' is not one of its cases: 'x', 'y'"
    ),
  ])
  func `an export that is none is an error`(text: String, words: String) throws {
    let error = #expect(throws: InspectionError.self) {
      try SchemaSource.export(Data(text.utf8), name: "s.json")
    }
    #expect(error?.code == .badSchema)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func `an export that no store can have is an error`() {
    let text =
      #"{"schemaVersion":1,"classes":[{"name":"A","properties":[{"name":"b","type":"<C>"}]}]}"#
    #expect(throws: StoreError.self) {
      try SchemaSource.export(Data(text.utf8), name: "s.json")
    }
  }
}
