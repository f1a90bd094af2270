import Foundation
import Testing
import WhimbrelEngine

/// What indexes a class may declare, and how they are written down.
struct IndexSchemaTests {
  private static let properties: [PropertySchema] = [
    .key("key"), .required("name", .string), .optional("level", .int), .required("data", .data),
    .list("names", .string), .required("any", .any), .link("next", to: "A"),
  ]

  @Test func `all that is allowed is valid`() throws {
    let indexes = [
      IndexSchema(["name", "level"]), IndexSchema(["level", "name"]),
      IndexSchema(["name"], .unique),
      IndexSchema(["name"], .fullText), IndexSchema(["next", "key"]),
      IndexSchema(["next"], .unique),
    ]
    try StoreSchema(classes: [ClassSchema(name: "A", properties: Self.properties, indexes: indexes)]
    )
    .validate()
  }

  private static let faults: [(IndexSchema, String)] = [
    (IndexSchema([], .unique), "The unique index of class 'A' does not name a property."),
    (IndexSchema([]), "The index of class 'A' does not name a property."),
    (
      IndexSchema(["nam", "key"]),
      "The index of 'nam' and 'key' of class 'A' names 'nam', which is not a property. "
        + "Did you mean 'name'?"
    ),
    (
      IndexSchema(["xyzzy"], .unique),
      "The unique index of 'xyzzy' of class 'A' names 'xyzzy', which is not a property."
    ),
    (
      IndexSchema(["name", "name"]),
      "The index of 'name' and 'name' of class 'A' names 'name' twice."
    ),
    (
      IndexSchema(["name"]),
      "The index of 'name' of class 'A' has only one property: mark the property '@Indexed' "
        + "instead."
    ),
    (
      IndexSchema(["name", "data"]),
      "The index of 'name' and 'data' of class 'A' cannot hold 'data' of type 'data'."
    ),
    (
      IndexSchema(["any"], .unique),
      "The unique index of 'any' of class 'A' cannot hold 'any' of type 'any'."
    ),
    (
      IndexSchema(["names"], .unique),
      "The unique index of 'names' of class 'A' cannot hold 'names' of type '[string]'."
    ),
    (
      IndexSchema(["level"], .fullText),
      "The full-text index of 'level' of class 'A' cannot hold 'level' of type 'int': only text "
        + "has words."
    ),
    (
      IndexSchema(["name", "name2"], .fullText),
      "The full-text index of 'name' and 'name2' of class 'A' names 'name2', which is not "
        + "a property. Did you mean 'name'?"
    ),
    (
      IndexSchema(["key"], .unique),
      "The unique index of 'key' of class 'A' is not needed: the primary key is always unique."
    ),
  ]

  @Test(arguments: faults)
  func `what is not allowed is said`(index: IndexSchema, problem: String) {
    let schema = StoreSchema(classes: [
      ClassSchema(name: "A", properties: Self.properties, indexes: [index])
    ])
    #expect(schema.problems.first == problem)
    #expect(storeError { try schema.validate() }?.code == .invalidSchema)
  }

  @Test func `too many properties, and an index twice, are said`() {
    let many = (0..<9).map { PropertySchema.required("p\($0)", .int) }
    let schema = StoreSchema(classes: [
      ClassSchema(
        name: "A", properties: many,
        indexes: [
          IndexSchema(many.map(\.name)), IndexSchema(["p0", "p1"]), IndexSchema(["p0", "p1"]),
        ])
    ])
    #expect(schema.problems.count == 2)
    #expect(schema.problems.contains("The index of 'p0' and 'p1' of class 'A' is declared twice."))
    #expect(
      schema.problems.contains { $0.hasSuffix("has 9 properties and at most 8 are allowed.") })
    let texts = StoreSchema(classes: [
      ClassSchema(
        name: "A", properties: [.required("a", .string), .required("b", .string)],
        indexes: [IndexSchema(["a", "b"], .fullText)])
    ])
    #expect(
      texts.problems == [
        "The full-text index of 'a' and 'b' of class 'A' has several properties: declare one for "
          + "each of them instead."
      ])
  }

  @Test func `a class without such indexes is coded as before, and one with them comes back`()
    throws
  {
    let plain = ClassSchema(name: "A", properties: [.key("key")])
    #expect(
      try encoded(plain)
        == #"{"name":"A","properties":[{"name":"key","primaryKey":true,"type":"int"}]}"#)
    let indexes = [IndexSchema(["key", "name"], .unique), IndexSchema(["key", "name"])]
    let indexed = ClassSchema(
      name: "A", properties: [.key("key"), .required("name", .string)], indexes: indexes)
    let json = try encoded(indexed)
    #expect(
      json.contains(
        #""indexes":[{"properties":["key","name"]},{"kind":"unique","properties":["key","name"]}]"#)
    )
    #expect(try JSONDecoder().decode(ClassSchema.self, from: Data(json.utf8)) == indexed)
    let reversed = ClassSchema(
      name: "A", properties: indexed.properties, indexes: indexes.reversed())
    #expect(indexed == reversed)
    #expect(
      StoreSchema(classes: [indexed]).fingerprint == StoreSchema(classes: [reversed]).fingerprint)
    #expect(
      StoreSchema(classes: [indexed]).fingerprint
        != StoreSchema(classes: [ClassSchema(name: "A", properties: indexed.properties)])
        .fingerprint)
  }
}
