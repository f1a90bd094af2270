import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct DiffMigrationTests {
  let folder: TestFolder
  let old: String
  let new: String

  init() throws {
    folder = try TestFolder()
    old = folder.path("old.whimbrel")
    new = folder.path("new.whimbrel")
    try Sample.make(at: old)
    try copyStore(old, new)
  }

  /// The properties of a class, changed.
  private func changed(
    _ schema: ClassSchema, named name: String? = nil,
    _ change: (inout [PropertySchema]) -> Void
  ) -> ClassSchema {
    var properties = schema.properties
    change(&properties)
    return ClassSchema(name: name ?? schema.name, properties: properties)
  }

  @Test func `a property that was renamed is renamed, and no object changes`() throws {
    let zone = changed(Sample.zone) { properties in
      properties[0].name = "name"
      properties[1].name = "north"
    }
    try migrateStore(at: new, [Sample.country, zone], version: 5) { migration, _ in
      try migration.renameProperty(onType: "Zone", from: "identifier", to: "name")
      try migration.renameProperty(onType: "Zone", from: "latitude", to: "north")
    }
    #expect(
      try diffText(old, new) == """
        schema version 4 → 5
        Property 'Zone.identifier' has been renamed to 'name'.
        Property 'Zone.latitude' has been renamed to 'north'.

        """)
    #expect(
      try diffText(new, old) == """
        schema version 5 → 4
        Property 'Zone.name' has been renamed to 'identifier'.
        Property 'Zone.north' has been renamed to 'latitude'.

        """)
  }

  // A converted property has a new ID. Its class then counted as one with IDs of its own, so the
  // diff called a renamed property removed and added.
  @Test func `a renamed property is found beside one that was converted to another type`() throws {
    let zone = changed(Sample.zone) { properties in
      properties[1].type = .string
      properties[1].defaultValue = .none
      properties[4].name = "remarks"
    }
    try migrateStore(at: new, [Sample.country, zone], version: 5) { migration, _ in
      try migration.renameProperty(onType: "Zone", from: "comments", to: "remarks")
    }
    let text = try diffText(old, new)
    #expect(text.contains("Property 'Zone.latitude' has been changed from 'double' to 'string'."))
    #expect(text.contains("Property 'Zone.comments' has been renamed to 'remarks'."))
    #expect(!text.contains("removed") && !text.contains("added"))
  }

  @Test func `a class that was renamed is renamed, and links to it are the same`() throws {
    let land = changed(Sample.country, named: "Land") { _ in }
    let zone = changed(Sample.zone) { $0[2].type = .link(to: "Land") }
    try migrateStore(at: new, [land, zone], version: 5) { migration, _ in
      try migration.renameClass(from: "Country", to: "Land")
    }
    #expect(
      try diffText(old, new) == """
        schema version 4 → 5
        Class 'Country' has been renamed to 'Land'.

        """)
    #expect(
      try diffText(old, new, style: .jsonStatistics) == """
        {"schemaVersion":{"old":4,"new":5}}
        {"renamedClass":{"old":"Country","new":"Land"}}
        {"class":"Land","added":0,"removed":0,"changed":0,"same":1}
        {"class":"Zone","added":0,"removed":0,"changed":0,"same":2}

        """)
    // Either name of the class will do.
    for name in ["Country", "Land"] {
      let options = StoreDiff.Options(classes: [name])
      #expect(
        try diffText(old, new, options) == "Class 'Country' has been renamed to 'Land'.\n")
    }
  }

  @Test func `what a migration does to values by itself is no change of them`() throws {
    let number = ClassSchema(
      name: "Number",
      properties: [
        PropertySchema(name: "narrow", type: .int8),
        PropertySchema(name: "whole", type: .int),
        PropertySchema(name: "single", type: .float),
        PropertySchema(name: "maybe", type: .string, isOptional: true),
        PropertySchema(name: "gone", type: .string),
      ])
    let after = ClassSchema(
      name: "Number",
      properties: [
        PropertySchema(name: "narrow", type: .int),
        PropertySchema(name: "whole", type: .string, isOptional: true),
        PropertySchema(name: "single", type: .list(of: ElementType(.double))),
        PropertySchema(name: "maybe", type: .string, defaultValue: .value("none")),
        PropertySchema(name: "added", type: .int, defaultValue: .value(7)),
      ])
    let (first, second) = (folder.path("a.whimbrel"), folder.path("b.whimbrel"))
    try makeStore(at: first, [number]) { session in
      for value in 0..<20 {
        _ = try session.table("Number").create(
          [
            "narrow": .int(Int64(value)), "whole": .int(Int64(value) << 40),
            "single": .float(Float(value) / 3), "gone": "x",
            "maybe": value % 2 == 0 ? .null : "some",
          ], replacing: false)
      }
    }
    try copyStore(first, second)
    try migrateStore(at: second, [after], version: 2) { _, _ in }
    let expected = """
      Property 'Number.narrow' has been changed from 'int8' to 'int'.
      Property 'Number.whole' has been changed from 'int' to 'string'.
      Property 'Number.whole' has been made optional.
      Property 'Number.single' has been changed from 'float' to '[double]'.
      Property 'Number.maybe' has been made required.
      The default value of property 'Number.maybe' has changed.
      Property 'Number.added' has been added.

      """
    let text = try diffText(first, second)
    #expect(
      text == "schema version 1 → 2\nProperty 'Number.gone' has been removed.\n" + expected)
    // Not so seen from there: 'gone' is added then, and has values.
    let options = StoreDiff.Options(ignoredProperties: ["Number.gone"])
    #expect(!(try diffText(second, first, options)).contains("~"))

    try makeStore(at: second, [after], version: 2) { session in
      try session.table("Number").update(ObjectID(rawValue: 3)) { encoder in
        try encoder.set(1, .string("no number"))
        try encoder.set(4, .int(8))
      }
    }
    #expect(
      try diffText(first, second).hasSuffix(
        """
        Number: 1 changed, 19 unchanged
        ~ Number id:3
            whole: "2199023255552" → "no number"
            added: + 8

        """))
  }

  @Test func `a class that is gone from the code keeps its objects`() throws {
    let zone = changed(Sample.zone) { $0.remove(at: 2) }
    try migrateStore(at: new, [zone], version: 5) { _, _ in }
    #expect(
      try diffText(old, new) == """
        schema version 4 → 5
        Class 'Country' has been removed.
        Property 'Zone.country' has been removed.

        """)
    #expect(try diffText(old, new, style: .jsonStatistics).contains(#""class":"Country","#))
    // Without its data its objects are gone too.
    try migrateStore(at: new, [zone], version: 6) { migration, _ in
      _ = try migration.deleteData(forType: "Country")
    }
    #expect(try diffText(old, new).contains("Country: 1 removed\n- Country AD\n"))
  }

  @Test func `stable IDs of a store that was loaded from a dump are its own`() throws {
    func thing(_ names: String...) -> ClassSchema {
      ClassSchema(
        name: "Thing", properties: names.map { PropertySchema(name: $0, type: .int) })
    }
    let (first, second) = (folder.path("a.whimbrel"), folder.path("b.whimbrel"))
    try makeStore(at: first, [thing("a", "b")])
    try migrateStore(at: first, [thing("a", "c", "d")], version: 2) { _, _ in }
    // 'c' and 'd' have the numbers 3 and 4 here, and 2 and 3 there; 'e' becomes 4.
    try load(dump(first), into: second)
    try migrateStore(at: second, [thing("a", "c", "e")], version: 3) { _, _ in }
    #expect(
      try diffText(first, second) == """
        schema version 2 → 3
        Property 'Thing.d' has been removed.
        Property 'Thing.e' has been added.

        """)
  }

  @Test func `a property that was renamed is ignored under either name`() throws {
    let zone = changed(Sample.zone) { $0[4].name = "remarks" }
    try migrateStore(at: new, [Sample.country, zone], version: 5) { migration, _ in
      try migration.renameProperty(onType: "Zone", from: "comments", to: "remarks")
      try migration.enumerateObjects(ofType: "Zone") { _, new in try new?.set("remarks", to: "x") }
    }
    #expect(try diffText(old, new).contains(#"    remarks: "" → "x""#))
    for name in ["Zone.comments", "Zone.remarks"] {
      let options = StoreDiff.Options(ignoredProperties: [name])
      #expect(try diffText(old, new, options) == "schema version 4 → 5\n")
    }
  }

  @Test func `objects of a class with whole numbers as keys are told by them in any table`() throws
  {
    let city = ClassSchema(
      name: "City",
      properties: [
        PropertySchema(name: "code", type: .int, isPrimaryKey: true),
        PropertySchema(name: "twin", type: .link(to: "City")),
      ])
    let (first, second) = (folder.path("a.whimbrel"), folder.path("b.whimbrel"))
    try makeStore(at: first, [city]) { session in
      let table = try session.table("City")
      for code in -3...3 as ClosedRange<Int64> {
        let twin = try code > 0 ? table.find(.int(-code)).map(PropertyValue.link) : nil
        _ = try table.create(["code": .int(code), "twin": twin ?? .null], replacing: false)
      }
    }
    try copyStore(first, second)
    try migrateStore(at: second, [city], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "City") { old, new in
        if try old?.value("code") == .int(-2) { try new?.set("code", to: .int(9)) }
      }
    }
    #expect(
      try diffText(first, second) == """
        schema version 1 → 2
        City: 1 added, 1 removed, 1 changed, 5 unchanged
        - City -2
        ~ City 2
            twin: -2 → 9
        + City 9

        """)
  }
}
