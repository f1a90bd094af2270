import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

@testable import WhimbrelInspection

/// Mistakes in values of collections and of any type.
struct BadValueTests {
  let folder: TestFolder
  let header: String
  static let schema = ClassSchema(
    name: "Thing",
    properties: [
      PropertySchema(name: "list", type: .list(of: ElementType(.int8))),
      PropertySchema(name: "set", type: .set(of: ElementType(.date, isOptional: true))),
      PropertySchema(name: "map", type: .map(of: ElementType(.string))),
      PropertySchema(name: "things", type: .list(of: ElementType(.link(to: "Thing")))),
      PropertySchema(name: "decimal", type: .decimal, isOptional: true),
      PropertySchema(name: "identifier", type: .objectId, isOptional: true),
      PropertySchema(name: "any", type: .any),
      PropertySchema(name: "anys", type: .set(of: ElementType(.any))),
    ])

  init() throws {
    folder = try TestFolder()
    let scratch = try TestFolder()
    try makeStore(at: scratch.path("a.whimbrel"), [Self.schema])
    header = try dump(scratch.path("a.whimbrel")).replacing(#""objects":0"#, with: #""objects":1"#)
  }

  static let kindHint = "a value of any type is null, or has one member, its kind: {\"int\":5}"
  static let objectHint = "write an object as {\"class\":\"Country\",\"key\":\"AD\"}"

  /// Values, where in them the mistake is, and what it is.
  static let mistakes: [(values: String, column: Int?, reason: String)] = [
    (#""list":null"#, 7, "it holds '[int8]', but the value is null, in 'Thing.list'"),
    (#""list":{}"#, 7, "it holds '[int8]', but the value is an object, in 'Thing.list'"),
    (#""list":5"#, 7, "it holds '[int8]', but the value is a number, in 'Thing.list'"),
    (#""list":[1,null]"#, 10, "an element must be 'int8', but is null, in 'Thing.list'"),
    (#""list":[1,"x"]"#, 10, "an element must be 'int8', but is a string, in 'Thing.list'"),
    (#""list":[[1]]"#, 8, "an element must be 'int8', but is an array, in 'Thing.list'"),
    (#""list":[1,300]"#, 10, "300 does not fit into 'int8', in 'Thing.list'"),
    (#""list":[1,]"#, 10, "this is not valid JSON"),
    (#""set":["x"]"#, 7, "this is not a date such as 2025-05-01T12:30:00Z"),
    (#""set":[true]"#, 7, "an element must be 'date?', but is true or false, in 'Thing.set'"),
    (#""map":[]"#, 6, "it holds '[string: string]', but the value is an array, in 'Thing.map'"),
    (#""map":{"a":1}"#, 11, "an element must be 'string', but is a number, in 'Thing.map'"),
    (#""map":{"a":"","a":""}"#, 14, "'a' occurs twice"),
    (#""map":{"\u00e9":"","e\u0301":""}"#, 19, "occurs twice"),
    (#""map":{"":"x"}"#, 6, "the key is empty"),
    (#""things":[{"link":2}]"#, nil, "'things' of object 1 of class 'Thing' leads to object 2"),
    (#""things":[1]"#, 10, "an element must be '<Thing>', but is a number, in 'Thing.things'"),
    (#""decimal":1.5"#, 10, "it holds 'decimal', but the value is a number, in 'Thing.decimal'"),
    (#""decimal":"x""#, 10, "this is not a decimal number of up to 38 digits"),
    (#""decimal":"1e99999""#, 10, "this is not a decimal number"),
    (#""decimal":"1e-9223372036854775808""#, 10, "this is not a decimal number"),
    (
      #""decimal":"1234567890123456789012345678901234567891""#, 10,
      "this is not a decimal number"
    ),
    (#""identifier":"0123""#, 13, "this is not an object identifier of 24 hexadecimal digits"),
    (#""any":5"#, 6, kindHint), (#""any":{}"#, 6, kindHint), (#""any":[]"#, 6, kindHint),
    (#""any":{"int":1,"bool":true}"#, 6, kindHint),
    (#""any":{"int8":1}"#, 7, "unknown kind of value 'int8'"),
    (#""any":{"link":1}"#, 7, "unknown kind of value 'link'"),
    (#""any":{"int":null}"#, 13, "the kind is 'int', but the value is null"),
    (#""any":{"int":"5"}"#, 13, "the kind is 'int', but the value is a string"),
    (#""any":{"int":9223372036854775808}"#, 13, "9223372036854775808 does not fit into 'int'"),
    (#""any":{"list":{}}"#, 14, "the kind is 'list', but the value is an object"),
    (#""any":{"list":[1]}"#, 15, kindHint),
    (#""any":{"map":[]}"#, 13, "the kind is 'map', but the value is an array"),
    (#""any":{"map":{"a":null,"a":null}}"#, 23, "'a' occurs twice"),
    (#""any":{"object":5}"#, 16, objectHint),
    (#""any":{"object":{"class":"Thing"}}"#, 16, objectHint),
    (#""any":{"object":{"class":"Thing","link":1,"id":1}}"#, 16, objectHint),
    (#""any":{"object":{"class":"Thing","link":"1"}}"#, 16, objectHint),
    (#""any":{"object":{"class":"Thong","link":1}}"#, 25, "there is no class 'Thong'"),
    (
      #""any":{"list":[{"object":{"class":"Thing","link":7}}]}"#, nil,
      "'any' of object 1 of class 'Thing' leads to object 7 of class 'Thing', which is not in the dump"
    ),
    (
      #""anys":[{"map":{"a":{"object":{"class":"Thing","link":8}}}}]"#, nil,
      "'anys' of object 1 of class 'Thing' leads to object 8 of class 'Thing', which is not in the dump"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake in a value is told with its line and column`(
    values: String, column: Int?, reason: String
  ) throws {
    let start = #"{"class":"Thing","id":1,"values":{"#
    let error = try #require(
      #expect(throws: InspectionError.self) {
        try load(header + start + values + "}}\n", into: folder.path("b.whimbrel"))
      })
    #expect(error.code == .badDump)
    #expect(error.line == 2)
    #expect(error.message.contains(reason), "\(error.message)")
    if let column { #expect(error.column == start.count + column + 1) }
    #expect(try folder.names() == [])
  }

  @Test(arguments: seeds(150, long: 3_000))
  func `a dump of collections with a changed byte is an error or a whole store`(
    seed: UInt64
  ) throws {
    let values =
      #""list":[1,2],"set":[null,"2025-05-01T12:30:00Z"],"map":{"a":"b"},"things":[{"link":1}],"#
      + #""decimal":"-1.5e3","identifier":"0123456789abcdef01234567","any":{"map":{"a":{"list":"#
      + #"[{"object":{"class":"Thing","link":1}},{"int":1}]}}},"anys":[{"float":0.1},null]"#
    var random = SeededGenerator(seed: seed)
    var bytes = Array((#"{"class":"Thing","id":1,"values":{"# + values + "}}").utf8)
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let characters = Array(#""{}[]:,0123eE-.nul\a"#.utf8)
    bytes[place] = characters.randomElement(using: &random) ?? 0
    let path = folder.path("b.whimbrel")
    do {
      try StoreLoad(.data(Data(Array(header.utf8) + bytes)), into: path).run()
    } catch is InspectionError {
      #expect(try folder.names() == [])
      return
    }
    #expect(try integrityFindings(path) == [])
    try expectRoundTrip(of: path, in: folder)
  }

  @Test func `a long line that is no JSON is given up soon`() throws {
    var count = 0
    let source = DumpSource(name: "zeros") {
      count += 1
      return [UInt8](repeating: 0, count: 1 << 16)
    }
    #expect(throws: InspectionError.self) {
      try StoreLoad(source, into: folder.path("b.whimbrel")).run()
    }
    #expect(count < 100)
  }
}
