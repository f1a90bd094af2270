import Testing
import WhimbrelEngine

/// Changes for which only the catalog changes.
struct InstantChangeTests {
  private static let person: [PropertySchema] = [
    .key("number"), .required("name", .string), .optional("note", .string),
    .required("age", .int16),
  ]

  private func people(_ count: Int64 = 200) throws -> TestStore {
    try TestStore([ClassSchema(name: "Person", properties: Self.person)]) { session in
      for number in 0..<count {
        try session.create(
          "Person",
          [
            "number": .int(number), "name": "P\(number)", "age": .int(number - 100),
            "note": number % 2 == 0 ? nil : "N\(number)",
          ])
      }
    }
  }

  /// One change of the people's class, and what becomes of a person.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let properties: [PropertySchema]
    let apply: @Sendable (inout StoreContents.Object) -> Void

    init(
      _ description: String, _ properties: [PropertySchema],
      _ apply: @escaping @Sendable (inout StoreContents.Object) -> Void
    ) {
      testDescription = description
      self.properties = properties
      self.apply = apply
    }
  }

  static let changes: [Change] = [
    Change("add with a default", person + [.required("size", .int, default: 7)]) {
      $0["size"] = 7
    },
    Change("add text with a default", person + [.required("nick", .string, default: "é\0")]) {
      $0["nick"] = "é\0"
    },
    Change("add optional", person + [.optional("size", .double)]) { $0["size"] = .null },
    Change("remove", Array(person.dropLast())) { $0["age"] = nil },
    Change("reorder", person.reversed()) { _ in },
    Change(
      "rename", [person[0], .required("title", .string, was: "old", "name"), person[2], person[3]]
    ) {
      $0["title"] = $0.removeValue(forKey: "name")
    },
    Change(
      "rename the key", [.key("identity", was: "number"), person[1], person[2], person[3]]
    ) {
      $0["identity"] = $0.removeValue(forKey: "number")
    },
    Change("make optional", [person[0], .optional("name", .string), person[2], person[3]]) { _ in },
    Change(
      "make required with a default",
      [person[0], person[1], .required("note", .string, default: "none"), person[3]]
    ) {
      if $0["note"] == .null { $0["note"] = "none" }
    },
    Change("widen", [person[0], person[1], person[2], .required("age", .int)]) { _ in },
    Change("widen to double", [person[0], person[1], person[2], .required("age", .double)]) {
      guard case .int(let age) = $0["age"] else { return }
      $0["age"] = .double(Double(age))
    },
    Change(
      "change a default", [person[0], person[1], person[2], .required("age", .int16, default: 9)]
    ) { _ in },
  ]

  @Test(arguments: changes)
  func `a change writes no record and shows in every object`(_ change: Change) throws {
    let store = try people()
    let before = try store.contents()
    let size = try store.size()
    let classes = [ClassSchema(name: "Person", properties: change.properties)]
    let kinds = Set(try store.plan(classes, version: 2).changes.map(\.kind))
    #expect(kinds.isSubset(of: [.instant, .destructive]))
    try store.open(classes, version: 2)
    let after = try store.contents()
    #expect(after.version == 2)
    #expect(after.generation("Person") == before.generation("Person"))
    #expect(
      after.objects["Person"]
        == before.objects["Person"]?.mapValues { person in
          var person = person
          change.apply(&person)
          return person
        })
    #expect(try store.size() <= size + 32_768)
    #expect(try store.findings().isEmpty)
    // Objects of both layouts, side by side.
    let session = try store.session()
    try session.write {
      let table = try session.table("Person")
      let first = try #require(try table.objectIDs().first)
      let value = try #require(after.objects["Person"]?[first.rawValue])
      try table.remove(first)
      _ = try table.create(value, replacing: false)
    }
    #expect(try store.findings().isEmpty)
    #expect(try store.contents().objects["Person"] == after.objects["Person"])
  }

  @Test func `old values never come back under a name that is added again`() throws {
    let store = try people(3)
    let without = [ClassSchema("Person", .key("number"), .required("name", .string))]
    try store.open(without, version: 2)
    let again = [
      ClassSchema(
        "Person", .key("number"), .required("name", .string), .optional("note", .string),
        .required("age", .int16, default: 1))
    ]
    try store.open(again, version: 3)
    let contents = try store.contents()
    #expect(contents.values("Person", "note") == [nil, nil, nil])
    #expect(contents.values("Person", "age") == [1, 1, 1])
    #expect(contents.generation("Person") == 1)
  }

  @Test func `a property keeps its values through renames over three versions`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int), .indexed("x", .string))]) {
      for number in 0..<5 { try $0.create("A", ["a": .int(Int64(number)), "x": "x"]) }
    }
    try store.open(
      [ClassSchema("A", .required("b", .int, was: "a"), .indexed("x", .string))], version: 2)
    try store.write { try $0.create("A", ["b": 5, "x": "y"]) }
    try store.open(
      [ClassSchema("A", .required("c", .int, was: "a", "b"), .indexed("x", .string))], version: 3)
    #expect(try store.contents().values("A", "c") == [0, 1, 2, 3, 4, 5])
    #expect(try store.contents().generation("A") == 1)
    #expect(try store.findings().isEmpty)
  }

  @Test func `a chain of renames in one block costs nothing`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int))]) {
      for number in 0..<5 { try $0.create("A", ["a": .int(Int64(number))]) }
    }
    try store.open([ClassSchema("A", .required("c", .int))], version: 3) { migration, version in
      if version < 2 { try migration.renameProperty(onType: "A", from: "a", to: "b") }
      if version < 3 { try migration.renameProperty(onType: "A", from: "b", to: "c") }
    }
    #expect(try store.contents().values("A", "c") == [0, 1, 2, 3, 4])
    #expect(try store.contents().generation("A") == 1)
  }

  @Test func `nil that may not be is refused with the count and the first objects`() throws {
    let store = try people(20)
    let before = try store.contents()
    let error = storeError {
      try store.open(
        [
          ClassSchema(
            "Person", .key("number"), .required("name", .string), .required("note", .string),
            .required("age", .int16))
        ], version: 2)
    }
    #expect(error?.code == .migrationNil)
    #expect(error?.context.count == 10)
    #expect(error?.context.objectIDs.map(\.clusteredNumber) == [0, 2, 4, 6, 8])
    #expect(error?.context.propertyName == "note")
    #expect(try store.contents() == before)
  }

  @Test func `what a nil has become stays when the property is made optional again`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int))]) {
      try $0.create("A", ["a": nil])
      try $0.create("A", ["a": 1])
    }
    try store.open([ClassSchema("A", .required("a", .int, default: 9))], version: 2)
    #expect(try store.contents().values("A", "a") == [9, 1])
    try store.open([ClassSchema("A", .optional("a", .int))], version: 3)
    #expect(try store.contents().values("A", "a") == [9, 1])
    try store.write { try $0.create("A", ["a": nil]) }
    #expect(try store.contents().values("A", "a") == [9, 1, nil])
    try store.open([ClassSchema("A", .required("a", .int, default: 5))], version: 4)
    #expect(try store.contents().values("A", "a") == [9, 1, 5])
  }

  // What stood for nil stayed of the old type, and readers of the new one met it.
  @Test func `what a nil has become is widened with its property`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int8))]) {
      try $0.create("A", ["a": nil])
      try $0.create("A", ["a": 1])
    }
    try store.open([ClassSchema("A", .required("a", .int8, default: 9))], version: 2)
    try store.open([ClassSchema("A", .required("a", .double, default: 2.0))], version: 3)
    #expect(try store.contents().values("A", "a") == [.double(9), .double(1)])
  }

  // A nil that was widened became the default of its property.
  @Test func `nil stays nil when its property is widened, whatever its default`() throws {
    let property = { (type: PropertyType, value: PropertyValue) in
      PropertySchema(name: "a", type: type, isOptional: true, defaultValue: .value(value))
    }
    let store = try TestStore([ClassSchema("A", property(.int8, 5))]) {
      try $0.create("A", ["a": nil])
    }
    try store.open([ClassSchema("A", property(.double, 5.0))], version: 2)
    #expect(try store.contents().values("A", "a") == [nil])
  }

  // The index kept its entries of nil, where objects have the default since.
  @Test func `what a nil has become is found by the index`() throws {
    let indexed = PropertySchema(name: "a", type: .int, isOptional: true, isIndexed: true)
    let store = try TestStore([ClassSchema("A", indexed)]) {
      try $0.create("A", ["a": nil])
      try $0.create("A", ["a": 1])
    }
    try store.open([ClassSchema("A", .indexed("a", .int, default: 9))], version: 2)
    #expect(try store.contents().values("A", "a") == [9, 1])
    #expect(try store.findings() == [])
  }

  @Test func `objects keep the default of the time when the property came`() throws {
    let store = try TestStore([ClassSchema("A", .required("a", .int))]) {
      try $0.create("A", ["a": 0])
    }
    let a = PropertySchema.required("a", .int)
    try store.open([ClassSchema("A", a, .required("b", .int, default: 1))], version: 2)
    try store.open([ClassSchema("A", a, .required("b", .int, default: 2))], version: 3)
    try store.write { try $0.create("A", ["a": 1]) }
    try store.open([ClassSchema("A", a, .optional("b", .int))], version: 4)
    #expect(try store.contents().values("A", "b") == [1, 2])
    try store.open([ClassSchema("A", a, .required("b", .double, default: 3.0))], version: 5)
    #expect(try store.contents().values("A", "b") == [.double(1), .double(2)])
  }
}

extension ObjectID {
  /// The primary key of an object in a clustered class.
  var clusteredNumber: Int64 { Int64(bitPattern: rawValue ^ (1 << 63)) }
}
