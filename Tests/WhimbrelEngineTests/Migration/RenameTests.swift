import Testing
import WhimbrelEngine

/// `renameProperty(onType:from:to:)`, before and after objects were rewritten.
struct RenameTests {
  private func store() throws -> TestStore {
    try TestStore([ClassSchema("A", .required("a", .int), .optional("o", .int))]) {
      for number in 0..<Int64(5) {
        try $0.create("A", ["a": .int(number), "o": number == 2 ? nil : .int(10 * number)])
      }
    }
  }

  private static let renamed = [ClassSchema("A", .required("b", .int), .optional("o", .int))]

  @Test(arguments: [false, true])
  func `values follow the name, whenever that is said`(_ isLate: Bool) throws {
    let store = try store()
    try store.open(Self.renamed, version: 2) { migration, _ in
      if !isLate { try migration.renameProperty(onType: "A", from: "a", to: "b") }
      try migration.enumerateObjects(ofType: "A") { old, new in
        let old = try #require(old)
        #expect(new?["b"] == (isLate ? .null : old["a"]))
      }
      try migration.create("A", ["b": 77])
      if isLate { try migration.renameProperty(onType: "A", from: "a", to: "b") }
    }
    #expect(try store.contents().values("A", "b") == [0, 1, 2, 3, 4, 77])
    #expect(try store.findings() == [])
  }

  @Test func `a rename in the midst of an enumeration reaches every object`() throws {
    let store = try store()
    try store.open(Self.renamed, version: 2) { migration, _ in
      var count = 0
      try migration.enumerateObjects(ofType: "A") { _, _ in
        count += 1
        if count == 3 { try migration.renameProperty(onType: "A", from: "a", to: "b") }
      }
    }
    #expect(try store.contents().values("A", "b") == [0, 1, 2, 3, 4])
  }

  // Two properties took over the same stored values: the catalog then had one
  // property ID twice, and the file could not be opened any more.
  @Test(arguments: [false, true])
  func `a property cannot be renamed to two names`(_ isLate: Bool) throws {
    let store = try store()
    let before = try store.contents()
    let both = [
      ClassSchema("A", .required("b", .int), .required("c", .int), .optional("o", .int))
    ]
    let error = storeError {
      try store.open(both, version: 2) { migration, _ in
        try migration.renameProperty(onType: "A", from: "a", to: "b")
        if isLate { try migration.enumerateObjects(ofType: "A") { _, _ in } }
        try migration.renameProperty(onType: "A", from: "a", to: "c")
      }
    }
    #expect(error?.code == .invalidRename)
    #expect(try store.contents() == before)
  }

  @Test func `a property that code renames cannot be renamed in the block too`() throws {
    let store = try store()
    let both = [
      ClassSchema(
        "A", .required("b", .int, was: "a"), .required("c", .int), .optional("o", .int))
    ]
    let error = storeError {
      try store.open(both, version: 2) { migration, _ in
        try migration.renameProperty(onType: "A", from: "a", to: "c")
      }
    }
    #expect(error?.code == .invalidRename)
    #expect(try store.contents().version == 1)
  }

  /// A rename that cannot be, and the classes declared.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let classes: [ClassSchema]
    let rename: (className: String, from: String, to: String)
  }

  static let mistakes: [Mistake] = [
    Mistake(
      testDescription: "no such class", classes: renamed, rename: ("B", "a", "b")),
    Mistake(
      testDescription: "class removed", classes: [ClassSchema("B", .required("b", .int))],
      rename: ("A", "a", "b")),
    Mistake(
      testDescription: "old name still declared",
      classes: [ClassSchema("A", .required("a", .int), .required("b", .int, default: 1))],
      rename: ("A", "a", "b")),
    Mistake(testDescription: "no such property", classes: renamed, rename: ("A", "x", "b")),
    Mistake(testDescription: "left in between", classes: renamed, rename: ("A", "a", "x")),
    Mistake(
      testDescription: "other type", classes: [ClassSchema("A", .required("b", .date))],
      rename: ("A", "a", "b")),
  ]

  @Test(arguments: mistakes)
  func `a rename that cannot be is an error and changes nothing`(_ mistake: Mistake) throws {
    let store = try store()
    let before = try store.contents()
    let error = storeError {
      try store.open(mistake.classes, version: 2) { migration, _ in
        try migration.renameProperty(
          onType: mistake.rename.className, from: mistake.rename.from, to: mistake.rename.to)
      }
    }
    #expect(error?.code == .invalidRename)
    #expect(try store.contents() == before)
  }

  @Test(arguments: [false, true])
  func `renamed nil that may not be is an error`(_ isLate: Bool) throws {
    let store = try store()
    let before = try store.contents()
    let classes = [ClassSchema("A", .required("a", .int), .required("b", .int))]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        if isLate { try migration.enumerateObjects(ofType: "A") { _, _ in } }
        try migration.renameProperty(onType: "A", from: "o", to: "b")
      }
    }
    #expect(error?.code == (isLate ? .migrationUnset : .migrationNil))
    #expect(error?.context.objectID == ObjectID(rawValue: 3))
    #expect(try store.contents() == before)
  }

  // MARK: Renamed and changed

  @Test(arguments: [false, true])
  func `a property is renamed and converts, whenever that is said`(_ isLate: Bool) throws {
    let store = try store()
    let classes = [ClassSchema("A", .required("b", .string), .optional("o", .int))]
    try store.open(classes, version: 2) { migration, _ in
      if isLate { try migration.enumerateObjects(ofType: "A") { _, _ in } }
      try migration.renameProperty(onType: "A", from: "a", to: "b")
    }
    #expect(try store.contents().values("A", "b") == ["0", "1", "2", "3", "4"])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [false, true])
  func `what does not convert under the new name is named`(_ isLate: Bool) throws {
    let store = try store()
    let before = try store.contents()
    let classes = [ClassSchema("A", .required("a", .int), .optional("b", .uint8))]
    try store.write { session in
      try session.table("A").update(ObjectID(rawValue: 4)) { try $0.set(1, .int(300)) }
    }
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        if isLate { try migration.enumerateObjects(ofType: "A") { _, _ in } }
        try migration.renameProperty(onType: "A", from: "o", to: "b")
      }
    }
    #expect(error?.code == .conversionFailed && error?.context.propertyName == "b")
    #expect(error?.context.objectID == ObjectID(rawValue: 4))
    #expect(try store.contents().version == before.version)
  }

  @Test func `a property becomes optional, indexed or the key under its new name`() throws {
    for property in [
      PropertySchema.optional("b", .int), .indexed("b", .int), .key("b"), .key("b", .string),
    ] {
      let store = try store()
      let classes = [ClassSchema("A", property, .optional("o", .int))]
      try store.open(classes, version: 2) { migration, _ in
        try migration.renameProperty(onType: "A", from: "a", to: "b")
      }
      let isText = property.type == .string
      #expect(
        try store.contents().values("A", "b")
          == (0..<5).map { isText ? .string("\($0)") : .int(Int64($0)) })
      #expect(try store.findings() == [])
    }
  }

  @Test(arguments: [false, true])
  func `links under a new name do not lead to deleted objects`(_ isLate: Bool) throws {
    let target = ClassSchema("B", .required("n", .int))
    let store = try TestStore([
      ClassSchema("A", .list("many", .link(to: "B")), .link("one", to: "B")), target,
    ]) { session in
      let ids = try (0..<Int64(3)).map { try session.create("B", ["n": .int($0)]) }
      try session.create("A", ["many": .list(ids.map { .link($0) }), "one": .link(ids[1])])
    }
    let renamed = ClassSchema(
      "A", .list("all", .link(to: "B")), .link("first", to: "B"),
      .required("extra", .int, default: 0))
    try store.open([renamed, target], version: 2) { migration, _ in
      func rename() throws {
        try migration.renameProperty(onType: "A", from: "many", to: "all")
        try migration.renameProperty(onType: "A", from: "one", to: "first")
      }
      if !isLate { try rename() }
      try migration.enumerateObjects(ofType: "B") { old, new in
        if let new, old?["n"] == 1 { try migration.delete(new) }
      }
      try migration.enumerateObjects(ofType: "A") { _, new in
        let count = try new?.list("all").count()
        #expect(count == (isLate ? 0 : 2))
      }
      if isLate { try rename() }
      try migration.enumerateObjects(ofType: "A") { _, new in
        let new = try #require(new)
        let list = try new.list("all")
        #expect(try list.count() == 2)
        #expect(try list.object(at: 0)?["n"] == 0)
        #expect(try list.object(at: 1)?["n"] == 2)
        #expect(try new.object("first") == nil)
      }
    }
    #expect(try store.findings() == [])
  }

  // The late rename failed, because the object without an owner counted as deleted.
  @Test func `a late rename reaches embedded objects without an owner`() throws {
    func schema(_ name: String) -> [ClassSchema] {
      [
        .embedded("Address", .required(name, .string)),
        ClassSchema("Person", .required("number", .int), .link("home", to: "Address")),
      ]
    }
    let store = try TestStore(schema("street")) { session in
      for number in 0..<3 as Range<Int64> {
        let home = try session.create("Address", ["street": .string("s\(number)")])
        try session.create("Person", ["number": .int(number), "home": .link(home)])
      }
    }
    try store.open(schema("road"), version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Address") { _, _ in }
      var homes: [(person: DynamicObject, home: DynamicObject?)] = []
      try migration.enumerateObjects(ofType: "Person") { _, new in
        guard let new, new["number"] != 0 else { return }
        homes.append((new, try new.object("home")))
        try new.set("home", to: PropertyValue.null)
      }
      try migration.renameProperty(onType: "Address", from: "street", to: "road")
      let (person, home) = try #require(homes.first)
      try person.set("home", to: home)
      let road = try home?.value("road")
      #expect(road == "s1")
    }
    #expect(try store.contents().values("Address", "road") == ["s0", "s1"])
    #expect(try store.findings() == [])
  }

  @Test func `each side knows its own names only`() throws {
    let store = try store()
    try store.open(Self.renamed, version: 2) { migration, _ in
      try migration.renameProperty(onType: "A", from: "a", to: "between")
      try migration.renameProperty(onType: "A", from: "between", to: "b")
      try migration.enumerateObjects(ofType: "A") { old, new in
        let (old, new) = (try #require(old), try #require(new))
        #expect(try old.value("a") == new.value("b"))
        for name in ["a", "between"] {
          #expect(storeError { _ = try new.value(name) }?.code == .unknownProperty)
        }
        for name in ["b", "between"] {
          #expect(storeError { _ = try old.value(name) }?.code == .unknownProperty)
        }
      }
    }
  }

  @Test func `two properties exchange their values in the block, not by renames`() throws {
    let store = try store()
    let classes = [ClassSchema("A", .required("a", .int), .required("o", .int, default: -1))]
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.renameProperty(onType: "A", from: "a", to: "between")
      }
    }
    #expect(error?.code == .invalidRename)
    #expect(error?.recovery.contains("to swap two properties, set both") == true)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        guard let old, let new else { return }
        new["o"] = old["a"]
        new["a"] = old["o"] == .null ? 0 : old["o"]
      }
    }
    #expect(try store.contents().values("A", "o") == [0, 1, 2, 3, 4])
    #expect(try store.contents().values("A", "a") == [0, 10, 0, 30, 40])
  }

  @Test func `two classes exchange their names over a version between`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int)), ClassSchema("B")]) {
      try $0.create("A", ["a": 1])
    }
    let swapped = [ClassSchema("B", .required("a", .int)), ClassSchema("A")]
    let error = storeError {
      try store.open(swapped, version: 2) { migration, _ in
        try migration.renameClass(from: "A", to: "Between")
      }
    }
    #expect(error?.code == .invalidRename)
    #expect(error?.recovery.contains("to swap two classes, declare a version") == true)
    let between = [ClassSchema("X", .required("a", .int)), ClassSchema("Y")]
    try store.open(between, version: 2) { migration, _ in
      try migration.renameClass(from: "A", to: "X")
      try migration.renameClass(from: "B", to: "Y")
    }
    try store.open(swapped, version: 3) { migration, _ in
      try migration.renameClass(from: "X", to: "B")
      try migration.renameClass(from: "Y", to: "A")
    }
    #expect(try store.contents().values("B", "a") == [1])
    #expect(try store.contents().list("A") == [])
    #expect(try store.findings() == [])
  }
}
