import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Only a link to its class may lead to an embedded object. A value of any type that does was called
/// sound, and came through dumps.
struct EmbeddedReferenceTests {
  let folder: TestFolder
  let path: String

  private static let address = ClassSchema(
    name: "Address", isEmbedded: true, properties: [PropertySchema(name: "street", type: .string)])
  private static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "number", type: .int, isPrimaryKey: true),
      PropertySchema(name: "home", type: .link(to: "Address")),
      PropertySchema(name: "any", type: .any),
      PropertySchema(name: "list", type: .list(of: ElementType(.any))),
      PropertySchema(name: "bag", type: .set(of: ElementType(.any))),
      PropertySchema(name: "map", type: .map(of: ElementType(.any))),
    ])

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
    try makeStore(at: path, [Self.address, Self.person]) { session in
      let address = try session.table("Address").create(["street": "x"], replacing: false)
      _ = try session.table("Person").create(
        ["number": 5, "home": .link(address)], replacing: false)
    }
  }

  private static let link = #"{"object":{"class":"Address","link":1}}"#

  /// A property, and a value in it that leads to the address, as a dump has it.
  static let values: [(property: String, value: String)] = [
    ("any", link), ("any", #"{"list":[{"int":1},\#(link)]}"#),
    ("any", #"{"map":{"a":{"list":[{"map":{"b":\#(link)}}]}}}"#),
    ("list", #"[{"int":1},\#(link)]"#), ("list", #"[{"map":{"a":\#(link)}}]"#),
    ("bag", "[\(link)]"), ("map", #"{"a":\#(link),"b":{"int":1}}"#),
    ("map", #"{"a":{"list":[\#(link)]}}"#),
  ]

  /// The dump of the store with another value.
  private func dump(_ property: String, _ value: String) throws -> String {
    let before = try WhimbrelInspectionTestSupport.dump(path)
    let empty = ["any": "null", "map": "{}"][property] ?? "[]"
    let changed = before.replacing(
      "\"\(property)\":\(empty)", with: "\"\(property)\":\(value)", maxReplacements: 1)
    try #require(changed != before)
    return changed
  }

  @Test(arguments: values)
  func `load refuses such a value with class, key and line`(property: String, value: String) throws
  {
    let text = try dump(property, value)
    for shape in [text, text.replacing(#""values":{"#, with: #""values": {"#)] {
      let error = try #require(
        throws: InspectionError.self,
        performing: { try load(shape, into: folder.path("b.whimbrel")) })
      #expect(error.code == .badDump)
      #expect(error.line == 3)
      #expect(
        error.message.contains(
          "'\(property)' of object '5' of class 'Person' leads to object 1 of class 'Address', "
            + "which is embedded: only a link to its class may"), "\(error.message)")
      #expect(!folder.contains("b.whimbrel"))
    }
  }

  @Test(arguments: values)
  func `merge refuses such a value and changes nothing`(
    property: String, value: String
  ) throws {
    let text = try dump(property, value)
    try makeStore(at: folder.path("empty.whimbrel"), [Self.address, Self.person])
    for (name, policy) in [
      ("empty.whimbrel", MergePolicy.fail), ("a.whimbrel", .update), ("a.whimbrel", .replace),
    ] {
      let before = try WhimbrelInspectionTestSupport.dump(folder.path(name))
      let source = folder.path("dump.jsonl")
      try Data(text.utf8).write(to: URL(filePath: source))
      let error = try #require(
        throws: InspectionError.self,
        performing: {
          try StoreMerge(path: source, into: folder.path(name), policy: policy).run()
        })
      #expect(error.message.contains("line 3"), "\(error.message)")
      #expect(
        error.message.contains("'\(property)' leads to an object of 'Address', which is embedded"),
        "\(error.message)")
      #expect(try WhimbrelInspectionTestSupport.dump(folder.path(name)) == before)
    }
  }

  @Test func `set refuses such a value`() throws {
    let edit = StoreEdit(
      path: path,
      [
        .set(
          class: "Person", .named(["5"]),
          .texts([#"any={"object":{"class":"Address","link":1}}"#]))
      ])
    let error = #expect(throws: (any Error).self) { try edit.run(.write(backup: nil)) { _ in } }
    #expect("\(error.map { $0 as Any } ?? "")".contains("embedded"))
  }

  @Test func `check finds such a value, and salvage takes it out`() throws {
    // As versions before wrote them: not by the way that refuses them.
    try makeStore(at: path, [Self.address, Self.person]) { session in
      let table = try session.table("Person")
      let address = PropertyValue.object(
        ObjectReference(
          classID: try session.table("Address").resolved.id, id: ObjectID(rawValue: 1)))
      let values: [String: PropertyValue] = [
        "any": .map(["a": .list([address, 7])]), "list": .list([1, address]),
        "bag": .list([address]), "map": .map(["a": address, "b": 1]),
      ]
      let id = try #require(try table.find(.int(5)))
      try table.update(id) { encoder in
        for (name, value) in values {
          try encoder.set(try table.resolved.requiredPosition(of: name), value)
        }
      }
    }
    let findings = try StoreCheck(path: path).run().findings
    for property in ["any", "list", "bag", "map"] {
      let found = findings.filter { $0.property == property }
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.key == "5" && $0.description.contains("embedded") })
    }
    let report = try StoreSalvage(path: path).run(to: folder.path("saved.whimbrel"))
    let saved = try #require(report.classes.first { $0.name == "Person" })
    #expect(saved.kept == 1)
    #expect(saved.lostLinks == 4)
    #expect(!report.isComplete)
    #expect(report.text.contains("links lost"))
    #expect(try StoreCheck(path: folder.path("saved.whimbrel")).run().findings == [])
    let text = try WhimbrelInspectionTestSupport.dump(folder.path("saved.whimbrel"))
    #expect(!text.contains(#"{"object":"#))
    #expect(text.contains(#""home":{"link":1}"#))
    #expect(text.contains(#"{"int":7}"#))
    try expectRoundTrip(of: folder.path("saved.whimbrel"), in: folder)
  }
}

extension TestFolder {
  fileprivate func contains(_ name: String) -> Bool { contents(name) != nil }
}
