import Foundation
import Testing
import WhimbrelEngine

/// The rules for collections, values of any type and embedded classes.
struct CollectionValidationTests {
  private static let embedded = ClassSchema(name: "Part", isEmbedded: true, properties: [])

  private func problems(_ classes: [ClassSchema]) -> [String] {
    do throws(StoreError) {
      try StoreSchema(classes: classes).validate()
      return []
    } catch {
      return error.context.problems
    }
  }

  private func problems(_ properties: PropertySchema...) -> [String] {
    problems([ClassSchema(name: "Zone", properties: properties), Self.embedded])
  }

  private static func element(_ type: PropertyType, _ isOptional: Bool = false) -> ElementType {
    ElementType(type, isOptional: isOptional)
  }

  @Test func `whatever is allowed is valid`() {
    let properties: [PropertySchema] = [
      .init(name: "key", type: .objectId, isPrimaryKey: true),
      .init(name: "price", type: .decimal, isIndexed: true, defaultValue: .value(.decimal(.nan))),
      .init(
        name: "id", type: .objectId, isIndexed: true,
        defaultValue: .value(.objectId(ObjectId(high: 1, low: 2)))),
      .init(name: "any", type: .any, defaultValue: .value([1, ["a": nil]])),
      .init(name: "list", type: .list(of: Self.element(.int8)), defaultValue: .value([1, -128])),
      .init(
        name: "set", type: .set(of: Self.element(.string, true)),
        defaultValue: .value([nil, "a"])),
      .init(name: "map", type: .map(of: Self.element(.any)), defaultValue: .value(["a": [nil]])),
      .init(name: "cases", type: .list(of: Self.element(.string)), cases: ["a"]),
      .init(
        name: "links", type: .list(of: Self.element(.link(to: "Part"))),
        defaultValue: .value([])),
      .init(name: "named", type: .map(of: Self.element(.link(to: "Part")))),
      .init(name: "zones", type: .set(of: Self.element(.link(to: "Zone")))),
      .init(name: "part", type: .link(to: "Part")),
    ]
    #expect(problems([ClassSchema(name: "Zone", properties: properties), Self.embedded]) == [])
  }

  @Test(arguments: [
    (
      PropertySchema(name: "a", type: .list(of: element(.int)), isPrimaryKey: true),
      "Property 'Zone.a' of type '[int]' cannot be the primary key."
    ),
    (
      .init(name: "a", type: .set(of: element(.string)), isIndexed: true),
      "Property 'Zone.a' of type '{string}' cannot be indexed."
    ),
    (
      .init(name: "a", type: .any, isIndexed: true),
      "Property 'Zone.a' of type 'any' cannot be indexed."
    ),
    (
      .init(name: "a", type: .map(of: element(.double)), cases: ["1"]),
      "Property 'Zone.a' of type '[string: double]' cannot hold an enum."
    ),
    (
      .init(name: "a", type: .list(of: element(.link(to: "Zone"), true))),
      "Property 'Zone.a' holds links, which cannot be nil."
    ),
    (
      .init(name: "a", type: .map(of: element(.link(to: "Other")))),
      "Property 'Zone.a' links to class 'Other', which is not in the schema."
    ),
    (
      .init(name: "a", type: .set(of: element(.link(to: "Part")))),
      """
      Property 'Zone.a' is a set of embedded objects, and no two of them are equal. Use a list.
      """
    ),
    (
      .init(
        name: "a", type: .list(of: element(.link(to: "Part"))),
        defaultValue: .value([.link(ObjectID(rawValue: 1))])),
      "Property 'Zone.a' holds links and cannot have a default value."
    ),
    (
      .init(name: "a", type: .list(of: element(.list(of: element(.int))))),
      "Property 'Zone.a' has collections inside a collection."
    ),
  ])
  func `a broken rule is a problem`(property: PropertySchema, problem: String) {
    #expect(problems(property) == [problem])
  }

  private static let wrongDefaults: [(PropertyType, PropertyValue, String)] = [
    (
      .list(of: element(.int8)), [1, 128],
      "has an element that does not fit into 'int8'"
    ),
    (
      .set(of: element(.string)), ["a", 1],
      "has an element of type 'int', but the property is of type '{string}'"
    ),
    (.map(of: element(.string)), ["a": nil], "has an element that is nil"),
    (
      .map(of: element(.string)), ["": "a"],
      "has a key that is empty or takes more than 16384 bytes"
    ),
    (.list(of: element(.int)), ["a": 1], "is of type 'map', but the property is of type '[int]'"),
    (.list(of: element(.int)), nil, "is nil, but the property is required"),
    (.any, .list([.link(ObjectID(rawValue: 1))]), "leads to an object"),
    (
      .any, (0..<101).reduce(.int(1)) { value, _ in .list([value]) },
      "has lists or maps nested more than 100 levels deep"
    ),
    (.decimal, 1, "is of type 'int', but the property is of type 'decimal'"),
    (.objectId, "x", "is of type 'string', but the property is of type 'objectId'"),
  ]

  @Test(arguments: wrongDefaults)
  func `a default value fits`(type: PropertyType, value: PropertyValue, problem: String) {
    let property = PropertySchema(name: "a", type: type, defaultValue: .value(value))
    #expect(problems(property) == ["The default value of property 'Zone.a' \(problem)."])
  }

  @Test func `an embedded class has no primary key`() {
    let part = ClassSchema(
      name: "Part", isEmbedded: true,
      properties: [.init(name: "id", type: .int, isPrimaryKey: true)])
    #expect(
      problems([part]) == ["Class 'Part' is embedded and cannot have a primary key: 'id'."])
  }

  @Test(arguments: [true, false])
  func `a class that becomes embedded, or no longer is, has changed`(isEmbedded: Bool) throws {
    func schema(_ isEmbedded: Bool) -> StoreSchema {
      StoreSchema(classes: [ClassSchema(name: "Part", isEmbedded: isEmbedded, properties: [])])
    }
    let changes = SchemaDifference(from: schema(!isEmbedded), to: schema(isEmbedded)).changes
    #expect(changes == [.embeddingChanged(class: "Part", isEmbedded: isEmbedded)])
    let change = try #require(changes.first)
    #expect(
      change.description == "Class 'Part' has been made \(isEmbedded ? "embedded" : "top-level").")
    #expect(!change.isAllowedWithoutVersionChange && change.propertyName == nil)
    #expect(change.className == "Part")
    let json = try JSONEncoder().encode(change)
    #expect(try JSONDecoder().decode(SchemaChange.self, from: json) == change)
    #expect(schema(true).fingerprint != schema(false).fingerprint)
    #expect(
      try JSONDecoder().decode(StoreSchema.self, from: JSONEncoder().encode(schema(isEmbedded)))
        == schema(isEmbedded))
  }
}
