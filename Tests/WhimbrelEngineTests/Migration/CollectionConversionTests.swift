import Foundation
import Testing
import WhimbrelEngine

/// Properties that become collections, other collections, or no collections.
struct CollectionConversionTests {
  private static func box(_ property: PropertySchema) -> ClassSchema {
    ClassSchema("Box", .key("key", .string), property)
  }

  private static func property(_ type: String) throws -> PropertySchema {
    let isOptional = type.hasSuffix("?")
    let spelling = isOptional ? String(type.dropLast()) : type
    return PropertySchema(
      name: "a", type: try #require(PropertyType(spelling)), isOptional: isOptional)
  }

  private static let zone = ClassSchema("Zone", .required("number", .int))
  private static let root = ClassSchema("Root", .link("box", to: "Box"))

  private static func zones(_ numbers: UInt64...) -> PropertyValue {
    .list(numbers.map { .link(ObjectID(rawValue: $0)) })
  }

  private static func zone(_ number: UInt64) -> PropertyValue { .link(ObjectID(rawValue: number)) }

  /// Boxes with these values, roots that lead to them, and three zones.
  private func store(_ type: String, _ values: [PropertyValue]) throws -> TestStore {
    try TestStore([Self.box(Self.property(type)), Self.zone, Self.root]) { session in
      for number in 1...3 { try session.create("Zone", ["number": .int(Int64(number))]) }
      for (number, value) in values.enumerated() {
        let box = try session.create("Box", ["key": "k\(number)", "a": value])
        try session.create("Root", ["box": .link(box)])
      }
    }
  }

  private func classes(_ type: String) throws -> [ClassSchema] {
    [Self.box(try Self.property(type)), Self.zone, Self.root]
  }

  static let conversions: [(String, String, [PropertyValue], [PropertyValue])] = [
    ("int", "[int]", [1, 2], [[1], [2]]), ("int?", "[int]", [1, nil], [[1], []]),
    ("int?", "[int?]", [1, nil], [[1], []]), ("int", "{string}", [1, 2], [["1"], ["2"]]),
    ("any", "[any]", [1, nil, [2]], [[1], [], [[2]]]),
    ("<Zone>", "[<Zone>]", [zone(1), nil, zone(1)], [zones(1), [], zones(1)]),
    ("<Zone>", "{<Zone>}", [zone(1), nil, zone(1)], [zones(1), [], zones(1)]),
    ("[int]", "{int}", [[3, 1, 2], []], [[1, 2, 3], []]),
    ("{int}", "[int]", [[3, 1, 2], []], [[1, 2, 3], []]),
    ("[<Zone>]", "{<Zone>}", [zones(3, 1), []], [zones(1, 3), []]),
    ("{<Zone>}", "[<Zone>]", [zones(3, 1), []], [zones(1, 3), []]),
    ("[int8]", "[int]", [[1, -128], []], [[1, -128], []]),
    ("[int]", "[string]", [[1, 1], []], [["1", "1"], []]),
    ("[int?]", "[any]", [[1, nil], []], [[1, nil], []]),
    ("{int}", "{string}", [[2, 10], []], [["10", "2"], []]),
    ("[string: int]", "[string: double]", [["a": 1], [:]], [["a": 1.0], [:]]),
    ("[int]", "[int?]", [[1], []], [[1], []]), ("[int?]", "[int]", [[1, 1], []], [[1, 1], []]),
    ("{int?}", "{int}", [[1], []], [[1], []]), ("{int}", "{int?}", [[1], []], [[1], []]),
    ("[string: int]", "[string: int?]", [["a": 1]], [["a": 1]]),
    ("[string: int?]", "[string: int]", [["a": 1]], [["a": 1]]),
    ("[int]", "int?", [[1], []], [1, nil]), ("{int}", "string?", [[1], []], ["1", nil]),
    ("[int]", "int", [[1], [2]], [1, 2]), ("[int?]", "int?", [[1], [nil]], [1, nil]),
    ("[<Zone>]", "<Zone>", [zones(2), [], zones(2)], [zone(2), nil, zone(2)]),
    ("{<Zone>}", "<Zone>", [zones(2), []], [zone(2), nil]),
    ("[int]", "any", [[1, 2], []], [[1, 2], []]),
    ("[string: int]", "any", [["a": 1]], [["a": 1]]),
  ]

  @Test(arguments: conversions)
  func `values are converted`(
    old: String, new: String, values: [PropertyValue], expected: [PropertyValue]
  ) throws {
    let store = try store(old, values)
    #expect(try store.plan(classes(new), version: 2).changes.map(\.kind) == [.rewrite])
    try store.open(classes(new), version: 2)
    #expect(try store.contents().values("Box", "a") == expected)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
    // What leads to a zone is found.
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 1)) }
    #expect(try store.findings() == [])
  }

  @Test(arguments: conversions)
  func `a block sees the converted values`(
    old: String, new: String, values: [PropertyValue], expected: [PropertyValue]
  ) throws {
    let store = try store(old, values)
    let (before, during) = (Notes<PropertyValue>(), Notes<PropertyValue>())
    try store.open(classes(new), version: 2) { migration, _ in
      // Those whose turn is still to come read as they will be.
      try migration.enumerateObjects(ofType: "Root") { _, root in
        if let box = try root?.object("box") { before.add(box["a"]) }
      }
      try migration.enumerateObjects(ofType: "Box") { _, new in
        if let new { during.add(new["a"]) }
      }
    }
    #expect(before.all == expected && during.all == expected)
    #expect(try store.contents().values("Box", "a") == expected)
    #expect(try store.findings() == [])
  }

  @Test(
    arguments: [
      ("[int]", "{int}", [1, 2, 1]), ("[double]", "{double}", [0.0, -0.0]),
      ("[<Zone>]", "{<Zone>}", zones(1, 1)), ("[int?]", "[int]", [1, nil]),
      ("{int?}", "{int}", [1, nil]), ("[string: int?]", "[string: int]", ["a": nil]),
      ("[int]", "int?", [1, 2]), ("{int}", "int?", [1, 2]), ("[<Zone>]", "<Zone>", zones(1, 2)),
      ("[<Zone>]", "<Zone>", zones(1, 1)), ("[int]", "[int8]", [1, 128]),
      ("{double}", "[decimal]", [.double(.infinity)]), ("[int]", "int8?", [1_000]),
      ("[string: int]", "[string: uint8]", ["a": -1]),
    ] as [(String, String, PropertyValue)])
  func `a value without a counterpart is named, and nothing changes`(
    old: String, new: String, value: PropertyValue
  ) throws {
    let store = try store(old, [Self.property(old).type.emptyValue ?? nil, value, value])
    let before = try store.contents()
    let error = storeError { try store.open(classes(new), version: 2) }
    #expect(error?.code == .conversionFailed)
    #expect(error?.context.className == "Box" && error?.context.propertyName == "a")
    let newType = try Self.property(new).type
    #expect(
      error?.message == """
        Could not migrate 'Box' from version 1 to 2: 'a' of object 2 (primary key 'k1') cannot be \
        converted from '\(old)' to '\(newType)' without loss.
        """)
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
    #expect(try store.findings() == [])
  }

  @Test func `an empty collection is nil, which code or a default replaces`() throws {
    let store = try store("[int]", [[1], []])
    let error = storeError { try store.open(classes("int"), version: 2) }
    #expect(error?.code == .migrationUnset && error?.context.objectID == ObjectID(rawValue: 2))
    try store.open(classes("int"), version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Box") { old, new in
        if old?["a"] == [] { new?["a"] = 7 }
      }
    }
    #expect(try store.contents().values("Box", "a") == [1, 7])
    let other = try self.store("[int]", [[1], []])
    try other.open([Self.box(.required("a", .int, default: 9)), Self.zone, Self.root], version: 2)
    #expect(try other.contents().values("Box", "a") == [1, 9])
    #expect(try other.findings() == [])
  }

  @Test func `nil becomes an empty list whatever the default`() throws {
    let store = try store("int?", [1, nil])
    let list = PropertySchema.required("a", .list(of: ElementType(.int)), default: [5])
    try store.open([Self.box(list), Self.zone, Self.root], version: 2)
    #expect(try store.contents().values("Box", "a") == [[1], []])
    #expect(try store.findings() == [])
  }

  @Test func `lists of links to another class need code, and empty ones stay`() throws {
    let city = ClassSchema("City", .required("number", .int))
    let store = try store("[<Zone>]", [[], Self.zones(1, 2)])
    let classes = try classes("[<City>]") + [city]
    #expect(try store.plan(classes, version: 2).changes.map(\.kind).contains(.needsCode))
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationUnset && error?.context.objectID == ObjectID(rawValue: 2))
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Box") { old, new in
        if old?["a"] != [] { new?["a"] = [] }
      }
    }
    #expect(try store.contents().values("Box", "a") == [[], []])
    #expect(try store.findings() == [])
  }

  @Test(
    arguments: [
      ("[int]", "[string]"), ("[int]", "{int}"), ("{int}", "[any]"), ("[int]", "[int?]"),
      ("[int]", "any"), ("{int}", "{decimal}"),
    ])
  func `thousands of elements are converted`(old: String, new: String) throws {
    let numbers = (0..<20_000).map(Int64.init)
    let store = try store(old, [.list(numbers.map { .int($0) })])
    try store.open(classes(new), version: 2)
    let values = numbers.map { number -> PropertyValue in
      switch new {
      case "[string]": .string("\(number)")
      case "{decimal}": .decimal(Decimal(number))
      default: .int(number)
      }
    }
    #expect(try store.contents().values("Box", "a") == [.list(values)])
    #expect(try store.findings() == [])
  }

  @Test(
    arguments: [
      ("[<Zone>]", "any"), ("[<Zone>]", "[any]"), ("{<Zone>}", "[any]"),
      ("[string: <Zone>]", "any"), ("[string: <Zone>]", "[string: any]"),
    ])
  func `links in values of any type lead to where they led`(old: String, new: String) throws {
    let isMap = old.hasPrefix("[string")
    let store = try store(
      old, [isMap ? ["x": Self.zone(2), "y": Self.zone(3)] : Self.zones(2, 3)])
    try store.open(classes(new), version: 2)
    let zoneClass = try #require(try store.contents().catalog["Zone"]).id
    let links = [2, 3].map { number -> PropertyValue in
      .object(ObjectReference(classID: zoneClass, id: ObjectID(rawValue: number)))
    }
    let expected: PropertyValue = isMap ? ["x": links[0], "y": links[1]] : .list(links)
    #expect(try store.contents().values("Box", "a") == [expected])
    #expect(try store.findings() == [])
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 3)) }
    let rest: PropertyValue = isMap ? ["x": links[0], "y": nil] : [links[0], nil]
    #expect(try store.contents().values("Box", "a") == [rest])
    #expect(try store.findings() == [])
  }

  @Test func `long texts are converted`() throws {
    let texts = [10, 600, 5_000, 100_000].map { count -> PropertyValue in
      .string(String(repeating: "x", count: count))
    }
    let store = try store("string?", texts)
    for (number, type) in ["[string]", "[any]", "any"].enumerated() {
      try store.open(classes(type), version: SchemaVersion(UInt64(number + 2)))
      #expect(try store.contents().values("Box", "a") == texts.map { .list([$0]) })
      #expect(try store.findings() == [])
    }
    let other = try self.store("[string]", [.list(texts), []])
    try other.open(classes("{string}"), version: 2)
    #expect(try other.contents().values("Box", "a") == [.list(texts), []])
    #expect(try other.findings() == [])
  }

  @Test func `embedded children keep their one owner`() throws {
    let part = ClassSchema.embedded("Part", .required("number", .int))
    let link = Self.box(.link("a", to: "Part"))
    let list = Self.box(.list("a", .link(to: "Part")))
    let store = try TestStore([link, part]) { session in
      for number in 0..<3 {
        let child = try session.create("Part", ["number": .int(Int64(number))])
        try session.create("Box", ["key": "k\(number)", "a": number == 1 ? nil : .link(child)])
        if number == 1 { try session.table("Part").remove(child) }
      }
    }
    try store.open([list, part], version: 2)
    #expect(
      try store.contents().values("Box", "a")
        == [[.link(ObjectID(rawValue: 1))], [], [.link(ObjectID(rawValue: 3))]])
    #expect(try store.contents().values("Part", "number") == [0, 2])
    #expect(try store.findings() == [])
    try store.open([link, part], version: 3)
    #expect(try store.contents().values("Part", "number") == [0, 2])
    #expect(try store.findings() == [])
    try store.write { try $0.table("Box").remove(ObjectID(rawValue: 1)) }
    #expect(try store.contents().values("Part", "number") == [2])
    #expect(try store.findings() == [])
  }
}
