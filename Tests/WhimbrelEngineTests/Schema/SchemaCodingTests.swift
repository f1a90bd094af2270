import Foundation
import Testing
import WhimbrelEngine

/// The JSON form of schemas: it is part of the file format.
struct SchemaCodingTests {
  @Test(arguments: [
    (PropertySchema(name: "latitude", type: .double), #"{"name":"latitude","type":"double"}"#),
    (
      PropertySchema(name: "country", type: .link(to: "Country")),
      #"{"name":"country","type":"<Country>"}"#
    ),
    (
      PropertySchema(
        name: "area", type: .string, isOptional: true, isPrimaryKey: true, isIndexed: true,
        defaultValue: .value("asia"), cases: ["africa", "asia"], previousNames: ["region"]),
      """
      {"cases":["africa","asia"],"default":{"value":{"string":"asia"}},"indexed":true,\
      "name":"area","optional":true,"previousNames":["region"],"primaryKey":true,"type":"string"}
      """
    ),
  ])
  func `a property leaves out what is as usual`(property: PropertySchema, json: String) throws {
    #expect(try encoded(property) == json)
    #expect(try decoded(PropertySchema.self, json) == property)
  }

  @Test func `a schema comes back`() throws {
    let schema = StoreSchema(classes: [
      ClassSchema(
        name: "Zone",
        properties: [
          .init(name: "identifier", type: .uuid, isPrimaryKey: true, defaultValue: .generated),
          .init(name: "country", type: .link(to: "Country")),
        ]),
      ClassSchema(name: "Country", properties: []),
    ])
    #expect(try decoded(StoreSchema.self, try encoded(schema)) == schema)
  }

  @Test(arguments: PropertyType.scalars + [.link(to: "Zone")])
  func `a type comes back from its spelling`(type: PropertyType) throws {
    #expect(PropertyType(type.description) == type)
    #expect(try decoded(PropertyType.self, try encoded(type)) == type)
  }

  @Test(arguments: [
    "{}", #"{"name":"a"}"#, #"{"name":"a","type":"integer"}"#, #"{"name":"a","type":"<>"}"#,
    #"{"name":"a","type":"int","optional":1}"#, #"{"name":"a","type":"int","default":5}"#,
    #"{"name":"a","type":"int","cases":[1]}"#, #"{"name":1,"type":"int"}"#,
  ])
  func `what is no property is an error`(json: String) {
    #expect(throws: DecodingError.self) { try decoded(PropertySchema.self, json) }
  }
}
