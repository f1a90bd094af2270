import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct ObjectDetailsTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  init() throws { folder = try TestFolder() }

  private func details(_ className: String, _ name: String) throws -> String {
    let inspector = try StoreInspector(path: path)
    let json = try inspector.objectDetails(class: className, name: name)
    _ = try JSONSerialization.jsonObject(with: Data(json))
    let text = String(decoding: json, as: UTF8.self)
    return text.replacing("\"commit\":\(inspector.commit),", with: "")
  }

  private func text(_ json: [UInt8]) throws -> String {
    _ = try JSONSerialization.jsonObject(with: Data(json))
    return String(decoding: json, as: UTF8.self)
  }

  @Test func `an object has its properties, its record, and the links to it`() throws {
    try Sample.make(at: path)
    #expect(
      try details("Country", "AD") == """
        {"class":"Country","id":1,"name":"AD","key":"AD","properties":[\
        {"name":"code","type":"string","isKey":true,"cell":"AD"},\
        {"name":"name","type":"string","isKey":false,"cell":"Andorra"}],\
        "linkedFrom":[{"class":"Zone","property":"country","count":1,\
        "objects":[{"class":"Zone","id":1,"name":"Europe/Andorra"}]}],\
        "record":{"layout":1,"isCurrent":true,"bytes":23,"outside":0,"slots":[\
        {"property":"code","offset":8,"bytes":3},{"property":"name","offset":11,"bytes":3}]}}
        """)
    #expect(try details("Country", "id:1") == details("Country", "AD"))
    expectError(.noSuchObject) { try details("Country", "XX") }
    expectError(.noSuchObject) { try details("Country", "id:9") }
    #expect(throws: StoreError.self) { try details("Contry", "AD") }
  }

  @Test func `an object says how much is outside of its record`() throws {
    let note = ClassSchema(
      name: "Note",
      properties: [
        PropertySchema(name: "text", type: .string), PropertySchema(name: "short", type: .string),
      ])
    try makeStore(at: path, [note]) { session in
      _ = try session.table("Note").create(
        ["text": .string(String(repeating: "x", count: 100_000)), "short": "y"], replacing: false)
    }
    let details = try details("Note", "1")
    #expect(details.contains(#""outside":100032,"slots""#))
    #expect(details.contains(#"{"property":"text","offset":8,"bytes":3,"outside":100032}"#))
    #expect(details.contains(#"{"property":"short","offset":11,"bytes":3}"#))
  }

  @Test func `an object that is not yet converted has the properties of its version`() throws {
    try TransitionSample.make(at: path)
    let old = try details("Reading", "r1")
    #expect(old.contains(#""key":"r1","version":1,"#))
    #expect(old.contains(#"{"name":"raw","type":"double","isKey":false,"cell":0.5}"#))
    #expect(old.contains(#""layout":1,"isCurrent":false"#))
    #expect(old.contains(#"{"property":"raw","#))
    let new = try details("Reading", "r2")
    #expect(new.contains(#"{"name":"calibrated","type":"double","isKey":false,"cell":2.0}"#))
    #expect(new.contains(#""isCurrent":true"#) && !new.contains("version"))
    let inspector = try StoreInspector(path: path)
    let tags = try inspector.collectionPage(
      class: "Reading", id: ObjectID(rawValue: 3), property: "tags", offset: 1, limit: 1)
    #expect(
      try text(tags)
        == #"{"kind":"list","count":3,"elements":["tag 1"],"commit":\#(inspector.commit)}"#)
    #expect(
      try inspector.text(class: "Reading", id: ObjectID(rawValue: 5), property: "note")
        == TransitionSample.longNote)
  }

  @Test func `a damaged object shows what can be read`() throws {
    try Sample.make(at: path)
    try damage("Andorraeurope", or: "Andorra", at: 2)
    let details = try details("Country", "AD")
    #expect(details.contains(#"{"name":"code","type":"string","isKey":true,"cell":"AD"}"#))
    #expect(details.contains(#""cell":"An*orra"}"#))
    #expect(details.contains(#""count":1,"objects":[{"class":"Zone","id":1"#))
    #expect(details.contains(#""name":"id:1","key":null"#))
    #expect(details.contains(#""error":"Could not"#))
    #expect(try self.details("Country", "id:1").contains(#""error":"Could not"#))
  }

  /// Changes a byte in all copies of a country's record.
  private func damage(_ text: String, or other: String, at offset: Int) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    var rest = bytes.startIndex
    let name = Data("AD\(other)".utf8)
    while let range = bytes[rest...].range(of: name) {
      bytes[range.lowerBound + 2 + offset] = UInt8(ascii: "*")
      rest = range.upperBound
    }
    try #require(rest > bytes.startIndex)
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `collections are read in parts`() throws {
    try EveryType.make(at: path)
    let inspector = try StoreInspector(path: path)
    func page(_ property: String, _ offset: Int = 0, _ limit: Int = 100) throws -> String {
      let json = try text(
        inspector.collectionPage(
          class: "Thing", id: ObjectID(rawValue: 1), property: property, offset: offset,
          limit: limit))
      let end = #","commit":\#(inspector.commit)}"#
      #expect(json.hasSuffix(end) || property == "any")
      return json.replacing(end, with: "}")
    }
    #expect(try page("list", 2, 1) == #"{"kind":"list","count":4,"elements":[""]}"#)
    #expect(try page("list", 9, .max) == #"{"kind":"list","count":4,"elements":[]}"#)
    #expect(try page("list", .max, .max) == #"{"kind":"list","count":4,"elements":[]}"#)
    #expect(try page("list", -1, -1) == #"{"kind":"list","count":4,"elements":[]}"#)
    #expect(try page("set") == #"{"kind":"set","count":2,"elements":[1,3]}"#)
    #expect(
      try page("map") == #"{"kind":"map","count":2,"elements":[["a","nan"],["b",2.0]]}"#)
    #expect(
      try page("anys", 2) == """
        {"kind":"list","count":3,"elements":[{"type":"string","value":"s"}]}
        """)
    expectError(.badArgument) { try page("text") }
    #expect(throws: StoreError.self) { try page("nothing") }
    expectError(.noSuchObject) {
      try inspector.collectionPage(
        class: "Thing", id: ObjectID(rawValue: 99), property: "list", offset: 0, limit: 1)
    }
  }

  @Test func `a part of a map has whole names, so that an editor can write them back`() throws {
    let thing = ClassSchema(
      name: "Thing", properties: [PropertySchema(name: "map", type: .map(of: ElementType(.int)))])
    let name = String(repeating: "n", count: 600)
    try makeStore(at: path, [thing]) { session in
      _ = try session.table("Thing").create(["map": .map([name: 1])], replacing: false)
    }
    let inspector = try StoreInspector(path: path)
    let part = try inspector.collectionPage(
      class: "Thing", id: ObjectID(rawValue: 1), property: "map", offset: 0, limit: 5)
    #expect(try text(part).contains(#"[["\#(name)",1]]"#))
    #expect(try !details("Thing", "1").contains(name))
  }

  @Test func `a value of any type may be a collection`() throws {
    let thing = ClassSchema(name: "Thing", properties: [PropertySchema(name: "any", type: .any)])
    try makeStore(at: path, [thing]) { session in
      let table = try session.table("Thing")
      _ = try table.create(["any": ["a", .data(Data([1, 2])), [1]]], replacing: false)
      _ = try table.create(["any": ["k": "v"]], replacing: false)
    }
    let inspector = try StoreInspector(path: path)
    let (one, two) = (ObjectID(rawValue: 1), ObjectID(rawValue: 2))
    let list = try inspector.collectionPage(
      class: "Thing", id: one, property: "any", offset: 2, limit: 5)
    #expect(
      try text(list) == """
        {"kind":"list","count":3,"elements":[{"type":"list","value":{"count":1,\
        "elements":[{"type":"int","value":1}]}}]}
        """)
    let map = try inspector.collectionPage(
      class: "Thing", id: two, property: "any", offset: 0, limit: 5)
    #expect(
      try text(map)
        == #"{"kind":"map","count":1,"elements":[["k",{"type":"string","value":"v"}]]}"#)
    #expect(try inspector.text(class: "Thing", id: one, property: "any", index: 0) == "a")
    #expect(try inspector.data(class: "Thing", id: one, property: "any", index: 1) == [1, 2])
    #expect(try inspector.text(class: "Thing", id: two, property: "any", key: "k") == "v")
    expectError(.badArgument) {
      try inspector.text(class: "Thing", id: two, property: "any", key: "other")
    }
  }

  @Test func `whole texts and data are read`() throws {
    try EveryType.make(at: path)
    let inspector = try StoreInspector(path: path)
    let id = ObjectID(rawValue: 1)
    func read(_ property: String, index: Int? = nil, key: String? = nil) throws -> String {
      try inspector.text(class: "Thing", id: id, property: property, index: index, key: key)
    }
    #expect(try read("text") == "a,\"b\"\r\n\u{1B}[31m")
    #expect(try read("list", index: 3) == "nil")
    #expect(try inspector.data(class: "Thing", id: id, property: "data") == [1])
    for (property, index, key) in [
      ("list", nil, nil), ("list", 4, nil), ("list", -1, nil), ("list", 1, nil), ("list", nil, "a"),
      ("list", 0, "a"), ("map", nil, "a"), ("map", 0, nil), ("double", nil, nil), ("text", 0, nil),
    ] as [(String, Int?, String?)] {
      expectError(.badArgument) { try read(property, index: index, key: key) }
    }
  }

  @Test func `incoming links are read in parts`() throws {
    try makeStore(at: path, [Sample.country, Sample.zone], version: 4) { session in
      let france = try session.table("Country").create(
        ["code": "FR", "name": "France"], replacing: false)
      for number in 0..<30 {
        _ = try session.table("Zone").create(
          [
            "identifier": .string("zone \(number)"), "latitude": .double(0),
            "country": .link(france),
            "area": "europe",
          ], replacing: false)
      }
    }
    let inspector = try StoreInspector(path: path)
    func page(_ source: String, _ property: String, _ offset: Int, _ limit: Int) throws -> String {
      try text(
        inspector.incomingPage(
          class: "Country", id: ObjectID(rawValue: 1), from: source, property: property,
          offset: offset, limit: limit))
    }
    #expect(
      try page("Zone", "country", 29, 10)
        == #"{"count":30,"objects":[{"class":"Zone","id":30,"name":"zone 29"}]}"#)
    #expect(try page("Zone", "country", 30, 10) == #"{"count":30,"objects":[]}"#)
    expectError(.badArgument) { try page("Zone", "latitude", 0, 1) }
    #expect(throws: StoreError.self) { try page("Zone", "nothing", 0, 1) }
    let details = try details("Country", "FR")
    #expect(details.contains(#""count":30,"objects":[{"class":"Zone","id":1,"#))
    #expect(details.matches(of: /"class":"Zone","id"/).count == 10)
  }

  /// Whatever is wrong with a file is an error, in the answer or instead of it.
  @Test(arguments: seeds(40, long: 1_500))
  func `a store with changed bytes is looked into or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try EveryType.make(at: path)
    var data = try #require(folder.contents("a.whimbrel"))
    let places = data.indices.filter { data[$0] != 0 }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      data[try #require(places.randomElement(using: &random))] = .random(
        in: 0...255, using: &random)
    }
    try data.write(to: URL(filePath: path))
    do {
      let inspector = try StoreInspector(path: path)
      for entry in try inspector.classList().classes {
        let listing = try ObjectListing(ObjectSelection(className: entry.name), of: inspector)
        _ = try text(listing.page(offset: 0, limit: 10, view: 1, of: inspector))
        _ = try text(inspector.objectDetails(class: entry.name, name: "id:1"))
      }
    } catch is StoreError {
    } catch let error as InspectionError {
      #expect(error.code == .noSuchObject)
    }
  }
}
