import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct ObjectListingTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  init() throws { folder = try TestFolder() }

  private func page(
    _ selection: String, sortedBy sort: String? = nil, descending: Bool = false, offset: Int = 0,
    limit: Int = 100, columns: String? = nil, at path: String? = nil
  ) throws -> String {
    let inspector = try StoreInspector(path: path ?? self.path)
    let listing = try ObjectListing(
      ObjectSelection(selection), sortedBy: sort, descending: descending, of: inspector)
    let page = try listing.page(
      offset: offset, limit: limit, columns: columns, view: 7, of: inspector)
    _ = try JSONSerialization.jsonObject(with: Data(page))
    let text = String(decoding: page, as: UTF8.self)
    return text.replacing("\"commit\":\(inspector.commit),", with: "")
  }

  /// The rows of a page.
  private func rows(_ page: String) throws -> String {
    let range = try #require(page.range(of: #""rows":"#))
    return String(page[range.upperBound...].dropLast())
  }

  @Test func `a page has the columns and the cells of the objects`() throws {
    try Sample.make(at: path)
    #expect(
      try page("Zone", limit: 1) == """
        {"view":7,"total":2,"offset":0,"columns":[{"name":"identifier","type":"string","isKey":true},\
        {"name":"latitude","type":"double"},{"name":"country","type":"<Country>"},\
        {"name":"area","type":"string"},{"name":"comments","type":"string"}],\
        "rows":[{"id":1,"cells":["Europe/Andorra",42.5,{"class":"Country","id":1,"name":"AD"},"europe",""]}]}
        """)
    #expect(
      try page("Zone", offset: 1, columns: "#, country.name, identifier") == """
        {"view":7,"total":2,"offset":1,"columns":[{"name":"#","type":"int"},\
        {"name":"country.name","type":"string?"},{"name":"identifier","type":"string","isKey":true}],\
        "rows":[{"id":2,"cells":[2,null,"Asia/Kathmandu"]}]}
        """)
    #expect(try rows(page("Zone", offset: 5)) == "[]")
    #expect(try rows(page("Zone", offset: -1, limit: -1)) == "[]")
    #expect(throws: InspectionError.self) { try page("Zone", columns: "nothing") }
  }

  @Test func `a listing is sorted by paths, in both directions`() throws {
    try Sample.make(at: path)
    func ids(_ sort: String?, _ descending: Bool = false, _ query: String = "Zone") throws -> String
    {
      try rows(page(query, sortedBy: sort, descending: descending, columns: "#"))
    }
    let (one, two) = (#"{"id":1,"cells":[1]}"#, #"{"id":2,"cells":[2]}"#)
    #expect(try ids("latitude") == "[\(two),\(one)]")
    #expect(try ids("#", true) == "[\(two),\(one)]")
    #expect(try ids("latitude", true) == "[\(one),\(two)]")
    #expect(try ids("country.name") == "[\(two),\(one)]")
    #expect(try ids("area", true) == "[\(one),\(two)]")
    #expect(try ids("latitude", false, "Zone where latitude > 30") == "[\(one)]")
    #expect(throws: StoreError.self) { try ids("country") }
    expectError(.badArgument) { try ids("longitude") }
    #expect(throws: StoreError.self) { try ids("x", false, "Zoo") }
  }

  @Test func `a listing keeps its order while others write`() throws {
    try Sample.make(at: path)
    let listing: ObjectListing
    do {
      let inspector = try StoreInspector(path: path)
      listing = try ObjectListing(ObjectSelection("Zone"), sortedBy: "latitude", of: inspector)
    }
    try makeStore(at: path, [Sample.country, Sample.zone], version: 4) { session in
      let zones = try session.table("Zone")
      try zones.remove(ObjectID(rawValue: 1))
      _ = try zones.create(
        ["identifier": "Europe/Paris", "latitude": .double(0), "area": "europe"], replacing: false)
      let position = try zones.resolved.requiredPosition(of: "latitude")
      try zones.update(ObjectID(rawValue: 2)) { try $0.set(position, .double(90)) }
    }
    #expect(listing.count == 2)
    let page = try listing.page(
      offset: 0, limit: 10, columns: "latitude", view: 1, of: StoreInspector(path: path))
    #expect(
      try rows(String(decoding: page, as: UTF8.self))
        == #"[{"id":2,"cells":[90.0]},{"id":1,"isDeleted":true}]"#)
  }

  @Test func `every type has a cell`() throws {
    try EveryType.make(at: path)
    let other = ObjectID(clusteredKey: 7).rawValue
    let eight = ObjectID(clusteredKey: -8).rawValue
    let object = #"{"class":"Other","id":"\#(other)","name":"7"}"#
    #expect(
      try rows(page("Thing", limit: 1)) == """
        [{"id":1,"cells":[true,-128,4294967295,0.5,"-inf","a,\\"b\\"\\r\\n\\u001b[31m",\
        {"data":"AQ==","length":1},"2001-01-01T00:00:00.25Z","01020304-0506-0708-090A-0B0C0D0E0F10",\
        "1.5","000000000000000100000002",{"type":"object","value":\(object)},\
        {"class":"Other","id":\(eight > 1 << 53 ? "\"\(eight)\"" : "\(eight)"),"name":"-8"},\
        {"class":"Keyless","id":1,"name":"id:1"},\
        {"count":4,"elements":["x",null,"","nil"]},{"count":2,"elements":[1,3]},\
        {"count":2,"entries":[["a","nan"],["b",2.0]]},{"count":1,"elements":[\(object)]},\
        {"count":3,"elements":[{"type":"int","value":1},\
        {"type":"map","value":{"count":1,"entries":[["k",{"type":"list","value":{"count":2,\
        "elements":[{"type":"object","value":\(object)},null]}}]]}},{"type":"string","value":"s"}]}]}]
        """)
  }

  @Test func `large values are cut, and counted`() throws {
    let note = ClassSchema(
      name: "Note",
      properties: [
        PropertySchema(name: "text", type: .string), PropertySchema(name: "data", type: .data),
        PropertySchema(name: "list", type: .list(of: ElementType(.int))),
        PropertySchema(name: "any", type: .any), PropertySchema(name: "wide", type: .string),
      ])
    let accents = "e" + String(repeating: "\u{301}", count: 20_000)
    try makeStore(at: path, [note]) { session in
      _ = try session.table("Note").create(
        [
          "text": .string(String(repeating: "ab\r\n", count: 300_000)),
          "data": .data(Data(repeating: 7, count: 2_000_000)),
          "list": .list((0..<100_000).map { .int($0) }),
          "any": .list((0..<50).map { _ in ["a": .list([.list([1, 2])])] }),
          "wide": .string(accents + String(repeating: "日本", count: 300)),
        ], replacing: false)
    }
    let beginning = String(repeating: "ab\\r\\n", count: 166) + "ab"
    let nested = """
      {"type":"map","value":{"count":1,"entries":[["a",{"type":"list","value":{"count":1,\
      "elements":[{"type":"list","value":{"count":2,"elements":[]}}]}}]]}}
      """
    let page = try rows(page("Note"))
    #expect(
      page.hasPrefix(
        """
        [{"id":1,"cells":[{"text":"\(beginning)","length":900000},\
        {"data":"\(String(repeating: "BwcH", count: 32))","length":2000000},\
        {"count":100000,"elements":[0,1,2,3,4]},{"type":"list","value":{"count":50,"elements":[\
        \((0..<5).map { _ in nested }.joined(separator: ","))]}},{"text":
        """))
    #expect(page.hasSuffix(#"","length":601}]}]"#))
    #expect(page.utf8.count < 25_000)
  }

  @Test func `objects that are not yet converted have what they have, and come last when sorted`()
    throws
  {
    try TransitionSample.make(at: path)
    let columns = "key, level, calibrated, station.code"
    let page = try rows(page("Reading", limit: 2, columns: columns))
    #expect(
      page == """
        [{"id":1,"version":1,"cells":["r1",{"lacking":true},{"lacking":true},"S2"]},\
        {"id":2,"cells":["r2",2,2.0,"S1"]}]
        """)
    #expect(
      try rows(self.page("Reading", sortedBy: "calibrated", descending: true, columns: "#"))
        .matches(of: /"id":(\d)/).map { String($0.1) } == ["4", "2", "1", "3", "5", "6"])
  }

  @Test func `a damaged record does not fail the page`() throws {
    try makeStore(
      at: path,
      [
        ClassSchema(
          name: "Note",
          properties: [
            PropertySchema(name: "text", type: .string),
            PropertySchema(name: "next", type: .link(to: "Note")),
          ])
      ]
    ) { session in
      let notes = try session.table("Note")
      for text in ["first", "second", "third"] {
        _ = try notes.create(["text": .string("the \(text) text")], replacing: false)
      }
      let position = try notes.resolved.requiredPosition(of: "next")
      try notes.update(ObjectID(rawValue: 1)) { try $0.set(position, .link(ObjectID(rawValue: 2))) }
    }
    try damage("the second", to: "THE SECOND")
    let rows = try rows(page("Note")).replacing(/Could not [^"]*/, with: "Could not")
    #expect(
      rows == """
        [{"id":1,"cells":["the first text",{"class":"Note","id":2,"name":"id:2","error":"Could not"}]},\
        {"id":2,"error":"Could not"},{"id":3,"cells":["the third text",null]}]
        """)
    #expect(
      try self.rows(page("Note", limit: 1, columns: "next.text"))
        .hasPrefix(#"[{"id":1,"cells":[{"error":"Could not"#))
  }

  @Test func `a damaged value does not hide the others of its object`() throws {
    let note = ClassSchema(
      name: "Note",
      properties: [
        PropertySchema(name: "long", type: .string), PropertySchema(name: "short", type: .string),
        PropertySchema(name: "texts", type: .list(of: ElementType(.string))),
      ])
    let long = String(repeating: "long ", count: 2_000)
    try makeStore(at: path, [note]) { session in
      _ = try session.table("Note").create(
        [
          "long": .string(long), "short": "y",
          "texts": .list([.string("first"), .string(long.uppercased()), .string("last")]),
        ], replacing: false)
    }
    try damage("long long", to: "LONG long")
    try damage("LONG LONG", to: "long LONG")
    let rows = try rows(page("Note")).replacing(/"Could not [^"]*"/, with: "0")
    #expect(rows == #"[{"id":1,"cells":[{"error":0},"y",{"error":0}]}]"#)
    let inspector = try StoreInspector(path: path)
    let elements = try inspector.collectionPage(
      class: "Note", id: ObjectID(rawValue: 1), property: "texts", offset: 0, limit: 9)
    #expect(
      String(decoding: elements, as: UTF8.self).replacing(/"Could not [^"]*"/, with: "0")
        == #"{"kind":"list","count":3,"elements":["first",{"error":0},"last"],"commit":\#(inspector.commit)}"#
    )
    let details = try inspector.objectDetails(class: "Note", name: "1")
    #expect(
      String(decoding: details, as: UTF8.self).replacing(/"Could not [^"]*"/, with: "0")
        .hasSuffix(#","error":0}"#))
  }

  @Test func `a page has a limit of bytes`() throws {
    let note = ClassSchema(
      name: "Note",
      properties: [
        PropertySchema(name: "any", type: .any),
        PropertySchema(name: "next", type: .link(to: "Note")),
      ])
    let wide = "e" + String(repeating: "\u{301}", count: 2_500)
    let list = PropertyValue.list((0..<5).map { _ in .string(wide) })
    try makeStore(at: path, [note]) { session in
      let notes = try session.table("Note")
      let first = try notes.create(["any": list], replacing: false)
      for _ in 1..<100 { _ = try notes.create(["next": .link(first)], replacing: false) }
    }
    let inspector = try StoreInspector(path: path)
    let listing = try ObjectListing(ObjectSelection(className: "Note"), of: inspector)
    func page(_ offset: Int) throws -> (size: Int, rows: Int, isPartial: Bool) {
      let page = try listing.page(
        offset: offset, limit: 100, columns: "next.any", byteLimit: 1 << 20, view: 1,
        of: inspector)
      let json = try JSONSerialization.jsonObject(with: Data(page)) as? [String: Any]
      let rows = try #require(json?["rows"] as? [Any])
      return (page.count, rows.count, json?["isPartial"] as? Bool == true)
    }
    let first = try page(0)
    #expect(first.size < (1 << 20) + (1 << 16) && first.rows < 100 && first.isPartial)
    let second = try page(first.rows)
    #expect(second.rows == 100 - first.rows && !second.isPartial)
  }

  /// Changes all copies of a text in the file to another of the same length.
  private func damage(_ text: String, to other: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    var rest = bytes.startIndex
    while let range = bytes[rest...].range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(other.utf8))
      rest = range.upperBound
    }
    try #require(rest > bytes.startIndex)
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `names with signs of any kind are columns`() throws {
    let name = "<b>\"x\" \u{202E}'`,&amp;"
    try makeStore(
      at: path,
      [ClassSchema(name: name, properties: [PropertySchema(name: name, type: .int)])]
    ) { session in
      _ = try session.table(name).create([name: .int(9_007_199_254_740_993)], replacing: false)
    }
    let inspector = try StoreInspector(path: path)
    let listing = try ObjectListing(ObjectSelection(className: name), of: inspector)
    let page = try listing.page(offset: 0, limit: 1, view: 1, of: inspector)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(page)) as? [String: any Sendable])
    let columns = try #require(json["columns"] as? [[String: String]])
    #expect(columns == [["name": name, "type": "int"]])
    #expect(
      try rows(String(decoding: page, as: UTF8.self))
        == #"[{"id":1,"cells":["9007199254740993"]}]"#)
    // A path escapes a backquote of the name, and does not end there.
    let quoted = "`\(name.replacing("`", with: "\\`"))`"
    let twice = try listing.page(
      offset: 0, limit: 1, columns: "\(quoted),#,\(quoted)", view: 1, of: inspector)
    #expect(
      try rows(String(decoding: twice, as: UTF8.self))
        == #"[{"id":1,"cells":["9007199254740993",1,"9007199254740993"]}]"#)
  }

  @Test func `an empty class has an empty page`() throws {
    try makeStore(at: path, [EmbeddedSample.address, EmbeddedSample.person])
    #expect(
      try page("Person", sortedBy: nil) == """
        {"view":7,"total":0,"offset":0,"columns":[{"name":"home","type":"<Address>"},\
        {"name":"others","type":"[string: <Address>]"}],"rows":[]}
        """)
  }

  @Test func `links to objects that are not there are marked`() throws {
    try Sample.make(at: path)
    try makeStore(at: path, [Sample.country, Sample.zone], version: 4) { session in
      let zones = try session.table("Zone")
      let position = try zones.resolved.requiredPosition(of: "country")
      // The engine does not look for the targets of links that are set so.
      try zones.update(ObjectID(rawValue: 1)) {
        try $0.set(position, .link(ObjectID(rawValue: 99)))
      }
    }
    #expect(
      try rows(page("Zone", limit: 1, columns: "country, country.name")) == """
        [{"id":1,"cells":[{"class":"Country","id":99,"name":"id:99","isDangling":true},null]}]
        """)
    let details = try StoreInspector(path: path).objectDetails(
      class: "Zone", name: "Europe/Andorra")
    #expect(String(decoding: details, as: UTF8.self).contains(#""isDangling":true"#))
  }

  @Test func `embedded objects are marked`() throws {
    try makeStore(at: path, [EmbeddedSample.address, EmbeddedSample.person]) { session in
      let home = try session.table("Address").create(["street": "A"], replacing: false)
      _ = try session.table("Person").create(["home": .link(home)], replacing: false)
    }
    #expect(
      try rows(page("Person", columns: "home")) == """
        [{"id":1,"cells":[{"class":"Address","id":1,"name":"id:1","isEmbedded":true}]}]
        """)
  }

  /// Whatever a store is like, each of its pages is JSON.
  @Test(arguments: seeds(10, long: 300))
  func `pages of random stores are JSON`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: path)
    let inspector = try StoreInspector(path: path)
    for schema in maker.classes {
      let selection = ObjectSelection(className: schema.name)
      let listing = try ObjectListing(selection, of: inspector)
      let page = try listing.page(offset: 0, limit: 100, view: 1, of: inspector)
      _ = try JSONSerialization.jsonObject(with: Data(page))
      for property in schema.properties {
        do {
          let sorted = try ObjectListing(selection, sortedBy: property.name, of: inspector)
          #expect(sorted.count == listing.count)
        } catch StoreError.Code.queryMismatch {
          #expect(
            property.type.isCollection || property.type.holdsLinks || property.type == .any
              || property.type == .data)
        }
      }
    }
  }
}
