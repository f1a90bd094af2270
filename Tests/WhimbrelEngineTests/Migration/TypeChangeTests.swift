import Foundation
import Testing
import WhimbrelEngine

/// Properties that get another type, in stores.
struct TypeChangeTests {
  private func store(
    _ property: PropertySchema, _ values: [PropertyValue], and others: ClassSchema...
  ) throws -> TestStore {
    try TestStore([Self.box(property)] + others) { session in
      for other in others where !other.isEmbedded {
        try session.create(other.name, ["number": 1])
      }
      for (number, value) in values.enumerated() {
        try session.create("Box", ["key": "k\(number)", property.name: value])
      }
    }
  }

  private static func box(_ property: PropertySchema) -> ClassSchema {
    ClassSchema("Box", .key("key", .string), property)
  }

  private static func decimal(_ text: String) -> PropertyValue {
    .decimal(Decimal(exactText: text) ?? .nan)
  }

  private static let uuid = PropertyValue.uuid(UUID())
  private static let long = PropertyValue.string(String(repeating: "x", count: 5_000))

  @Test(
    arguments: [
      (.int8, .decimal, [-128, 127, nil], [decimal("-128"), decimal("127"), nil]),
      (.uint32, .decimal, [4_294_967_295], [decimal("4294967295")]),
      (.int, .decimal, [.int(.max), nil], [decimal("9223372036854775807"), nil]),
      (
        .double, .decimal, [0.1, 1e20, -0.0, 1e100, 1.25e-120, nil],
        [
          decimal("0.1"), decimal("100000000000000000000"), decimal("0"), decimal("1e100"),
          decimal("1.25e-120"), nil,
        ]
      ),
      (.float, .decimal, [.float(0.1), nil], [decimal("0.1"), nil]),
      (.decimal, .string, [decimal("-1.50"), decimal("1000"), nil], ["-1.5", "1000", nil]),
      (
        .objectId, .string, [.objectId(ObjectId(high: 2, low: 10)), nil],
        ["00000000000000020000000a", nil]
      ),
      (.bool, .any, [true, nil], [true, nil]), (.int8, .any, [-7, nil], [-7, nil]),
      (.float, .any, [.float(0.1), nil], [.float(0.1), nil]),
      (.double, .any, [0.1, nil], [0.1, nil]),
      (.string, .any, ["a", long, nil], ["a", long, nil]),
      (.data, .any, [.data(Data([1])), nil], [.data(Data([1])), nil]),
      (.date, .any, [.date(.distantPast), nil], [.date(.distantPast), nil]),
      (.uuid, .any, [uuid, nil], [uuid, nil]),
      (.decimal, .any, [decimal("1.5"), nil], [decimal("1.5"), nil]),
    ] as [(PropertyType, PropertyType, [PropertyValue], [PropertyValue])])
  func `values are converted`(
    old: PropertyType, new: PropertyType, values: [PropertyValue], expected: [PropertyValue]
  ) throws {
    let store = try store(.optional("a", old), values)
    // Values of any type are never declared optional.
    let classes = [Self.box(new == .any ? .required("a", new) : .optional("a", new))]
    #expect(try store.plan(classes, version: 2).changes.map(\.kind) == [.rewrite])
    try store.open(classes, version: 2)
    #expect(try store.contents().values("Box", "a") == expected)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `required values are converted, and their index is built anew`() throws {
    let store = try store(.indexed("a", .int), [2, 1, 1])
    try store.open([Self.box(.indexed("a", .decimal))], version: 2)
    #expect(try store.contents().values("Box", "a") == [2, 1, 1].map { .decimal($0) })
    #expect(try store.findings() == [])
    try store.open([Self.box(.indexed("a", .string))], version: 3)
    #expect(try store.contents().values("Box", "a") == ["2", "1", "1"])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [.double(1e200), .double(.nan), .double(.infinity)] as [PropertyValue])
  func `a number that is no decimal is named, and nothing changes`(value: PropertyValue) throws {
    let store = try store(.required("a", .double), [1.5, value])
    let before = try store.contents()
    let error = storeError { try store.open([Self.box(.required("a", .decimal))], version: 2) }
    #expect(
      error?.message == """
        Could not migrate 'Box' from version 1 to 2: 'a' of object 2 (primary key 'k1') cannot be \
        converted from 'double' to 'decimal' without loss.
        """)
    #expect(error?.code == .conversionFailed && error?.context.primaryKey == "k1")
    #expect(error?.context.className == "Box" && error?.context.propertyName == "a")
    #expect(try store.contents().version == before.version)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `links become values of any type, and stay links`() throws {
    let zone = ClassSchema("Zone", .required("number", .int))
    let link = PropertyValue.link(ObjectID(rawValue: 1))
    let store = try store(.link("a", to: "Zone"), [link, nil, link], and: zone)
    try store.open([Self.box(.required("a", .any)), zone], version: 2)
    let zoneClass = try #require(try store.contents().catalog["Zone"]).id
    let reference = PropertyValue.object(
      ObjectReference(classID: zoneClass, id: ObjectID(rawValue: 1)))
    #expect(try store.contents().values("Box", "a") == [reference, nil, reference])
    #expect(try store.findings() == [])
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 1)) }
    #expect(try store.contents().values("Box", "a") == [nil, nil, nil])
    #expect(try store.findings() == [])
  }

  @Test func `links convert in the migration that renames what they lead to`() throws {
    let (zone, area) = (
      ClassSchema("Zone", .required("number", .int)), ClassSchema("Area", .required("number", .int))
    )
    let link = PropertyValue.link(ObjectID(rawValue: 1))
    for (property, isAny) in [
      (PropertySchema.required("a", .any), true), (.list("a", .link(to: "Area")), false),
    ] {
      let store = try store(.link("a", to: "Zone"), [link], and: zone)
      let zoneClass = try #require(try store.contents().catalog["Zone"]).id
      try store.open([Self.box(property), area], version: 2) { migration, _ in
        try migration.renameClass(from: "Zone", to: "Area")
      }
      let reference = ObjectReference(classID: zoneClass, id: ObjectID(rawValue: 1))
      #expect(
        try store.contents().values("Box", "a") == [isAny ? .object(reference) : .list([link])])
      #expect(try store.findings() == [])
    }
  }

  @Test func `a link to an embedded object is no value of any type`() throws {
    let part = ClassSchema.embedded("Part", .required("number", .int))
    let store = try store(.link("a", to: "Part"), [], and: part)
    try store.write { session in
      try session.create(
        "Box", ["key": "k", "a": .link(session.create("Part", ["number": 2]))])
    }
    let before = try store.contents()
    let error = storeError {
      try store.open([Self.box(.required("a", .any)), part], version: 2)
    }
    #expect(error?.code == .conversionFailed && error?.context.propertyName == "a")
    #expect(try store.contents() == before)
  }

  @Test func `links to another class need code, and nil stays nil`() throws {
    let zone = ClassSchema("Zone", .required("number", .int))
    let city = ClassSchema("City", .required("number", .int))
    let link = PropertyValue.link(ObjectID(rawValue: 1))
    let store = try store(.link("a", to: "Zone"), [nil, link], and: zone, city)
    let classes = [Self.box(.link("a", to: "City")), zone, city]
    #expect(try store.plan(classes, version: 2).changes.map(\.kind) == [.needsCode])
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationUnset && error?.context.objectID == ObjectID(rawValue: 2))
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Box") { old, new in
        if old?["a"] != .null { new?["a"] = link }
      }
    }
    #expect(try store.contents().values("Box", "a") == [nil, link])
    #expect(try store.findings() == [])
  }

  @Test func `cases that are gone stay, and the plan says so`() throws {
    func property(_ cases: [String], _ type: PropertyType = .string) -> PropertySchema {
      PropertySchema(name: "a", type: type, cases: cases)
    }
    let store = try store(property(["north", "south", "west"]), ["north", "west"])
    let plan = try store.plan([Self.box(property(["north", "east"]))], version: 2)
    #expect(plan.changes.map(\.kind) == [.instant])
    #expect(
      plan.changes.first?.note == "Objects that have 'south', 'west' keep it until they are set.")
    let more = [Self.box(property(["north", "south", "west", "east"]))]
    #expect(try store.plan(more, version: 2).changes.map(\.note) == [nil])
    try store.open([Self.box(property(["north", "east"]))], version: 2)
    #expect(try store.contents().values("Box", "a") == ["north", "west"])
    // As an element it would be new, and is no case.
    let list = PropertySchema(
      name: "a", type: .list(of: ElementType(.string)), cases: ["north", "east"])
    let error = storeError { try store.open([Self.box(list)], version: 3) }
    #expect(error?.code == .conversionFailed && error?.context.objectID == ObjectID(rawValue: 2))
    #expect(try store.findings() == [])
  }
}
