import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct ObjectTableTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  private func text(
    _ selection: String, columns: String? = nil, width: Int? = nil, styling: TextStyling = .plain
  ) throws -> String {
    let table = try ObjectTable(
      ObjectSelection(selection), columns: columns, of: StoreInspector(path: path))
    var text = ""
    _ = try table.writeText(TableFormat(width: width, styling: styling)) { text += $0 }
    return text
  }

  private enum Form {
    case csv, json
  }

  private func data(
    _ form: Form, _ selection: String, columns: String? = nil
  ) throws -> String {
    let table = try ObjectTable(
      ObjectSelection(selection), columns: columns, of: StoreInspector(path: path))
    var bytes: [UInt8] = []
    try form == .csv ? table.writeCSV { bytes += $0 } : table.writeJSONLines { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Values

  @Test func `every type has a text in one line`() throws {
    try EveryType.make(at: path)
    let columns = EveryType.thing.properties.map(\.name)
    let cells = try columns.map { name in
      try text("Thing", columns: name).split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(cells.map { $0[0] } == columns)
    #expect(
      cells.map { $0[1] } == [
        "true", "-128", "4294967295", "0.5", "-inf", #"a,"b"\r\n\u{1B}[31m"#, "1 byte",
        "2001-01-01T00:00:00.25Z", EveryType.uuid.uuidString, "1.5", "000000000000000100000002",
        "Other 7", "Other -8", "Keyless id:1", "[4] x, nil, , nil", "{2} 1, 3",
        "[2] a: nan, b: 2.0",
        "[1] Other 7", "[3] 1, [1] k: [2] Other 7, nil, s",
      ])
    #expect(
      cells.map { $0[2] } == [
        "nil", "0", "0", "-0", "nil", "", "0 bytes", "-63114076800.0 s since 2001",
        EveryType.uuid.uuidString, "0", "000000000000000000000000", "nil", "nil", "nil", "[0]",
        "{0}", "[0]", "[0]", "[0]",
      ])
  }

  @Test func `every type has a field of CSV, and nil is not an empty text`() throws {
    try EveryType.make(at: path)
    #expect(
      try data(.csv, "Thing") == #"""
        bool,int8,uint32,float,double,text,data,date,uuid,decimal,objectId,any,link,bare,list,set,\#
        map,links,anys
        true,-128,4294967295,0.5,-inf,"a,""b""\#r\#n\#u{1B}[31m",AQ==,2001-01-01T00:00:00.25Z,\#
        01020304-0506-0708-090A-0B0C0D0E0F10,1.5,000000000000000100000002,\#
        "{""object"":{""class"":""Other"",""key"":7}}",-8,id:1,"[""x"",null,"""",""nil""]",\#
        "[1,3]","{""a"":""nan"",""b"":2.0}","[""7""]",\#
        "[{""int"":1},{""map"":{""k"":{""list"":[{""object"":{""class"":""Other"",""key"":\#
        7}},null]}}},{""string"":""s""}]"
        ,0,0,-0,,"","",-63114076800.0,01020304-0506-0708-090A-0B0C0D0E0F10,0,\#
        000000000000000000000000,,,,[],[],{},[],[]

        """#)
  }

  @Test func `chosen columns are members of JSON`() throws {
    try EveryType.make(at: path)
    #expect(
      try data(
        .json, "Thing", columns: "#, link.key, text, any, links.key, map['b'], map, SELF") == """
          {"#":1,"link.key":-8,"text":"a,\\"b\\"\\r\\n\\u001b[31m",\
          "any":{"object":{"class":"Other","key":7}},"links.key":[7],"map['b']":2.0,\
          "map":{"a":"nan","b":2.0},"SELF":{"link":1}}
          {"#":2,"link.key":null,"text":"","any":null,"links.key":[],"map['b']":null,"map":{},\
          "SELF":{"link":2}}

          """)
  }

  /// A name as a selection has it, whatever characters it has.
  private func quoted(_ name: String) -> String {
    "'"
      + name.unicodeScalars.map { "'\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
      + "'"
  }

  @Test(arguments: seeds(12, long: 100))
  func `the lines of all objects are those of a dump`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: path)
    let classes = try StoreInspector(path: path).classList().classes.map(\.name)
    let lines = try classes.map { try data(.json, quoted($0)) }
    let dump = try dump(path)
    #expect(
      lines.joined() == dump[dump.index(after: dump.firstIndex(of: "\n") ?? dump.endIndex)...])
  }

  @Test(arguments: 25...32 as ClosedRange<UInt64>)
  func `a table of any store has its width and no control characters`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: path)
    for name in try StoreInspector(path: path).classList().classes.map(\.name) {
      for width in [20, 80, nil] {
        let lines = try text(quoted(name), width: width).split(separator: "\n")
        for line in lines {
          // Numbers are never cut; they are at most so long.
          if let width { #expect(DisplayWidth.of(String(line)) <= max(width, 60)) }
          #expect(PlainText.escaped(String(line)) == line)
        }
      }
    }
  }

  // MARK: Columns

  private func makeZones(_ count: Int, _ name: (Int) -> String) throws {
    try makeStore(at: path, [Sample.country, Sample.zone]) { session in
      for number in 0..<count {
        _ = try session.table("Zone").create(
          [
            "identifier": .string(name(number)), "latitude": .double(Double(number)),
            "area": "asia",
          ], replacing: false)
      }
    }
  }

  @Test func `columns without room are left out and named`() throws {
    try Sample.make(at: path)
    let table = try ObjectTable(ObjectSelection("Zone"), of: StoreInspector(path: path))
    var text = ""
    let summary = try table.writeText(TableFormat(width: 34)) { text += $0 }
    #expect(
      text == """
        #  identifier      latitude
        1  Europe/Andorra      42.5
        2  Asia/Kathmandu     27.75

        """)
    #expect(summary.rowCount == 2)
    #expect(summary.hiddenColumns == ["country", "area", "comments"])
  }

  @Test(arguments: [1, 20])
  func `a terminal of one column is taken for one of twenty`(width: Int) throws {
    try Sample.make(at: path)
    #expect(
      try text("Zone", width: width) == """
        #  identifier
        1  Europe/Andorra
        2  Asia/Kathmandu

        """)
  }

  @Test func `chosen columns are all shown, and cut where they are widest`() throws {
    try Sample.make(at: path)
    #expect(
      try text("Zone", columns: "identifier, latitude, country.name, area", width: 34) == """
        identi…  latitude  countr…  europe
        """.replacing("europe", with: "area") + "\n"
        + "Europe…      42.5  Andorra  europe\n" + "Asia/K…     27.75  nil      asia\n")
  }

  @Test func `the primary key stands first, and wide tables have everything`() throws {
    try makeStore(
      at: path,
      [
        ClassSchema(
          name: "Thing",
          properties: [
            PropertySchema(name: "text", type: .string),
            PropertySchema(name: "key", type: .int, isPrimaryKey: true),
          ])
      ]
    ) { session in
      _ = try session.table("Thing").create(
        ["text": .string(String(repeating: "x", count: 1_001)), "key": 5], replacing: false)
    }
    let row = try text("Thing").split(separator: "\n")[1]
    #expect(row == ("  5  " + String(repeating: "x", count: 1_000) + "…"))
    #expect(try data(.json, "Thing").contains(#""values":{"text":"xxx"#))
  }

  @Test func `widths are those of the first thousand rows`() throws {
    try makeZones(1_003) { number in
      number < 1_000 ? "zone \(number)" : "a long name \(number)"
    }
    let lines = try text("Zone", columns: "#,identifier,latitude", width: 80)
      .split(separator: "\n")
    #expect(lines.count == 1_004)
    #expect(lines[1_000] == "1000  zone 999       999.0")
    #expect(lines[1_001] == "1001  a long na…    1000.0")
  }

  @Test func `nothing is read before it is written, and pieces end with a line`() throws {
    try makeZones(5_000) { "zone \($0)" }
    let table = try ObjectTable(ObjectSelection("Zone"), of: StoreInspector(path: path))
    struct Enough: Error {}
    var pieces: [String] = []
    #expect(throws: Enough.self) {
      _ = try table.writeText(TableFormat(width: 80)) { text in
        pieces.append(text)
        throw Enough()
      }
    }
    #expect(pieces.count == 1)
    #expect(pieces[0].filter { $0 == "\n" }.count == 1_001)
    for write in [table.writeCSV, table.writeJSONLines] {
      var count = 0
      try write { bytes in
        count += 1
        #expect(bytes.last == 0x0A)
      }
      #expect(count > 1)
    }
  }

  @Test func `colours say what is what`() throws {
    try Sample.make(at: path)
    let lines = try text("Zone", columns: "#,identifier,country", styling: .coloured)
      .split(separator: "\n")
    #expect(
      lines[2] == "\u{1B}[2m2\u{1B}[0m  \u{1B}[36mAsia/Kathmandu\u{1B}[0m  \u{1B}[2mnil\u{1B}[0m")
  }

  // MARK: Rows

  @Test(
    arguments: [
      (0, nil, [0, 1, 2, 3, 4]), (0, 2, [0, 1]), (2, nil, [2, 3, 4]), (3, 5, [3, 4]), (5, 1, []),
      (.max, 1, []), (.max, nil, []), (0, 0, []), (1, .max, [1, 2, 3, 4]),
    ] as [(Int, Int?, [Int])])
  func `an offset and a limit say which objects`(
    offset: Int, limit: Int?, expected: [Int]
  ) throws {
    try makeZones(5) { "\($0)" }
    for query in ["", "TRUEPREDICATE", "SORT(identifier ASC)"] {
      let table = try ObjectTable(
        ObjectSelection(className: "Zone", query: query), columns: "identifier", offset: offset,
        limit: limit, of: StoreInspector(path: path))
      var bytes: [UInt8] = []
      try table.writeCSV { bytes += $0 }
      let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      #expect(rows.map(String.init) == expected.map(String.init))
    }
  }

  @Test func `an empty class has headings alone`() throws {
    try makeStore(at: path, [Sample.country, ClassSchema(name: "Nothing", properties: [])])
    #expect(try text("Country") == "#  code  name\n")
    #expect(try data(.csv, "Country") == "code,name\n")
    #expect(try data(.json, "Country") == "")
    #expect(try text("Nothing") == "#\n")
  }

  @Test func `a class without properties has lines of its objects`() throws {
    try makeStore(at: path, [ClassSchema(name: "Nothing", properties: [])]) { session in
      _ = try session.table("Nothing").create([:], replacing: false)
    }
    #expect(try text("Nothing") == "#\n1\n")
    #expect(
      try data(.json, "Nothing") == #"{"class":"Nothing","id":1,"values":{}}"# + "\n")
  }

  /// Sets keep objects by the number of their class, and a dump has them by its name. The lines and
  /// the fields kept the order of the store, so that they were not those of a dump.
  @Test func `sets of objects of several classes stand in the order of a dump`() throws {
    let thing = ClassSchema(
      name: "Thing", properties: [PropertySchema(name: "set", type: .set(of: ElementType(.any)))])
    let area = ClassSchema(name: "Area", properties: [])
    // 'Thing' gets the first number.
    try makeStore(at: path, [thing])
    try makeStore(at: path, [thing, area], version: 2) { session in
      let things = try session.table("Thing")
      let objects = try [things, session.table("Area")].map { table in
        let id = try table.create([:], replacing: false)
        return PropertyValue.object(ObjectReference(classID: table.resolved.id, id: id))
      }
      let lists = objects.map { PropertyValue.list([$0]) }
      try things.update(ObjectID(rawValue: 1)) { encoder throws in
        try encoder.set(0, .list(objects + lists))
      }
    }
    let (first, second) = (
      #"{"object":{"class":"Area","link":1}}"#, #"{"object":{"class":"Thing","link":1}}"#
    )
    let set = #"[\#(first),\#(second),{"list":[\#(first)]},{"list":[\#(second)]}]"#
    let line = #"{"class":"Thing","id":1,"values":{"set":\#(set)}}"# + "\n"
    #expect(try dump(path).hasSuffix(line))
    #expect(try data(.json, "Thing") == line)
    #expect(try data(.json, "Thing", columns: "set") == #"{"set":\#(set)}"# + "\n")
    #expect(
      try data(.csv, "Thing") == "set\n\"\(set.replacing("\"", with: "\"\""))\"\n")
  }

  // MARK: Errors

  @Test(arguments: [
    ("nam", "'Country' has no property 'nam'", "Did you mean 'name'?"),
    ("name.x", "a path cannot continue from values of the type 'string'", "A path can continue"),
    ("name code", "expected a dot or the end after 'name'", "Separate paths with commas."),
    ("name,", "expected a path at the beginning", "Write a path"),
    ("name > 5", "expected a dot or the end after 'name'", "Separate paths with commas."),
    ("@links.Zon.country", "there is no class 'Zon'", "Did you mean 'Zone'?"),
  ])
  func `a column that is none is an error`(columns: String, reason: String, hint: String) throws {
    try Sample.make(at: path)
    let error = try #require(throws: InspectionError.self) { try text("Country", columns: columns) }
    #expect(error.code == .badArgument)
    #expect(error.message.hasSuffix(": \(reason)."))
    #expect(error.recovery.hasPrefix(hint))
  }

  @Test func `a query is checked when the table is made`() throws {
    try Sample.make(at: path)
    func code(_ selection: String) -> StoreError.Code? {
      #expect(throws: StoreError.self) { try text(selection) }?.code
    }
    #expect(code("Zone where latitude >") == .invalidQuery)
    #expect(code("Zone where latitude > 'x'") == .queryMismatch)
    #expect(code("Zon") == .unknownClass)
  }
}
