import Testing
import WhimbrelEngine

/// `renameClass(from:to:)`: links, references and properties follow.
struct ClassRenameTests {
  private static let old = [
    ClassSchema(
      "Zone", .key("code", .string), .required("name", .string), .link("next", to: "Zone")),
    ClassSchema(
      "Country", .required("name", .string), .link("capital", to: "Zone"),
      .required("zones", .list(of: ElementType(.link(to: "Zone")))),
      .required("note", .any)),
  ]
  private static let new = [
    ClassSchema(
      "Area", .key("code", .string), .required("name", .string), .link("next", to: "Area")),
    ClassSchema(
      "Country", .required("name", .string), .link("capital", to: "Area"),
      .required("zones", .list(of: ElementType(.link(to: "Area")))),
      .required("note", .any)),
  ]

  private func store() throws -> TestStore {
    try TestStore(Self.old) { session in
      let first = try session.create("Zone", ["code": "a", "name": "A"])
      let second = try session.create("Zone", ["code": "b", "name": "B", "next": .link(first)])
      let zone = try session.table("Zone").resolved.id
      try session.create(
        "Country",
        [
          "name": "C", "capital": .link(second), "zones": [.link(first), .link(second)],
          "note": .object(ObjectReference(classID: zone, id: first)),
        ])
    }
  }

  @Test func `a class takes over objects, links and references at once`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open(Self.new, version: 2) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Area")
    }
    let after = try store.contents()
    #expect(after.catalog.classes.map(\.name) == ["Country", "Area"])
    #expect(after.catalog.classes.map(\.id) == before.catalog.classes.map(\.id))
    #expect(after.objects["Area"] == before.objects["Zone"])
    #expect(after.objects["Country"] == before.objects["Country"])
    // Nothing was written anew, and no index was built.
    #expect(after.tableNames == before.tableNames)
    #expect(after.catalog.classes.map(\.layouts.count) == [1, 1])
    #expect(
      after.catalog.history.map(\.changes) == [["Class 'Zone' has been renamed to 'Area'."]])
    #expect(try store.findings() == [])
    // The links work on.
    try store.write { session in
      let area = try #require(try session.table("Area").find("a"))
      try session.table("Area").remove(area)
    }
    let country = try #require(try store.contents().list("Country").first)
    #expect(country["note"] == .null)
    #expect(country["zones"]?.linkTargets.count == 1)
    #expect(try store.findings() == [])
    try store.open(Self.new, version: 2)
  }

  @Test func `old and new objects are paired, each with the name of its class`() throws {
    let store = try store()
    var classes = Self.new
    classes[0] = ClassSchema(
      "Area", .key("code", .string), .required("title", .string), .link("next", to: "Area"),
      .required("size", .int))
    let names = Notes<String>()
    let again = Notes<ObjectID>()
    try store.open(classes, version: 2) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Area")
      try migration.renameProperty(onType: "Area", from: "name", to: "title")
      try migration.enumerateObjects(ofType: "Area") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        names.add("\(old.className) \(new.className) \(new["title"]) \(old["name"])")
        let next = try old.object("next")
        names.add(next?.className ?? "-")
        #expect(try new.object("next")?.className == next.map { _ in "Area" })
        new["size"] = 7
      }
      try migration.enumerateObjects(ofType: "Country") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        names.add(try old.object("capital")?.className ?? "-")
        names.add(try new.object("capital")?.className ?? "-")
        names.add(try old.object("note")?.className ?? "-")
        names.add(try new.object("note")?.className ?? "-")
      }
      // It is found under its old name, too.
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        #expect(old?.className == "Zone" && new?.className == "Area")
        old.map { again.add($0.id) }
      }
    }
    #expect(names.all.filter { $0.hasPrefix("Zone Area") }.count == 2)
    #expect(names.all.suffix(4) == ["Zone", "Area", "Zone", "Area"])
    #expect(again.all.count == 2)
    let contents = try store.contents()
    #expect(contents.values("Area", "title") == ["A", "B"])
    #expect(contents.values("Area", "size") == [7, 7])
    #expect(contents.catalog.history.first?.changes.first?.contains("renamed to 'Area'") == true)
    #expect(try store.findings() == [])
  }

  @Test func `renames are chained through names that nobody declares`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open(Self.new, version: 3) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Region")
      try migration.renameClass(from: "Region", to: "Place")
      try migration.renameClass(from: "Place", to: "Area")
    }
    #expect(try store.contents().objects["Area"] == before.objects["Zone"])
    #expect(try store.findings() == [])
  }

  @Test func `two classes that link to each other are renamed, and one of their properties`() throws
  {
    let store = try store()
    let before = try store.contents()
    let classes = [
      ClassSchema(
        "Area", .key("code", .string), .required("name", .string), .link("next", to: "Area")),
      ClassSchema(
        "State", .required("name", .string), .link("seat", to: "Area"),
        .required("zones", .list(of: ElementType(.link(to: "Area")))), .required("note", .any)),
    ]
    try store.open(classes, version: 2) { migration, _ in
      try migration.renameClass(from: "Country", to: "State")
      try migration.renameClass(from: "Zone", to: "Area")
      try migration.renameProperty(onType: "State", from: "capital", to: "seat")
    }
    let contents = try store.contents()
    #expect(contents.values("State", "seat") == before.values("Country", "capital"))
    #expect(contents.values("State", "zones") == before.values("Country", "zones"))
    #expect(contents.tableNames == before.tableNames)
    #expect(try store.findings() == [])
  }

  @Test func `renamed properties of a class that links stay renamed`() throws {
    let store = try store()
    let before = try store.contents()
    let title = PropertySchema.required("title", .string)
    let country = ClassSchema(
      name: "Country", properties: [title] + Self.new[1].properties.dropFirst())
    try store.open([Self.new[0], country], version: 2) { migration, _ in
      try migration.renameProperty(onType: "Country", from: "name", to: "title")
      try migration.renameClass(from: "Zone", to: "Area")
    }
    let contents = try store.contents()
    #expect(contents.values("Country", "title") == ["C"])
    #expect(contents.values("Country", "capital") == before.values("Country", "capital"))
    #expect(try store.findings() == [])
  }

  @Test func `a class that is no longer declared keeps its links to a renamed one`() throws {
    let store = try store()
    let before = try store.contents()
    try store.open([Self.new[0]], version: 2) { migration, _ in
      try migration.renameClass(from: "Zone", to: "Area")
      try migration.enumerateObjects(ofType: "Country") { old, _ in
        let capital = try old?.object("capital")
        #expect(capital?.className == "Zone")
      }
    }
    #expect(try store.contents().objects["Country"] == before.objects["Country"])
    #expect(try store.findings() == [])
    try store.open(Self.new, version: 3)
    #expect(try store.contents().objects["Country"] == before.objects["Country"])
    #expect(try store.findings() == [])
  }

  @Test func `embedded objects and those under their keys are renamed too`() throws {
    func classes(_ name: String, _ child: String) -> [ClassSchema] {
      [
        ClassSchema(name, .key("number"), .link("part", to: child)),
        ClassSchema(name: child, isEmbedded: true, properties: [.required("x", .int)]),
      ]
    }
    let store = try TestStore(classes("A", "B")) { session in
      for number in [Int64(3), -2] {
        let part = try session.create("B", ["x": .int(number)])
        try session.create("A", ["number": .int(number), "part": .link(part)])
      }
    }
    try store.open(classes("C", "D"), version: 2) { migration, _ in
      try migration.renameClass(from: "B", to: "D")
      try migration.renameClass(from: "A", to: "C")
      try migration.create("C", ["number": 9])
      #expect(try migration.object(ofType: "C", forPrimaryKey: -2) != nil)
    }
    let contents = try store.contents()
    #expect(contents.values("C", "number") == [-2, 3, 9])
    #expect(contents.values("D", "x") == [3, -2])
    #expect(contents.catalog["C"]?.isClustered == true)
    #expect(try store.findings() == [])
  }
}

/// Renames of classes that cannot be.
struct ClassRenameMistakeTests {
  /// A rename that cannot be, and what the error says.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String
    let body: @Sendable (Migration) throws -> Void
  }

  static let mistakes: [Mistake] = [
    Mistake(testDescription: "no such class", reason: "the source class does not exist") {
      try $0.renameClass(from: "X", to: "New")
    },
    Mistake(testDescription: "still declared", reason: "the source class is still declared") {
      try $0.renameClass(from: "Kept", to: "New")
    },
    Mistake(testDescription: "data there", reason: "the store has a class of that name already") {
      try $0.renameClass(from: "Old", to: "Kept")
    },
    Mistake(testDescription: "data of an old class there", reason: "has a class of that name") {
      try $0.renameClass(from: "Old", to: "Other")
    },
    Mistake(testDescription: "left in between", reason: "the class 'X' is not declared") {
      try $0.renameClass(from: "Old", to: "X")
    },
    Mistake(testDescription: "twice", reason: "the source class does not exist") {
      try $0.renameClass(from: "Old", to: "New")
      try $0.renameClass(from: "Old", to: "Newer")
    },
    Mistake(testDescription: "from its first name", reason: "the source class does not exist") {
      try $0.renameClass(from: "Old", to: "X")
      try $0.renameClass(from: "Old", to: "New")
    },
    Mistake(testDescription: "two to one", reason: "the store has a class of that name already") {
      try $0.renameClass(from: "Old", to: "New")
      try $0.renameClass(from: "Other", to: "New")
    },
    Mistake(
      testDescription: "enumerated", reason: "the migration has already enumerated or changed"
    ) {
      try $0.enumerateObjects(ofType: "Old") { _, _ in }
      try $0.renameClass(from: "Old", to: "New")
    },
    Mistake(testDescription: "new objects there", reason: "has already enumerated or changed") {
      try $0.create("New", ["a": 1])
      try $0.renameClass(from: "Old", to: "New")
    },
    Mistake(testDescription: "links enumerated", reason: "or of a class that links to it") {
      try $0.enumerateObjects(ofType: "Kept") { _, _ in }
      try $0.renameClass(from: "Old", to: "New")
    },
    Mistake(testDescription: "deleted", reason: "has already enumerated or changed") {
      try $0.deleteData(forType: "Old")
      try $0.renameClass(from: "Old", to: "New")
    },
  ]

  @Test(arguments: mistakes)
  func `a rename of a class that cannot be is an error and changes nothing`(
    _ mistake: Mistake
  ) throws {
    let store = try TestStore([
      ClassSchema("Old", .required("a", .int)), ClassSchema("Other", .required("a", .int)),
      ClassSchema("Kept", .link("old", to: "Old")),
    ]) { session in
      let old = try session.create("Old", ["a": 1])
      try session.create("Kept", ["old": .link(old)])
    }
    let before = try store.contents()
    let classes = [
      ClassSchema("New", .required("a", .int)), ClassSchema("Newer", .required("a", .int)),
      ClassSchema("Kept", .link("old", to: "New")),
    ]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in try mistake.body(migration) }
    }
    #expect(error?.code == .invalidRename)
    #expect(error?.message.contains(mistake.reason) == true, "\(error?.message ?? "none")")
    #expect(try store.contents() == before)
    #expect(try store.findings() == [])
  }
}
