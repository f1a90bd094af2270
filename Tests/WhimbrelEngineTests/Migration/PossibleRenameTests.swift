import Testing
import WhimbrelEngine

/// What is removed while something like it is added may have another name only: the plan
/// and the log have the line to write.
struct PossibleRenameTests {
  private static let zone = ClassSchema(
    "Zone", .key("name", .string), .required("offset", .int), .link("next", to: "Zone"))
  private static let area = ClassSchema(
    "Area", .link("next", to: "Area"), .key("name", .string), .required("offset", .int))

  private func store() throws -> TestStore {
    try TestStore([Self.zone, ClassSchema("Other", .link("zone", to: "Zone"))]) { session in
      try session.create("Zone", ["name": "x", "offset": 1])
    }
  }

  private static let line =
    "If it is now 'Area': @Model(renamedFrom: \"Zone\")."

  @Test func `a class of the same shape may be the one that has gone`() throws {
    let store = try store()
    let renamed = [Self.area, ClassSchema("Other", .link("zone", to: "Area"))]
    let plan = try store.plan(renamed, version: 2)
    let change = try #require(plan.changes.first { $0.change == .classRemoved(class: "Zone") })
    #expect(change.possibleRename == Self.line)
    #expect(plan.description.contains("\n           \(Self.line)"))
    // Another shape, or two of the same, say nothing.
    let others: [[ClassSchema]] = [
      [ClassSchema("Area", .key("name", .string)), ClassSchema("Other")],
      [
        Self.area, ClassSchema("Other"),
        ClassSchema(
          "Region", .link("next", to: "Region"), .key("name", .string), .required("offset", .int)),
      ],
    ]
    for classes in others {
      #expect(try store.plan(classes, version: 2).changes.allSatisfy { $0.possibleRename == nil })
    }
    // The line does what it says.
    try store.open(renamed, version: 2) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Area")
    }
    #expect(try store.contents().values("Area", "name") == ["x"])
  }

  @Test func `the log says so, unless the block has answered`() throws {
    let log = Log.shared
    let classes = [Self.area, ClassSchema("Other")]
    let store = try store()
    try store.open(classes, version: 2)
    #expect(log.messages(about: store.path) == ["Class 'Zone' has been removed. \(Self.line)"])

    let renaming = try self.store()
    try renaming.open(classes, version: 2) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Area")
    }
    let dropping = try self.store()
    try dropping.open(classes, version: 2) { migration, _ in
      try migration.deleteData(forType: "Zone")
    }
    #expect(log.messages(about: renaming.path) == [] && log.messages(about: dropping.path) == [])
  }

  @Test func `a property of the same type may be the one that has gone`() throws {
    let log = Log.shared
    let classes = [
      ClassSchema(
        "Zone", .key("name", .string), .required("minutes", .int, default: 0),
        .link("next", to: "Zone")),
      ClassSchema("Other", .link("zone", to: "Zone")),
    ]
    let line = "If it is now 'minutes': @Renamed(from: \"offset\")."
    let store = try store()
    #expect(try store.plan(classes, version: 2).changes.compactMap(\.possibleRename) == [line])
    try store.open(classes, version: 2)
    #expect(log.messages(about: store.path) == ["Property 'Zone.offset' has been removed. \(line)"])
    let renaming = try self.store()
    try renaming.open(classes, version: 2) { migration, _ in
      try migration.renameProperty(onType: "Zone", from: "offset", to: "minutes")
    }
    #expect(log.messages(about: renaming.path) == [])
  }

  // A store that skips the version in which 'a' was renamed to 'b' lost the values without a word.
  @Test func `a property with names of other versions may be the one that has gone`() throws {
    let old = ClassSchema("Zone", .key("name", .string), .required("a", .string))
    let new = ClassSchema(
      "Zone", .key("name", .string), .required("c", .string, default: "", was: "b"))
    let store = try TestStore([old]) { _ in }
    #expect(
      try store.plan([new], version: 3).changes.compactMap(\.possibleRename)
        == [#"If it is now 'c': @Renamed(from: "b", "a")."#])
    let complete = ClassSchema(
      "Zone", .key("name", .string), .required("c", .string, default: "", was: "b", "a"))
    #expect(
      try store.plan([complete], version: 3).changes.allSatisfy { $0.possibleRename == nil })
  }

  // The line declared a variable with the name in the schema, which Swift may not allow.
  @Test func `names that are no identifiers of Swift give a line that compiles`() throws {
    let old = ClassSchema("Zone", .required("the \"offset\"", .int))
    let new = ClassSchema("Zone", .required("the offset", .int, default: 0))
    let plan = try TestStore([old]) { _ in }.plan([new], version: 2)
    #expect(
      plan.changes.compactMap(\.possibleRename)
        == [#"If it is now 'the offset': @Renamed(from: "the \"offset\"")."#])
  }

  @Test func `nothing is said of a property that code must set, or that has another's values`()
    throws
  {
    let log = Log.shared
    let store = try store()
    let schema = ClassSchema(
      "Zone", .key("identifier", .string), .required("minutes", .int),
      .link("next", to: "Zone"))
    try store.open([schema], version: 2) { migration, _ in
      try migration.renameProperty(onType: "Zone", from: "name", to: "identifier")
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        try new?.set("minutes", to: (old?["offset", as: Int.self] ?? 0) * 60)
      }
    }
    #expect(log.messages(about: store.path) == [])
  }
}
