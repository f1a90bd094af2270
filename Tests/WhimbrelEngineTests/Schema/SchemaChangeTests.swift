import Foundation
import Testing
import WhimbrelEngine

/// The sentence, the names and the JSON form of each change.
struct SchemaChangeTests {
  /// A change and what it should say.
  struct Expectation: Sendable {
    let change: SchemaChange
    let sentence: String
    let property: String?
    let isAllowed: Bool
    let json: String
  }

  @Test(arguments: expectations)
  func `a change has a sentence`(expected: Expectation) {
    #expect(expected.change.description == expected.sentence)
  }

  @Test(arguments: expectations)
  func `a change names its class and property`(expected: Expectation) {
    #expect(expected.change.className == "Zone")
    #expect(expected.change.propertyName == expected.property)
  }

  @Test(arguments: expectations)
  func `a change knows whether it needs a new version`(expected: Expectation) {
    #expect(expected.change.isAllowedWithoutVersionChange == expected.isAllowed)
  }

  @Test(arguments: expectations)
  func `a change is coded as a flat object`(expected: Expectation) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(expected.change)
    #expect(String(decoding: json, as: UTF8.self) == expected.json)
    #expect(try JSONDecoder().decode(SchemaChange.self, from: json) == expected.change)
  }

  @Test(arguments: [
    "{}", "[]", "1", #"{"kind":"other","class":"Zone"}"#, #"{"kind":"classAdded"}"#,
    #"{"kind":"propertyAdded","class":"Zone"}"#,
    #"{"kind":"propertyRetyped","class":"Zone","property":"a","from":"int","to":"integer"}"#,
  ])
  func `what is no change is an error`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SchemaChange.self, from: Data(json.utf8))
    }
  }
}

private let expectations: [SchemaChangeTests.Expectation] = [
  .init(
    change: .classAdded(class: "Zone"), sentence: "Class 'Zone' has been added.", property: nil,
    isAllowed: true, json: #"{"class":"Zone","kind":"classAdded"}"#),
  .init(
    change: .classRemoved(class: "Zone"), sentence: "Class 'Zone' has been removed.",
    property: nil, isAllowed: true, json: #"{"class":"Zone","kind":"classRemoved"}"#),
  .init(
    change: .propertyAdded(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been added.", property: "area", isAllowed: false,
    json: #"{"class":"Zone","kind":"propertyAdded","property":"area"}"#),
  .init(
    change: .propertyRemoved(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been removed.", property: "area", isAllowed: false,
    json: #"{"class":"Zone","kind":"propertyRemoved","property":"area"}"#),
  .init(
    change: .propertyRenamed(class: "Zone", from: "name", to: "identifier"),
    sentence: "Property 'Zone.name' has been renamed to 'identifier'.", property: "identifier",
    isAllowed: false,
    json: #"{"class":"Zone","from":"name","kind":"propertyRenamed","to":"identifier"}"#),
  .init(
    change: .propertyRetyped(
      class: "Zone", property: "area", from: .int, to: .link(to: "Area")),
    sentence: "Property 'Zone.area' has been changed from 'int' to '<Area>'.", property: "area",
    isAllowed: false,
    json: """
      {"class":"Zone","from":"int","kind":"propertyRetyped","property":"area","to":"<Area>"}
      """),
  .init(
    change: .madeOptional(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been made optional.", property: "area", isAllowed: false,
    json: #"{"class":"Zone","kind":"madeOptional","property":"area"}"#),
  .init(
    change: .madeRequired(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been made required.", property: "area", isAllowed: false,
    json: #"{"class":"Zone","kind":"madeRequired","property":"area"}"#),
  .init(
    change: .primaryKeyAdded(class: "Zone", property: "name"),
    sentence: "Primary Key for class 'Zone' has been added.", property: "name", isAllowed: false,
    json: #"{"class":"Zone","kind":"primaryKeyAdded","property":"name"}"#),
  .init(
    change: .primaryKeyRemoved(class: "Zone", property: "name"),
    sentence: "Primary Key for class 'Zone' has been removed.", property: "name",
    isAllowed: false, json: #"{"class":"Zone","kind":"primaryKeyRemoved","property":"name"}"#),
  .init(
    change: .primaryKeyChanged(class: "Zone", from: "name", to: "identifier"),
    sentence: "Primary Key for class 'Zone' has changed from 'name' to 'identifier'.",
    property: "identifier", isAllowed: false,
    json: #"{"class":"Zone","from":"name","kind":"primaryKeyChanged","to":"identifier"}"#),
  .init(
    change: .indexAdded(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been made indexed.", property: "area", isAllowed: true,
    json: #"{"class":"Zone","kind":"indexAdded","property":"area"}"#),
  .init(
    change: .indexRemoved(class: "Zone", property: "area"),
    sentence: "Property 'Zone.area' has been made unindexed.", property: "area", isAllowed: true,
    json: #"{"class":"Zone","kind":"indexRemoved","property":"area"}"#),
  .init(
    change: .classIndexAdded(
      class: "Zone", index: IndexSchema(["country", "area", "name"], .unique)),
    sentence: "A unique index of 'country', 'area' and 'name' of class 'Zone' has been added.",
    property: nil, isAllowed: true,
    json: """
      {"class":"Zone","index":{"kind":"unique","properties":["country","area","name"]},\
      "kind":"classIndexAdded"}
      """),
  .init(
    change: .classIndexRemoved(class: "Zone", index: IndexSchema(["name"])),
    sentence: "The index of 'name' of class 'Zone' has been removed.", property: "name",
    isAllowed: true,
    json: #"{"class":"Zone","index":{"properties":["name"]},"kind":"classIndexRemoved"}"#),
  .init(
    change: .defaultChanged(class: "Zone", property: "area"),
    sentence: "The default value of property 'Zone.area' has changed.", property: "area",
    isAllowed: true, json: #"{"class":"Zone","kind":"defaultChanged","property":"area"}"#),
  .init(
    change: .casesChanged(class: "Zone", property: "area"),
    sentence: "The cases of property 'Zone.area' have changed.", property: "area",
    isAllowed: true, json: #"{"class":"Zone","kind":"casesChanged","property":"area"}"#),
  .init(
    change: .reordered(class: "Zone"),
    sentence: "The properties of class 'Zone' have been reordered.", property: nil,
    isAllowed: true, json: #"{"class":"Zone","kind":"reordered"}"#),
]
