import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct EmbeddedDumpTests {
  let folder: TestFolder
  let path: String
  let lines: [String]

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
    try makeStore(at: path, [EmbeddedSample.address, EmbeddedSample.person]) { session in
      let (addresses, people) = (try session.table("Address"), try session.table("Person"))
      func address(_ street: String, former: [PropertyValue] = []) throws -> PropertyValue {
        .link(
          try addresses.create(
            ["street": .string(street), "former": .list(former)], replacing: false))
      }
      let old = [try address("a"), try address("b")]
      let home = try address("c", former: old)
      let work = try address("d")
      _ = try people.create(["home": home, "others": ["work": work]], replacing: false)
      _ = try people.create([:], replacing: false)
    }
    lines = try dump(path).split(separator: "\n").map(String.init)
  }

  /// Loads the dump with a change and returns what was thrown.
  private func failure(_ line: Int, _ old: String, _ new: String) throws -> InspectionError? {
    var changed = lines
    try #require(changed[line - 1].contains(old))
    changed[line - 1].replace(old, with: new)
    do {
      try load(changed.joined(separator: "\n"), into: folder.path("b.whimbrel"))
    } catch let error as InspectionError {
      return error
    }
    return nil
  }

  @Test func `embedded objects are lines like others`() throws {
    try expectRoundTrip(of: path, in: folder)
    #expect(lines[0].contains(#"{"embedded":true,"name":"Address","properties":"#))
    #expect(!lines[0].contains(#"{"embedded":false"#))
    #expect(lines[3].contains(#""former":[{"link":1},{"link":2}]"#))
    #expect(
      lines[5].hasSuffix(#""values":{"home":{"link":3},"others":{"work":{"link":4}}}}"#))
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `embedded objects may be loaded before and after their owners`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let objects = lines.dropFirst().shuffled(using: &random)
    let copy = folder.path("b.whimbrel")
    try load(([lines[0]] + objects).joined(separator: "\n"), into: copy)
    #expect(try dump(copy) == lines.joined(separator: "\n") + "\n")
    #expect(try integrityFindings(copy) == [])
  }

  @Test func `a loaded store deletes embedded objects with their owners`() throws {
    let copy = folder.path("b.whimbrel")
    try load(dump(path), into: copy)
    try makeStore(at: copy, [EmbeddedSample.address, EmbeddedSample.person]) { session in
      try session.table("Person").remove(ObjectID(rawValue: 1))
      #expect(try session.table("Address").count() == 0)
    }
  }

  @Test func `an embedded object with two owners is an error`() throws {
    let error = try #require(try failure(6, #"{"link":4}"#, #"{"link":1}"#))
    #expect(error.code == .badDump)
    #expect(error.line == 6)
    #expect(
      error.message.contains(
        "object 1 of 'Address' is embedded and would belong to two objects, or twice to one object")
    )
    #expect(try failure(6, #"{"link":4}"#, #"{"link":3}"#)?.line == 6)
    #expect(try failure(4, #"{"link":2}"#, #"{"link":1}"#)?.line == 4)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock"])
  }

  @Test func `an embedded object without an owner is an error`() throws {
    let error = try #require(try failure(6, #""others":{"work":{"link":4}}"#, #""others":{}"#))
    #expect(error.code == .badDump)
    #expect(error.line == 5)
    #expect(
      error.message.contains(
        "object 4 of class 'Address' is embedded, and no object links to it"))
  }

  @Test func `a link to an embedded object that is missing is an error`() throws {
    let error = try #require(try failure(6, #"{"link":4}"#, #"{"link":9}"#))
    #expect(
      error.message.contains(
        "'others' of object 1 of class 'Person' leads to object 9 of class 'Address', "
          + "which is not in the dump"))
    #expect(error.line == 6)
  }

  @Test func `info and schema show that a class is embedded`() throws {
    let inspector = try StoreInspector(path: path)
    let description = try inspector.description()
    #expect(description.classes.map(\.isEmbedded) == [true, false])
    #expect(description.text.contains("Address (embedded)        4"))
    #expect(
      String(decoding: try description.json(), as: UTF8.self).contains(#""embedded" : true"#))
    #expect(
      SchemaText(inspector.schema).description == """
        schema version 1

        embedded class Address
          street  string
          former  [<Address>]

        class Person
          home    <Address>
          others  [string: <Address>]

        """)
    let schema = try SchemaExport(json: inspector.schema.json())
    #expect(schema == inspector.schema)
    #expect(schema.classes.map(\.isEmbedded) == [true, false])
  }

  @Test func `the bytes of a class include what lies outside of its records`() throws {
    let other = folder.path("c.whimbrel")
    let schema = ClassSchema(
      name: "Text", properties: [PropertySchema(name: "text", type: .string)])
    try makeStore(at: other, [schema]) { session in
      let text = PropertyValue.string(String(repeating: "x", count: 1 << 20))
      _ = try session.table("Text").create(["text": text], replacing: false)
    }
    let description = try StoreInspector(path: other).description()
    #expect(description.classes[0].bytes > 1 << 20)
  }
}
