import Foundation
import Testing
import WhimbrelEngine

/// The rules of schemas, and the sentences for those that break them.
struct SchemaValidationTests {
  @Test func `a schema with everything allowed is valid`() throws {
    let zone = ClassSchema(
      name: "Zone",
      properties: [
        .init(name: "identifier", type: .string, isPrimaryKey: true, previousNames: ["name"]),
        .init(name: "höhe_2", type: .float, isIndexed: true, defaultValue: .value(.float(0.5))),
        .init(name: "e\u{301}tat", type: .int8, defaultValue: .value(-128), cases: ["-128", "0"]),
        .init(name: "area", type: .string, isIndexed: true, cases: ["africa"]),
        .init(name: "token", type: .uuid, defaultValue: .generated),
        .init(name: "note", type: .string, isOptional: true, defaultValue: .value(.null)),
        .init(name: "since", type: .date, defaultValue: .value(.date(.distantPast))),
        .init(name: "picture", type: .data, defaultValue: .value(.data(Data()))),
        .init(name: "country", type: .link(to: "Country"), isIndexed: true),
        .init(name: String(repeating: "p", count: 63), type: .bool),
      ])
    let country = ClassSchema(name: "Country", properties: [])
    let long = ClassSchema(name: String(repeating: "C", count: 57), properties: [])
    try StoreSchema(classes: [zone, country, long]).validate()
    try StoreSchema(classes: []).validate()
  }

  @Test(arguments: [
    ([PropertySchema(name: "", type: .int)], ["The name of a property in class 'Zone' is empty."]),
    (
      [.init(name: String(repeating: "é", count: 32), type: .int)],
      [
        """
        The name of property '\(String(repeating: "é", count: 32))' in class 'Zone' takes 64 bytes \
        and at most 63 are allowed.
        """
      ]
    ),
    (
      [.init(name: "a\u{7}b", type: .int)],
      ["The name of property 'a\\u{07}b' in class 'Zone' has a control character."]
    ),
    (
      [.init(name: "a\u{2028}", type: .int)],
      ["The name of property 'a\\u{2028}' in class 'Zone' has a control character."]
    ),
    (
      [.init(name: "_$x", type: .int)],
      ["The name of property '_$x' in class 'Zone' starts with '_$', which is reserved."]
    ),
    (
      [.init(name: "a", type: .int), .init(name: "a", type: .string)],
      ["Property 'Zone.a' appears more than once."]
    ),
    (
      [.init(name: "a", type: .link(to: "Country"))],
      ["Property 'Zone.a' links to class 'Country', which is not in the schema."]
    ),
    (
      [.init(name: "a", type: .double, isPrimaryKey: true)],
      ["Property 'Zone.a' of type 'double' cannot be the primary key."]
    ),
    (
      [.init(name: "a", type: .int, isOptional: true, isPrimaryKey: true)],
      ["Property 'Zone.a' is the primary key and cannot be optional."]
    ),
    (
      [
        .init(name: "a", type: .int, isPrimaryKey: true),
        .init(name: "b", type: .uuid, isPrimaryKey: true),
      ],
      ["Class 'Zone' has several primary keys: 'a', 'b'."]
    ),
    (
      [.init(name: "a", type: .data, isIndexed: true)],
      ["Property 'Zone.a' of type 'data' cannot be indexed."]
    ),
    (
      [.init(name: "a", type: .double, cases: ["1.5"])],
      ["Property 'Zone.a' of type 'double' cannot hold an enum."]
    ),
  ])
  func `a broken rule is a problem`(properties: [PropertySchema], problems: [String]) {
    #expect(self.problems(of: properties) == problems)
  }

  @Test(arguments: [
    (
      PropertyType.string, PropertyValue.int(1),
      "is of type 'int', but the property is of type 'string'"
    ),
    (.float, .double(1), "is of type 'double', but the property is of type 'float'"),
    (.int, .string("1"), "is of type 'string', but the property is of type 'int'"),
    (.bool, .int(1), "is of type 'int', but the property is of type 'bool'"),
    (.int8, .int(128), "does not fit into 'int8'"),
    (.uint32, .int(-1), "does not fit into 'uint32'"),
    (.string, .null, "is nil, but the property is required"),
  ])
  func `a default value has the type of its property`(
    type: PropertyType, value: PropertyValue, problem: String
  ) {
    let property = PropertySchema(name: "a", type: type, defaultValue: .value(value))
    #expect(problems(of: [property]) == ["The default value of property 'Zone.a' \(problem)."])
  }

  @Test func `a link has no default value and is optional`() {
    var link = PropertySchema(name: "a", type: .link(to: "Zone"), defaultValue: .value("x"))
    link.isOptional = false
    #expect(
      problems(of: [link]) == [
        "Property 'Zone.a' is a link and must be optional.",
        "Property 'Zone.a' is a link and cannot have a default value.",
      ])
  }

  @Test func `a previous name is given up, and once`() {
    let properties: [PropertySchema] = [
      .init(name: "a", type: .int, previousNames: ["b", "x"]),
      .init(name: "b", type: .int, previousNames: ["x"]),
    ]
    #expect(
      problems(of: properties) == [
        "The previous name 'b' of property 'Zone.a' is still the name of a property.",
        "The previous name 'x' of property 'Zone.b' is used more than once.",
      ])
  }

  @Test(arguments: [1_000, 1_001])
  func `a class has a thousand properties at most`(count: Int) {
    let properties = (0..<count).map { PropertySchema(name: "p\($0)", type: .int) }
    #expect(
      problems(of: properties)
        == (count > 1_000
          ? ["Class 'Zone' has 1001 properties and at most 1000 are allowed."] : []))
  }

  @Test(arguments: [
    ("", "The name of a class is empty."),
    ("a\nb", "The name of class 'a\\nb' has a control character."),
    ("_$a", "The name of class '_$a' starts with '_$', which is reserved."),
    (
      String(repeating: "C", count: 58),
      """
      The name of class '\(String(repeating: "C", count: 58))' takes 58 bytes and at most 57 are \
      allowed.
      """
    ),
  ])
  func `the name of a class has rules too`(name: String, problem: String) {
    let schema = StoreSchema(classes: [ClassSchema(name: name, properties: [])])
    #expect(problems(of: schema) == [problem])
  }

  @Test func `all problems of all classes are listed at once`() {
    let schema = StoreSchema(classes: [
      ClassSchema(name: "B", properties: [.init(name: "", type: .int)]),
      ClassSchema(name: "A", properties: [.init(name: "x", type: .data, isIndexed: true)]),
      ClassSchema(name: "A", properties: []),
    ])
    #expect(
      problems(of: schema) == [
        "Property 'A.x' of type 'data' cannot be indexed.",
        "Class 'A' appears more than once.",
        "The name of a property in class 'B' is empty.",
      ])
  }

  private func problems(of properties: [PropertySchema]) -> [String] {
    problems(of: StoreSchema(classes: [ClassSchema(name: "Zone", properties: properties)]))
  }

  private func problems(of schema: StoreSchema) -> [String] {
    do throws(StoreError) {
      try schema.validate()
      return []
    } catch {
      #expect(error.code == .invalidSchema)
      return error.context.problems
    }
  }
}
