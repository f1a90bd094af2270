import Foundation
import Testing
import WhimbrelEngine
import WhimbrelImport
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct RealmImportTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Loads an export and returns the lines of objects.
  private func load(
    _ text: String, _ schema: SchemaExport = RealmSample.schema,
    _ change: (inout RealmImport.Options) -> Void = { _ in }
  ) throws -> (lines: [String], summary: MergeSummary) {
    let (source, store) = (folder.path("export.json"), folder.path("a.whimbrel"))
    try Data(text.utf8).write(to: URL(filePath: source))
    var options = RealmImport.Options()
    change(&options)
    let summary = try RealmImport(path: source, into: store, .newStore(schema), options).run()
    #expect(try integrityFindings(store) == [])
    try expectRoundTrip(of: store, in: folder)
    return (try dump(store).split(separator: "\n").dropFirst().map(String.init), summary)
  }

  private func failure(
    _ text: String, _ schema: SchemaExport = RealmSample.schema,
    _ change: (inout RealmImport.Options) -> Void = { _ in }
  ) throws -> InspectionError? {
    do {
      _ = try load(text, schema, change)
    } catch let error as InspectionError {
      #expect(try folder.names() == ["export.json"])
      return error
    }
    return nil
  }

  private static let countries = [
    #"{"class":"Country","id":1,"values":{"code":"AD","name":"Andorra"}}"#,
    #"{"class":"Country","id":2,"values":{"code":"FR","name":"France"}}"#,
  ]
  private static let stations = [
    #"{"class":"Station","id":1,"values":{"name":"Vella","height":1023}}"#,
    #"{"class":"Station","id":2,"values":{"name":"A","height":1}}"#,
    #"{"class":"Station","id":3,"values":{"name":"B","height":null}}"#,
  ]

  private static func notes(secondLeadsTo next: String) -> [String] {
    [
      #"{"class":"Note","id":1,"values":{"text":"first","zone":{"key":"Europe/Andorra"},"next":{"link":2}}}"#,
      #"{"class":"Note","id":2,"values":{"text":"second","zone":null,"next":"# + next + "}}",
      #"{"class":"Note","id":3,"values":{"text":"third","zone":{"key":"Europe/Paris"},"next":null}}"#,
    ]
  }

  private static func zones(flag: String, neighbours: (String, String)) -> [String] {
    [
      #"{"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","latitude":42.5,"#
        + #""population":79824,"country":{"key":"AD"},"area":"europe","flag":"# + flag
        + #","checked":"2025-05-01T12:30:00.25Z","token":"6B9F2A3E-0F6F-4D6C-9D8E-2F1F1A7E9C11","#
        + #""price":"12.5","oid":"507f1f77bcf86cd799439011","tags":["a","ä \"x\""],"neighbours":["#
        + neighbours.0 + #"],"station":{"link":1},"stations":[{"link":2},{"link":3}],"#
        + #""mixed":{"int":5}}}"#,
      #"{"class":"Zone","id":2,"values":{"identifier":"Europe/Paris","latitude":48.87,"#
        + #""population":2102650,"country":{"key":"FR"},"area":null,"flag":null,"checked":null,"#
        + #""token":"00000000-0000-4000-8000-000000000001","price":"-0.001","#
        + #""oid":"507f191e810c19729de860ea","tags":[],"neighbours":["# + neighbours.1
        + #"],"station":null,"stations":[],"mixed":{"string":"text"}}}"#,
    ]
  }

  @Test func `objects that are nested are found again by their keys and values`() throws {
    let (lines, summary) = try load(RealmExports.nested)
    #expect(
      lines == Self.countries + Self.notes(secondLeadsTo: "null") + Self.stations
        + Self.zones(flag: #""AAHDvw==""#, neighbours: ("", "")))
    #expect(summary.text == "Country: 2 added\nNote: 3 added\nStation: 3 added\nZone: 2 added\n")
    #expect(summary.notes == [])
  }

  @Test func `objects that form circles are found by what refers to them`() throws {
    let (lines, _) = try load(RealmExports.circular)
    #expect(
      lines == Self.countries + Self.notes(secondLeadsTo: #"{"link":1}"#) + Self.stations
        + Self.zones(
          flag: #""AAHDvw==""#,
          neighbours: (#"{"key":"Europe/Paris"}"#, #"{"key":"Europe/Andorra"}"#)))
  }

  @Test func `a flatted export is read, and what it has lost is named`() throws {
    let error = try #require(try failure(RealmExports.flatted))
    #expect(error.code == .lossyImport)
    #expect(
      error.message.hasSuffix(
        "without loss:\n  - Zone 'Europe/Andorra', 'flag': data, which this version of Realm "
          + "Studio does not export"))
    let (lines, summary) = try load(RealmExports.flatted) { $0.losses = .allowed }
    #expect(
      lines == Self.countries + Self.notes(secondLeadsTo: #"{"link":1}"#) + Self.stations
        + Self.zones(
          flag: "null", neighbours: (#"{"key":"Europe/Paris"}"#, #"{"key":"Europe/Andorra"}"#)))
    #expect(
      summary.notes == [
        "Lost: Zone 'Europe/Andorra', 'flag': data, which this version of Realm Studio does not "
          + "export."
      ])
  }

  @Test func `links that are primary keys lead to the objects`() throws {
    let (lines, _) = try load(RealmExports.keys)
    #expect(lines.prefix(5) == (Self.countries + Self.notes(secondLeadsTo: "null"))[...])
    #expect(lines[5].contains(#""country":{"key":"AD"}"#))
    #expect(lines[5].contains(#""flag":"AAHDvw==""#))
    #expect(lines[6].contains(#""neighbours":[{"key":"Europe/Paris"}]"#))
  }

  @Test func `the same export gives the same store`() throws {
    let source = folder.path("export.json")
    try Data(RealmExports.circular.utf8).write(to: URL(filePath: source))
    let identity = StoreIdentity(uuid: UUID(), date: Date(timeIntervalSinceReferenceDate: 0))
    for name in ["a.whimbrel", "b.whimbrel"] {
      try RealmImport(
        path: source, into: folder.path(name), .newStore(RealmSample.schema, identity)
      ).run()
    }
    #expect(try dump(folder.path("a.whimbrel")) == dump(folder.path("b.whimbrel")))
  }

  @Test func `objects that look the same are told`() throws {
    let text = #"""
      {"Note":[{"text":"x","zone":null,"next":null},{"text":"x","zone":null,"next":null},
      {"text":"y","zone":null,"next":{"text":"x","zone":null,"next":null}}]}
      """#
    let (lines, summary) = try load(text)
    #expect(lines.last?.contains(#""next":{"link":1}"#) == true)
    #expect(
      summary.notes == [
        "Note number 3, 'next': 2 objects of class 'Note' are equal and have no primary key. "
          + "The link leads to the first one."
      ])
  }

  // Links led to the first place, with a note that both places are equal.
  @Test(arguments: [
    (#""price":{"$numberDecimal":"1.5"}"#, #""price":{"$numberDecimal":"2.5"}"#),
    (#""names":{"en":"a"}"#, #""names":{"en":"b"}"#),
    (#""names":{"en":"a"}"#, #""names":{"fr":"a"}"#),
    (#""zones":{"a":{"identifier":"GMT"}}"#, #""zones":{"a":{"identifier":"UTC"}}"#),
    (#""position":{"latitude":1}"#, #""position":{"latitude":2}"#),
    (
      #""next":{"position":{"latitude":1},"next":null}"#,
      #""next":{"position":{"latitude":2},"next":null}"#
    ),
  ])
  func `objects without primary keys are found by all of their values`(
    first: String, second: String
  ) throws {
    let text = #"""
      {"Zone":[{"identifier":"GMT"},{"identifier":"UTC"}],
      "Place":[{"position":{"latitude":1},"next":null},{"position":{"latitude":2},"next":null},
      {\#(first)},{\#(second)},{"next":{\#(second)}}]}
      """#
    let (lines, summary) = try load(text, Self.places)
    let last = lines.first { $0.contains(#""Place","id":5,"#) }
    #expect(last?.contains(#""next":{"link":4}"#) == true)
    #expect(summary.notes == [])
  }

  private static let places = SchemaExport(
    schemaVersion: 1,
    classes: [
      SchemaExport.ClassExport(
        name: "Place",
        properties: [
          PropertySchema(name: "price", type: .decimal, isOptional: true),
          PropertySchema(name: "names", type: .map(of: ElementType(.string))),
          PropertySchema(name: "zones", type: .map(of: ElementType(.link(to: "Zone")))),
          PropertySchema(name: "position", type: .link(to: "Position")),
          PropertySchema(name: "next", type: .link(to: "Place")),
        ]),
      SchemaExport.ClassExport(
        name: "Position", isEmbedded: true,
        properties: [PropertySchema(name: "latitude", type: .int)]),
      SchemaExport.ClassExport(
        name: "Zone",
        properties: [PropertySchema(name: "identifier", type: .string, isPrimaryKey: true)]),
    ])

  static let mistakes: [(old: String, new: String, reason: String)] = [
    (#""latitude": 42.5"#, #""latitude": "north""#, "Zone 'Europe/Andorra': this is not a number"),
    // It was loaded as 0.
    (#""latitude": 42.5"#, #""latitude": 1e-400"#, "1e-400 would be rounded to 0.0"),
    (#""latitude": 42.5"#, #""latitud": 42.5"#, "did you mean 'latitude'?"),
    (
      #""population": 79824"#, #""population": 1.5"#,
      "Zone 'Europe/Andorra': 1.5 does not fit into 'int', in 'Zone.population'"
    ),
    (#""population": 79824"#, #""population": null"#, "it is required, but the value is null"),
    (#""2025-05-01T12:30:00.250Z""#, #""yesterday""#, "this is not a date"),
    (#""Country": ["#, #""County": ["#, "the store has no class 'County'"),
    (#""code": "FR""#, #""code": "AD""#, "an earlier object has the same primary key"),
    (#""latitude": 42.5,"#, #""latitude": 42.5,,"#, "in the value that begins in line"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with the object that it is in`(
    old: String, new: String, reason: String
  ) throws {
    try #require(RealmExports.nested.contains(old))
    // Everywhere: of the copies of an object with a primary key only that is read.
    let text = RealmExports.nested.replacing(old, with: new)
    let error = try #require(try failure(text))
    #expect(error.message.contains(reason), "\(error.message)")
  }

  /// They were left out, and nothing said so.
  @Test(arguments: [
    (#""position":"north""#, "'position' holds '<Position>'", "the value is a string"),
    (
      #""all":[{"latitude":1},null]"#, "'all' holds '[<Position>]'", "an element is null"
    ),
    (
      #""named":{"a":{"latitude":1},"b":3}"#, "'named' holds '[string: <Position>]'",
      "the value of 'b' is a number"
    ),
    (#""all":5"#, "'all' holds '[<Position>]'", "the value is a number"),
  ])
  func `a value that is not an embedded object is an error`(
    member: String, property: String, problem: String
  ) throws {
    let schema = SchemaExport(
      schemaVersion: 1,
      classes: [
        SchemaExport.ClassExport(
          name: "Place",
          properties: [
            PropertySchema(name: "position", type: .link(to: "Position")),
            PropertySchema(name: "all", type: .list(of: ElementType(.link(to: "Position")))),
            PropertySchema(name: "named", type: .map(of: ElementType(.link(to: "Position")))),
          ]),
        SchemaExport.ClassExport(
          name: "Position", isEmbedded: true,
          properties: [PropertySchema(name: "latitude", type: .int)]),
      ])
    let error = try #require(try failure(#"{"Place":[{\#(member)}]}"#, schema))
    #expect(
      error.message.contains("Place number 1: \(property), embedded objects, but \(problem)"),
      "\(error.message)")
  }

  @Test func `a link to an object that is not there is an error`() throws {
    let text = RealmExports.keys.replacing(#""country": "FR""#, with: #""country": "XX""#)
    #expect(
      try failure(text)?.message.contains(
        "Zone 'Europe/Paris': it links to object 'XX' of class 'Country', which does not exist")
        == true)
  }

  @Test func `what the schema has not is left out when that is wanted, and told`() throws {
    let text = RealmExports.keys.replacing(#""area":"#, with: #""aria":"#)
    let (_, summary) = try load(text) { $0.unknown = .ignored }
    #expect(summary.notes == ["The values of 'Zone.aria' were left out."])
  }

  @Test(arguments: ["nested", "circular", "flatted"])
  func `an export cut anywhere is an error`(form: String) throws {
    let text = [
      "nested": RealmExports.nested, "circular": RealmExports.circular,
      "flatted": RealmExports.flatted,
    ][form, default: ""]
    for length in stride(from: 0, to: text.utf8.count, by: 211) {
      let cut = String(decoding: Array(text.utf8).prefix(length), as: UTF8.self)
      #expect(try failure(cut) { $0.losses = .allowed } != nil, "\(length)")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `an export with changed bytes is an error or a whole store`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let forms = [RealmExports.nested, RealmExports.circular, RealmExports.flatted]
    var bytes = Array(forms[Int(seed % 3)].utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = Array(#"0123456789"{}[],:$x"#.utf8).randomElement(using: &random) ?? 0
    }
    let source = folder.path("export.json")
    try Data(bytes).write(to: URL(filePath: source))
    var options = RealmImport.Options()
    options.losses = .allowed
    options.unknown = .ignored
    let store = folder.path("a.whimbrel")
    do {
      try RealmImport(path: source, into: store, .newStore(RealmSample.schema), options).run()
    } catch is InspectionError {
      #expect(try folder.names() == ["export.json"])
      return
    }
    #expect(try integrityFindings(store) == [])
  }

  // It was refused, because it did not begin with a bracket.
  @Test(arguments: [RealmExports.nested, RealmExports.flatted])
  func `an export may begin with a byte order mark`(text: String) throws {
    let lines = try load(text) { $0.losses = .allowed }.lines
    let (source, store) = (folder.path("marked.json"), folder.path("b.whimbrel"))
    try Data("\u{FEFF}\(text)".utf8).write(to: URL(filePath: source))
    var options = RealmImport.Options()
    options.losses = .allowed
    try RealmImport(path: source, into: store, .newStore(RealmSample.schema), options).run()
    #expect(try dump(store).split(separator: "\n").dropFirst().map(String.init) == lines)
  }

  @Test(arguments: ["nested", "circular", "flatted"])
  func `a schema is guessed from the values`(form: String) throws {
    let text = [
      "nested": RealmExports.nested, "circular": RealmExports.circular,
      "flatted": RealmExports.flatted,
    ][form, default: ""]
    let source = folder.path("export.json")
    try Data(text.utf8).write(to: URL(filePath: source))
    let guess = try RealmSchema(
      path: source, primaryKeys: ["Zone": "identifier", "Country": "code"])
    let zone = try #require(guess.schema.classes.first { $0.name == "Zone" })
    let types = Dictionary(
      uniqueKeysWithValues: zone.properties.map {
        ($0.name, "\($0.type)\($0.isOptional ? "?" : "")")
      })
    #expect(types["latitude"] == "double")
    #expect(types["population"] == "int")
    #expect(types["country"] == "<Country>?")
    #expect(types["area"] == "string?")
    #expect(types["checked"] == "date?")
    #expect(types["token"] == "uuid")
    #expect(types["price"] == "decimal")
    #expect(types["oid"] == "objectId")
    #expect(types["tags"] == "[string]")
    #expect(types["mixed"] == "any")
    #expect(types["station"] == (form == "circular" ? "<Station>?" : "<ZoneStation>?"))
    #expect(zone.properties.filter(\.isPrimaryKey).map(\.name) == ["identifier"])
    _ = try load(text, guess.schema) { $0.losses = .allowed }
  }

  // The guess was 'double', so the load failed.
  @Test func `integers that a double would round beside fractions are values of any type`() throws {
    let text = #"""
      {"A":[{"x":9007199254740993,"y":9007199254740992},{"x":1.5,"y":1.5}]}
      """#
    let source = folder.path("export.json")
    try Data(text.utf8).write(to: URL(filePath: source))
    let schema = try RealmSchema(path: source, primaryKeys: [:]).schema
    #expect(schema.classes[0].properties.map(\.type.description) == ["any", "double"])
    let lines = try load(text, schema) { $0.losses = .allowed }.lines
    #expect(lines[0].contains(#""x":{"int":"9007199254740993"},"y":9007199254740992"#))
    #expect(lines[1].contains(#""x":{"double":1.5},"y":1.5"#))
  }

  // The loss was an object whose class the export does not name.
  @Test(arguments: ["Infinity", "-Infinity", "1E+6144"])
  func `a decimal of any type that does not fit is named`(number: String) throws {
    let schema = SchemaExport(
      schemaVersion: 1,
      classes: [
        SchemaExport.ClassExport(
          name: "Note", properties: [PropertySchema(name: "mixed", type: .any)])
      ])
    let text = #"{"Note":[{"mixed":{"$numberDecimal":"\#(number)"}}]}"#
    let (lines, summary) = try load(text, schema) { $0.losses = .allowed }
    #expect(lines == [#"{"class":"Note","id":1,"values":{"mixed":null}}"#])
    let value = number.replacing("+", with: "")
    #expect(
      summary.notes == [
        "Lost: Note number 1, 'mixed': \(value), which is not a decimal number of up to 38 digits."
      ])
  }
}
