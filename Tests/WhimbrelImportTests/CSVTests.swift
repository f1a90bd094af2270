import Foundation
import Testing
import WhimbrelEngine
import WhimbrelImport
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct CSVTests {
  let folder: TestFolder
  let store: String

  init() throws {
    folder = try TestFolder()
    store = folder.path("a.whimbrel")
    try Sample.make(at: store)
  }

  @discardableResult
  private func load(
    _ text: String, _ policy: MergePolicy = .fail, class className: String = "Zone",
    _ change: (inout CSVImport.Options) -> Void = { _ in }
  ) throws -> MergeSummary {
    let path = folder.path("zones.csv")
    try Data(text.utf8).write(to: URL(filePath: path))
    var options = CSVImport.Options()
    change(&options)
    return try CSVImport(
      path: path, class: className, into: store, .merge(policy), options
    ).run()
  }

  private func zones() throws -> [String] {
    #expect(try integrityFindings(store) == [])
    return try dump(store).split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(#"{"class":"Zone""#) }
  }

  @Test func `quotes, ends of lines, a mark and nothing are read`() throws {
    let text =
      "\u{FEFF}area,identifier,comments,latitude,country\r\n"
      + "europe,Europe/Paris,\"a \"\"b\"\", c\r\nd\",48.5,\r\n\r\n"
      + "asia,\"Asia/Tōkyō\",\"\",35,AD\r"
      + "asia,Asia/X,x,1"
      + ","
    #expect(try load(text).text == "Zone: 3 added\n")
    #expect(
      try zones().suffix(3) == [
        #"{"class":"Zone","id":3,"values":{"identifier":"Europe/Paris","latitude":48.5,"country":null,"area":"europe","comments":"a \"b\", c\r\nd"}}"#,
        #"{"class":"Zone","id":4,"values":{"identifier":"Asia/Tōkyō","latitude":35.0,"country":{"key":"AD"},"area":"asia","comments":""}}"#,
        #"{"class":"Zone","id":5,"values":{"identifier":"Asia/X","latitude":1.0,"country":null,"area":"asia","comments":"x"}}"#,
      ])
  }

  @Test func `columns may have other names, separators be others, and properties be left out`()
    throws
  {
    try load("name;lat;a\nX;1;asia\n") {
      $0.separator = ";"
      $0.properties = ["name": "identifier", "lat": "latitude", "a": "area"]
    }
    #expect(try zones().last?.contains(#""country":null,"area":"asia","comments":"""#) == true)
    try load("identifier\tlatitude\tarea\tcolour\nY\t2\tasia\tred\n") {
      $0.separator = "\t"
      $0.unknown = .ignored
    }
    #expect(try zones().last?.contains(#""identifier":"Y","latitude":2.0"#) == true)
  }

  @Test(arguments: [
    "identifier;latitude;area\nX;1.5;asia\n", "identifier\tlatitude\tarea\nX\t1.5\tasia\n",
    "\"identifier\";latitude;\"area\"\r\nX;1.5;\"asia\"\r\n",
    "identifier,latitude,area\nX,1.5,asia\n",
    // A comma in quotes separates nothing.
    "identifier;latitude;area;\"a,b\"\nX;1.5;asia;\n", "\n\nidentifier;latitude;area\nX;1.5;asia\n",
  ])
  func `the first line shows the separator`(text: String) throws {
    try load(text) { $0.unknown = .ignored }
    #expect(try zones().last?.contains(#""identifier":"X","latitude":1.5"#) == true)
  }

  @Test func `a comma that is asked for separates fields with semicolons`() throws {
    try load("identifier,latitude,area,a;b;c\nX;Y,1,asia,\n") {
      $0.separator = ","
      $0.unknown = .ignored
    }
    #expect(try zones().last?.contains(#""identifier":"X;Y""#) == true)
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\"", "é"] as [Character])
  func `a quote, the end of a line and a letter beyond ASCII separate no fields`(
    separator: Character
  ) throws {
    let before = try dump(store)
    expectError(.badArgument) {
      try load("identifier,latitude,area\nX,1,asia\n") { $0.separator = separator }
    }
    #expect(try dump(store) == before)
  }

  @Test func `objects that are there are updated column by column`() throws {
    let text = "identifier,latitude\nEurope/Andorra,1\n"
    #expect(try load(text, .update).text == "Zone: 1 updated\n")
    #expect(
      try zones().first
        == #"{"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","latitude":1.0,"country":{"key":"AD"},"area":"europe","comments":""}}"#
    )
    expectError(.objectExists) { try load(text, .fail) }
  }

  static let mistakes: [(text: String, line: Int, column: Int?, reason: String)] = [
    ("identifier,latitude,area\nX,north,asia\n", 2, 3, "this is not a number, in 'Zone.latitude'"),
    ("identifier,latitude,area\nX,1e999,asia\n", 2, 3, "1e999 is too large, in 'Zone.latitude'"),
    // It was loaded as 0.
    (
      "identifier,latitude,area\nX,1e-400,asia\n", 2, 3,
      "1e-400 would be rounded to 0.0, in 'Zone.latitude'"
    ),
    ("identifier,latitude,area\nX,\"1\"2,asia\n", 2, 6, "the separator or the end of the line"),
    ("identifier,latitude,area\nX,1\"2,asia\n", 2, 4, "a quote must be doubled"),
    ("identifier,latitude,area\nX,1\n", 2, nil, "the row has 2 fields, but the header has 3"),
    ("identifier,latitude,area\n\"a\nb\",1,asia\nX,\"1,asia\n", 4, 3, "the quote is not closed"),
    ("identifier,latitude,area\nX,,asia\n", 2, 3, "'latitude' is required and has no value"),
    ("identifier,area\nX,asia\n", 2, nil, "'latitude' is required and has no value"),
    ("identifier,identifier,area\nX,1,asia\n", 1, 12, "'identifier' occurs twice"),
    ("latitude,area\n1,asia\n", 2, nil, "it has no value for 'identifier', the primary key"),
    ("identifier,latitude,area\nX,1,asia\nX,1,asia\n", 3, nil, "the same primary key"),
    (
      "identifier,latitude,area,country\nX,1,asia,XX\n", 2, 10,
      "it links to object 'XX' of class 'Country', which does not exist, in 'Zone.country'"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake changes nothing, and is told with its line and column`(
    text: String, line: Int, column: Int?, reason: String
  ) throws {
    let before = try dump(store)
    let error = #expect(throws: InspectionError.self) { try load(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(try dump(store) == before)
  }

  @Test func `a column that is no property is an error that knows a better name`() throws {
    let error = #expect(throws: StoreError.self) { try load("identifer,latitude\nX,1\n") }
    #expect(error?.recovery.contains("'identifier'") == true)
    expectError(.badArgument) {
      try load("identifier\nX\n") { $0.properties = ["nome": "identifier"] }
    }
  }

  @Test func `links may lead to rows that follow`() throws {
    let path = folder.path("b.whimbrel")
    let node = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "key", type: .int, isPrimaryKey: true),
        PropertySchema(name: "next", type: .link(to: "Node")),
        PropertySchema(name: "all", type: .map(of: ElementType(.link(to: "Node")))),
      ])
    try makeStore(at: path, [node])
    let csv = "key,next,all\n1,2,\"{\"\"a\"\":\"\"2\"\"}\"\n2,1,\n"
    let source = folder.path("nodes.csv")
    try Data(csv.utf8).write(to: URL(filePath: source))
    try CSVImport(path: source, class: "Node", into: path, .merge(.fail)).run()
    var written: [UInt8] = []
    try ObjectTable(ObjectSelection(className: "Node"), of: StoreInspector(path: path))
      .writeCSV { written += $0 }
    #expect(
      String(decoding: written, as: UTF8.self)
        == "key,next,all\n1,2,\"{\"\"a\"\":\"\"2\"\"}\"\n2,1,{}\n")
  }

  /// The last of the links won.
  @Test func `a name that occurs twice in a map of links is an error`() throws {
    let path = folder.path("b.whimbrel")
    let node = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "key", type: .string, isPrimaryKey: true),
        PropertySchema(name: "all", type: .map(of: ElementType(.link(to: "Node")))),
      ])
    try makeStore(at: path, [node])
    let before = try dump(path)
    let row = #"a,"{""x"":""a"",""x"":""b""}""#
    let error = #expect(throws: InspectionError.self) {
      try loadNodes("key,all\n\(row)\nb,{}\n", into: path)
    }
    #expect(error?.line == 2)
    #expect(error?.column == 3)
    #expect(
      error?.message.contains("'x' occurs twice, in 'Node.all'") == true, "\(error?.message ?? "")")
    #expect(try dump(path) == before)
  }

  /// Makes a store of a class whose values of any type may lead to its own objects.
  private func makeNodes() throws -> String {
    let path = folder.path("b.whimbrel")
    let node = ClassSchema(
      name: "Node",
      properties: [
        PropertySchema(name: "key", type: .string, isPrimaryKey: true),
        PropertySchema(name: "value", type: .any),
      ])
    try makeStore(at: path, [node])
    return path
  }

  private func loadNodes(_ text: String, into path: String) throws {
    let source = folder.path("nodes.csv")
    try Data(text.utf8).write(to: URL(filePath: source))
    try CSVImport(path: source, class: "Node", into: path, .merge(.fail)).run()
  }

  /// Only keys that were in the store before could be named in a value of any type.
  @Test func `a value of any type leads to a row that follows, or to an object of the store`()
    throws
  {
    let path = try makeNodes()
    let first = #"a,"{""object"":{""class"":""Node"",""key"":""b""}}""#
    try loadNodes("key,value\n\(first)\n" + #"b,"{""int"":1}""# + "\n", into: path)
    let next = #"c,"{""list"":[{""object"":{""class"":""Node"",""link"":1}}]}""#
    try loadNodes("key,value\n\(next)\n", into: path)
    #expect(try integrityFindings(path) == [])
    #expect(
      try dump(path).split(separator: "\n").dropFirst() == [
        #"{"class":"Node","id":1,"values":{"key":"a","value":{"object":{"class":"Node","key":"b"}}}}"#,
        #"{"class":"Node","id":2,"values":{"key":"b","value":{"int":1}}}"#,
        #"{"class":"Node","id":3,"values":{"key":"c","value":{"list":[{"object":{"class":"Node","key":"a"}}]}}}"#,
      ])
  }

  /// The link to object 999 was committed.
  @Test(arguments: [("link\"\":999", "999"), ("key\"\":\"\"x\"\"", "x")])
  func `a value of any type that leads to no object is an error`(link: String, name: String)
    throws
  {
    let path = try makeNodes()
    let before = try dump(path)
    let row = #"a,"{""object"":{""class"":""Node"",""\#(link)}}""#
    let error = #expect(throws: InspectionError.self) {
      try loadNodes("key,value\n\(row)\n", into: path)
    }
    #expect(error?.line == 2)
    #expect(error?.column == 3)
    #expect(
      error?.message.contains("it links to object '\(name)' of class 'Node', which does not exist")
        == true, "\(error?.message ?? "")")
    #expect(try dump(path) == before)
  }

  @Test(.takesLong, arguments: 1...12 as ClosedRange<UInt64>)
  func `the objects of a random class come back`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    let path = folder.path("b.whimbrel")
    try maker.make(at: path)
    let inspector = try StoreInspector(path: path)
    for schema in inspector.schema.schemas
    where !schema.properties.contains(where: { $0.type.mayLink }) {
      guard !schema.properties.isEmpty else { continue }
      var csv: [UInt8] = []
      try ObjectTable(ObjectSelection(className: schema.name), of: inspector)
        .writeCSV { csv += $0 }
      let (source, copy) = (folder.path("c.csv"), folder.path("c.whimbrel"))
      try Data(csv).write(to: URL(filePath: source))
      let export = SchemaExport(
        schemaVersion: 1,
        classes: [.init(name: schema.name, properties: schema.properties)])
      try CSVImport(path: source, class: schema.name, into: copy, .newStore(export)).run()
      func values(_ path: String) throws -> [Substring] {
        try dump(path).split(separator: "\n")
          .filter { $0.hasPrefix(#"{"class":"\#(schema.name)","#) }
          .map { $0[($0.range(of: #""values""#)?.lowerBound ?? $0.startIndex)...] }
      }
      #expect(try values(copy) == values(path))
      try FileManager.default.removeItem(atPath: copy)
    }
  }
}

extension PropertyType {
  /// Whether values may lead to objects.
  fileprivate var mayLink: Bool {
    linkedClass != nil || self == .any || elementType?.type == .any
  }
}
