import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct ObjectViewTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  private func view(
    _ name: String, _ className: String, depth: Int = 1, fanOut: Int = 10
  ) throws -> ObjectView {
    try StoreInspector(path: path).view(of: name, class: className, depth: depth, fanOut: fanOut)
  }

  @Test func `every type has a line`() throws {
    try EveryType.make(at: path)
    #expect(
      try view("1", "Thing").text() == #"""
        Thing id:1
          bool      true
          int8      -128
          uint32    4294967295
          float     0.5
          double    -inf
          text      "a,"b"\r\n\u{1B}[31m"
          data      1 byte
          date      2001-01-01T00:00:00.25Z
          uuid      01020304-0506-0708-090A-0B0C0D0E0F10
          decimal   1.5
          objectId  000000000000000100000002
          any       Other 7
            key  7
          link      Other -8
            key  -8
          bare      Keyless id:1
            text  "t"
          list      [4] "x", nil, "", "nil"
          set       {2} 1, 3
          map       [2] a: nan, b: 2.0
          links     [1] Other 7 (shown elsewhere)
          anys      [3] 1, [1] k: [2] Other 7 (shown elsewhere), nil, "s"

        """#)
  }

  @Test func `JSON has the same in a shape that stays`() throws {
    try EveryType.make(at: path)
    #expect(
      String(decoding: try view("id:1", "Thing", depth: 0).json(), as: UTF8.self) == #"""
        {"class":"Thing","id":1,"name":"id:1","values":{"bool":true,"int8":-128,"uint32":4294967295,\#
        "float":0.5,"double":"-inf","text":"a,\"b\"\r\n\u001b[31m","data":"AQ==",\#
        "date":"2001-01-01T00:00:00.25Z","uuid":"01020304-0506-0708-090A-0B0C0D0E0F10",\#
        "decimal":"1.5","objectId":"000000000000000100000002",\#
        "any":{"class":"Other","id":"9223372036854775815","key":7,"name":"7"},\#
        "link":{"class":"Other","id":"9223372036854775800","key":-8,"name":"-8"},\#
        "bare":{"class":"Keyless","id":1,"name":"id:1"},\#
        "list":{"count":4,"elements":["x",null,"","nil"]},"set":{"count":2,"elements":[1,3]},\#
        "map":{"count":2,"elements":{"a":"nan","b":2.0}},\#
        "links":{"count":1,"elements":[{"class":"Other","id":"9223372036854775815","key":7,"name":"7"}]},\#
        "anys":{"count":3,"elements":[1,{"count":1,"elements":{"k":{"count":2,\#
        "elements":[{"class":"Other","id":"9223372036854775815","key":7,"name":"7"},null]}}},"s"]}},"linkedFrom":[]}
        """#)
    #expect(
      String(decoding: try view("7", "Other").json(), as: UTF8.self) == #"""
        {"class":"Other","id":"9223372036854775815","key":7,"name":"7","values":{"key":7},"linkedFrom":[\#
        {"class":"Thing","property":"any","count":1,"objects":[{"class":"Thing","id":1,"name":"id:1"}]},\#
        {"class":"Thing","property":"anys","count":1,"objects":[{"class":"Thing","id":1,"name":"id:1"}]},\#
        {"class":"Thing","property":"links","count":1,"objects":[{"class":"Thing","id":1,"name":"id:1"}]}]}
        """#)
  }

  // MARK: Links

  private static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "name", type: .string, isPrimaryKey: true),
      PropertySchema(name: "friend", type: .link(to: "Person")),
      PropertySchema(name: "others", type: .list(of: ElementType(.link(to: "Person")))),
      PropertySchema(name: "home", type: .link(to: "Home")),
    ])
  private static let home = ClassSchema(
    name: "Home", isEmbedded: true,
    properties: [
      PropertySchema(name: "street", type: .string),
      PropertySchema(name: "next", type: .link(to: "Home")),
    ])

  /// Makes people, each a friend of the next, and the last of the first.
  private func makePeople(
    _ count: Int, _ more: (Session, [ObjectID]) throws -> Void = { _, _ in }
  ) throws {
    try makeStore(at: path, [Self.person, Self.home]) { session in
      let people = try session.table("Person")
      let ids = try (0..<count).map {
        try people.create(["name": .string("p\($0)")], replacing: false)
      }
      for (index, id) in ids.enumerated() {
        try people.update(id) { encoder throws in
          try encoder.set(1, .link(ids[(index + 1) % count]))
        }
      }
      try more(session, ids)
    }
  }

  @Test func `links are followed as deep as is asked`() throws {
    try makePeople(3)
    #expect(
      try view("p0", "Person", depth: 0).text() == """
        Person p0 id:1
          name    "p0"
          friend  Person p1 id:2
          others  [0]
          home    nil
        linked from
          Person.friend  1 object: Person p2 id:3

        """)
    let lines = try view("p0", "Person", depth: 5).text().split(separator: "\n")
    #expect(
      lines.filter { $0.contains("friend") } == [
        "  friend  Person p1 id:2", "    friend  Person p2 id:3",
        "      friend  Person p0 id:1 (shown elsewhere)",
        "  Person.friend  1 object: Person p2 id:3",
      ])
  }

  @Test func `a collection has its first elements, and says how many more there are`() throws {
    try makePeople(100) { session, ids in
      let table = try session.table("Person")
      try table.update(ids[0]) { encoder throws in
        try encoder.set(2, .list(ids.map(PropertyValue.link)))
      }
    }
    let shallow = try view("p0", "Person", depth: 0, fanOut: 3).text()
    #expect(shallow.contains("  others  [100] Person p0 id:1 (shown elsewhere), Person p1 id:2, "))
    #expect(shallow.contains("Person p2 id:3, … and 97 more\n"))
    let lines = try view("p0", "Person", fanOut: 3).text().split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("  others") })
    #expect(
      lines[start...].prefix(8) == [
        "  others  [100]", "    Person p0 id:1 (shown elsewhere)",
        "    Person p1 id:2 (shown elsewhere)",
        "    Person p2 id:3", "      name    \"p2\"", "      friend  Person p3 id:4",
        "      others  [0]", "      home    nil",
      ])
    #expect(lines[start...].contains("    … and 97 more"))
    let incoming = try view("p5", "Person").incoming
    #expect(incoming.map(\.property) == ["friend", "others"])
    #expect(incoming.map(\.count) == [1, 1])
  }

  @Test func `who links here is counted, and the first three are named`() throws {
    try makePeople(50) { session, ids in
      let table = try session.table("Person")
      for id in ids {
        try table.update(id) { encoder throws in try encoder.set(1, .link(ids[7])) }
      }
    }
    #expect(
      try view("p7", "Person").text().hasSuffix(
        "linked from\n  Person.friend  50 objects: Person p0 id:1, Person p1 id:2, Person p2 id:3, "
          + "… and 47 more\n"))
  }

  @Test func `embedded objects are shown at any depth, but not without end`() throws {
    try makePeople(1) { session, ids in
      let homes = try session.table("Home")
      var next = PropertyValue.null
      for number in (0..<150).reversed() {
        next = .link(
          try homes.create(["street": .string("s\(number)"), "next": next], replacing: false))
      }
      try session.table("Person").update(ids[0]) { encoder throws in try encoder.set(3, next) }
    }
    let view = try view("p0", "Person", depth: 0)
    let text = view.text()
    #expect(text.contains("\"s98\""))
    #expect(!text.contains("\"s99\""))
    #expect(String(decoding: view.json(), as: UTF8.self).contains(#""street":"s98""#))
  }

  // MARK: Names

  @Test(arguments: ["id:1", "AD"])
  func `an object is named by its key or its ID`(name: String) throws {
    try Sample.make(at: path)
    let view = try view(name, "Country")
    #expect(view.id == ObjectID(rawValue: 1))
    #expect(view.name == "AD")
  }

  @Test func `what is not there is an error`() throws {
    try Sample.make(at: path)
    #expect(throws: InspectionError.self) { try view("XX", "Country") }
    #expect(throws: InspectionError.self) { try view("id:9", "Country") }
    #expect(throws: StoreError.self) { try view("AD", "Contry") }
  }

  @Test(arguments: seeds(12, long: 100))
  func `every object of any store can be shown`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: path)
    let inspector = try StoreInspector(path: path)
    for entry in try inspector.classList().classes {
      let table = try ObjectTable(
        ObjectSelection(className: entry.name), columns: "#", limit: 5, of: inspector)
      var bytes: [UInt8] = []
      try table.writeCSV { bytes += $0 }
      for id in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
        let view = try inspector.view(of: "id:\(id)", class: entry.name, depth: 3)
        #expect(view.properties?.count == entry.properties)
        #expect(
          PlainText.escaped(view.text().replacing("\n", with: "")).contains("\u{1B}") == false)
        let json = try JSONSerialization.jsonObject(with: view.json()) as? [String: Any]
        #expect(json?["class"] as? String == entry.name)
      }
    }
  }
}
