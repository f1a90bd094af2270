import Foundation
import Testing
import WhimbrelEngine

/// Conversions that rewrite a class, and properties that only code can set.
struct NeedsCodeTests {
  private func store(_ type: PropertyType, _ values: [PropertyValue]) throws -> TestStore {
    try TestStore([ClassSchema("A", .key("key", .string), .optional("a", type))]) { session in
      for (number, value) in values.enumerated() {
        try session.create("A", ["key": "k\(number)", "a": value])
      }
    }
  }

  private static func classes(_ property: PropertySchema) -> [ClassSchema] {
    [ClassSchema("A", .key("key", .string), property)]
  }

  static let conversions: [(PropertyType, PropertyType, [PropertyValue], [PropertyValue])] = [
    (.int, .string, [.int(.min), 7, nil], ["-9223372036854775808", "7", nil]),
    (.double, .string, [0.1, -0.0, nil], ["0.1", "-0.0", nil]),
    (.bool, .string, [true, false, nil], ["true", "false", nil]),
    (.int, .int8, [-128, 127, nil], [-128, 127, nil]),
    (.int, .uint32, [0, 4_294_967_295, nil], [0, 4_294_967_295, nil]),
    (.int, .double, [.int(1 << 53), -1, nil], [.double(9_007_199_254_740_992), -1.0, nil]),
    (.int32, .float, [.int(1 << 24), nil], [.float(16_777_216), nil]),
  ]

  @Test(arguments: conversions)
  func `values that fit are converted, nil stays nil`(
    old: PropertyType, new: PropertyType, values: [PropertyValue], expected: [PropertyValue]
  ) throws {
    let store = try store(old, values)
    #expect(
      try store.plan(Self.classes(.optional("a", new)), version: 2).changes.map(\.kind)
        == [.rewrite])
    try store.open(Self.classes(.optional("a", new)), version: 2)
    #expect(try store.contents().values("A", "a") == expected)
    #expect(try store.contents().generation("A") == 2)
    #expect(try store.findings() == [])
  }

  @Test(
    arguments: [
      (.int, .int8, 128), (.int, .uint8, -1), (.int, .double, .int((1 << 53) + 1)),
      (.int32, .float, .int((1 << 24) + 1)),
    ] as [(PropertyType, PropertyType, PropertyValue)])
  func `a value that does not fit is named, and nothing changes`(
    old: PropertyType, new: PropertyType, value: PropertyValue
  ) throws {
    let store = try store(old, [1, nil, value, value])
    let before = try store.contents()
    let touch: MigrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, _ in }
    }
    for block in [nil, touch] {
      let error = storeError {
        try store.open(Self.classes(.optional("a", new)), version: 2, block)
      }
      #expect(error?.code == .conversionFailed)
      #expect(error?.context.className == "A" && error?.context.propertyName == "a")
      #expect(error?.context.objectID == ObjectID(rawValue: 3))
      #expect(error?.context.primaryKey == "k2")
      #expect(try store.contents() == before)
      #expect(try store.tableNames() == before.tableNames)
    }
  }

  @Test func `a property without a source must be set for every object`() throws {
    let store = try store(.int, [1, 2, 3])
    let before = try store.contents()
    let classes = [
      ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .string))
    ]
    let plan = try store.plan(classes, version: 2)
    #expect(plan.changes.map(\.kind) == [.needsCode])
    let untouched = storeError { try store.open(classes, version: 2) }
    #expect(untouched?.code == .migrationUnset && untouched?.context.propertyName == "b")
    let error = storeError {
      try store.open(classes, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "A") { old, new in
          if try #require(old)["a"] != 2 { new?["b"] = "set" }
        }
      }
    }
    #expect(error?.code == .migrationUnset)
    #expect(error?.context.className == "A" && error?.context.propertyName == "b")
    #expect(error?.context.objectID == ObjectID(rawValue: 2))
    #expect(error?.context.primaryKey == "k1")
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in new?["b"] = "set" }
    }
    #expect(try store.contents().values("A", "b") == ["set", "set", "set"])
    #expect(try store.findings() == [])
  }

  @Test func `a created object that lacks a value may get it later, or is named`() throws {
    let store = try store(.int, [1])
    let classes = [
      ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .string))
    ]
    let block: @Sendable (_ isSet: Bool) -> MigrationBlock = { isSet in
      { migration, _ in
        try migration.enumerateObjects(ofType: "A") { _, new in new?["b"] = "set" }
        let made = try migration.create("A", ["key": "made"])
        #expect(made["b"] == .null)
        if isSet { made["b"] = "late" }
      }
    }
    let error = storeError { try store.open(classes, version: 2, block(false)) }
    #expect(error?.code == .migrationUnset)
    #expect(error?.context.objectID == ObjectID(rawValue: 2))
    #expect(error?.context.primaryKey == "made")
    try store.open(classes, version: 2, block(true))
    #expect(try store.contents().values("A", "b") == ["set", "late"])
  }

  @Test func `an unset object that is deleted is not missed`() throws {
    let store = try store(.int, [1, 2, 3])
    let classes = [
      ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .string))
    ]
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, _ in }
      try migration.enumerateObjects(ofType: "A") { old, new in
        let new = try #require(new)
        if old?["a"] == 2 { try migration.delete(new) } else { new["b"] = "b" }
      }
    }
    #expect(try store.contents().values("A", "a") == [1, 3])
    #expect(try store.findings() == [])
  }

  @Test func `a retyped optional stays nil where it was, and must be set elsewhere`() throws {
    let store = try store(.string, ["1", nil, "3"])
    let before = try store.contents()
    let classes = Self.classes(.optional("a", .int))
    let error = storeError { try store.open(classes, version: 2) }
    #expect(error?.code == .migrationUnset && error?.context.objectID == ObjectID(rawValue: 1))
    #expect(try store.contents() == before)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if let text = try #require(old)["a", as: String?.self] { try new?.set("a", to: Int(text)) }
      }
    }
    #expect(try store.contents().values("A", "a") == [1, nil, 3])
  }

  @Test func `nil that may not be can be replaced by the block`() throws {
    let store = try store(.int, [1, nil, 3])
    let classes = Self.classes(.required("a", .string))
    for isEager in [false, true] {
      let error = storeError {
        try store.open(classes, version: 2) { migration, _ in
          if isEager { try migration.enumerateObjects(ofType: "A") { _, _ in } }
        }
      }
      #expect(error?.code == .migrationUnset && error?.context.objectID == ObjectID(rawValue: 2))
    }
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if old?["a"] == .null { new?["a"] = "none" }
      }
    }
    #expect(try store.contents().values("A", "a") == ["1", "none", "3"])
  }

  @Test func `each object gets a generated default of its own`() throws {
    let store = try store(.int, [1, 2, 3])
    let property = PropertySchema(name: "uuid", type: .uuid, defaultValue: .generated)
    let schema = StoreSchema(classes: [
      ClassSchema("A", .key("key", .string), .optional("a", .int), property)
    ])
    var request = OpenRequest(path: store.path)
    request.declaration = Declaration(schema, generators: ["A": ["uuid": { .uuid(UUID()) }]])
    request.schemaVersion = 2
    _ = try StoreFile.open(request)
    #expect(Set(try store.contents().values("A", "uuid")).count == 3)
    #expect(try store.findings() == [])
  }
}
