import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// Values at the edges of one type.
struct TypeEdges: Sendable, CustomTestStringConvertible {
  let type: PropertyType
  let values: [PropertyValue]

  // Without the values: Foundation traps when it describes a date of NaN seconds.
  var testDescription: String { type.description }

  init(_ type: PropertyType, _ values: [PropertyValue]) {
    self.type = type
    self.values = values
  }

  static let all = [
    TypeEdges(.bool, [false, true]),
    TypeEdges(.int8, [.int(-128), .int(127), 0]),
    TypeEdges(.int16, [.int(-32_768), .int(32_767)]),
    TypeEdges(.int32, [.int(Int64(Int32.min)), .int(Int64(Int32.max))]),
    TypeEdges(.int, [.int(.min), .int(.max), .int(9_007_199_254_740_993)]),
    TypeEdges(.uint8, [0, 255]),
    TypeEdges(.uint16, [0, 65_535]),
    TypeEdges(.uint32, [0, 4_294_967_295]),
    TypeEdges(
      .float,
      [
        .float(0), .float(-0.0), .float(0.1), .float(.greatestFiniteMagnitude),
        .float(.leastNonzeroMagnitude), .float(.infinity), .float(-.infinity), .float(.nan),
        .float(Float(bitPattern: 0x7FA0_0001)), .float(Float(bitPattern: 0xFFC0_0000)),
      ]),
    TypeEdges(
      .double,
      [
        .double(0), .double(-0.0), .double(0.1), .double(1e300), .double(.leastNonzeroMagnitude),
        .double(.pi), .double(1e16), .double(.infinity), .double(-.infinity), .double(.nan),
        .double(Double(bitPattern: 0x7FF4_0000_0000_0001)), .double(-.nan),
      ]),
    TypeEdges(
      .string,
      [
        "", "\u{0}", "a\u{0}b", "\"\\/\u{8}\u{C}\n\r\t\u{1F}\u{7F}", "Zürich 東京 👩‍👩‍👧‍👦", "e\u{301}",
        "\u{E9}", "\u{2028}\u{FEFF}", .string(String(repeating: "ä1", count: 400_000)),
      ]),
    TypeEdges(.data, [.data(Data()), .data(Data([0])), .data(Data((0...255).map { $0 }))]),
    TypeEdges(
      .date,
      [
        0, 0.1, -0.1, -0.0, 788_918_400, 785_000_000.123456, -63_113_904_000, -63_113_904_000.5,
        1e15, -1e300, .nan, .infinity,
      ].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }),
    TypeEdges(
      .uuid, [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))]),
    TypeEdges(
      .decimal,
      [
        "0", "1.5", "-0.001", "nan", "99999999999999999999999999999999999999", "1e127", "-1e-127",
        "123456789.012345678901234567890123456789",
      ].compactMap { Decimal(exactText: $0).map(PropertyValue.decimal) }),
    TypeEdges(
      .objectId,
      [
        "000000000000000000000000", "ffffffffffffffffffffffff", "0123456789abcdef01234567",
      ].compactMap { ObjectId($0).map(PropertyValue.objectId) }),
    TypeEdges(.any, anyValues + [.list(anyValues), .map(["all": .list(anyValues)])]),
  ]

  /// Every value above, but as one of any type: whole numbers of any width are the
  /// same there.
  private static var anyValues: [PropertyValue] {
    let long = PropertyValue.string(String(repeating: "long", count: 1_000))
    return [
      true, .int(.min), .float(0.1), .float(-0.0), .float(.nan), .double(.infinity), .double(0.1),
      .date(Date(timeIntervalSinceReferenceDate: -0.1)),
      .date(Date(timeIntervalSinceReferenceDate: .nan)), "", "\u{0}\"", long,
      .data(Data([0, 255])), .uuid(UUID()), .decimal(Decimal(-5)), .decimal(.nan),
      .objectId(.generate()), [], [:], [.null, [[]]], ["": 1, "\u{0}": .null],
    ]
  }
}

struct DumpRoundTripTests {
  @Test(.takesLong, arguments: TypeEdges.all)
  func `values at the edges of a type come back to the bit`(edges: TypeEdges) throws {
    let (type, values) = (edges.type, edges.values)
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    let schema = ClassSchema(
      name: "Edge",
      properties: [
        PropertySchema(name: "value", type: type),
        PropertySchema(name: "maybe", type: type, isOptional: type != .any),
      ])
    try makeStore(at: path, [schema]) { session in
      for value in values {
        for maybe in [value, .null] {
          _ = try session.table("Edge").create(["value": value, "maybe": maybe], replacing: false)
        }
      }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    try load(text, into: folder.path("b.whimbrel"))
    let session = try readOnlySession(folder.path("b.whimbrel"))
    defer { session.close() }
    let table = try session.table("Edge")
    for (index, id) in try table.objectIDs().enumerated() {
      let record = try #require(try table.record(id))
      #expect(try table.value(0, of: record, id).isIdentical(to: values[index / 2]))
      #expect(try table.value(1, of: record, id).isNull == (index % 2 == 1))
    }
  }

  @Test func `a dump is what its documentation says`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let lines = try dump(folder.path("a.whimbrel")).split(separator: "\n")
    #expect(
      lines == [
        #"{"whimbrel":"dump","version":2,"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10","created":"2026-01-01T00:00:00Z","schema":{"classes":[{"name":"Country","properties":[{"name":"code","primaryKey":true,"type":"string"},{"name":"name","type":"string"}]},{"name":"Zone","properties":[{"name":"identifier","primaryKey":true,"type":"string"},{"name":"latitude","type":"double"},{"name":"country","type":"<Country>"},{"cases":["europe","asia"],"indexed":true,"name":"area","type":"string"},{"default":{"value":{"string":""}},"name":"comments","type":"string"}]}],"schemaVersion":4},"objectIDs":[{"class":"Country","next":2,"objects":1},{"class":"Zone","next":3,"objects":2}],"history":[]}"#,
        #"{"class":"Country","id":1,"values":{"code":"AD","name":"Andorra"}}"#,
        #"{"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","latitude":42.5,"country":{"key":"AD"},"area":"europe","comments":""}}"#,
        #"{"class":"Zone","id":2,"values":{"identifier":"Asia/Kathmandu","latitude":27.75,"country":null,"area":"asia","comments":"a \"b\""}}"#,
      ])
    try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
  }

  @Test func `object IDs survive deletions, and are not given out again`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeStore(at: path, [Sample.country]) { session in
      let table = try session.table("Country")
      for code in ["AD", "AE", "AF"] {
        _ = try table.create(["code": .string(code), "name": ""], replacing: false)
      }
      try table.remove(ObjectID(rawValue: 1))
      try table.remove(ObjectID(rawValue: 3))
    }
    try load(dump(path), into: folder.path("b.whimbrel"))
    try expectRoundTrip(of: path, in: folder)
    try makeStore(at: folder.path("b.whimbrel"), [Sample.country]) { session in
      let table = try session.table("Country")
      #expect(try table.objectIDs() == [ObjectID(rawValue: 2)])
      let new = try table.create(["code": "AG", "name": ""], replacing: false)
      #expect(new == ObjectID(rawValue: 4))
    }
  }

  @Test func `a class whose IDs are its keys stays one`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    let numbered = ClassSchema(
      name: "Numbered",
      properties: [
        PropertySchema(name: "number", type: .int, isPrimaryKey: true),
        PropertySchema(name: "next", type: .link(to: "Numbered")),
      ])
    try makeStore(at: path, [numbered]) { session in
      for key: Int64 in [.min, -1, 0, 1, .max] {
        _ = try session.table("Numbered").create(["number": .int(key)], replacing: false)
      }
      let zero = ObjectID(clusteredKey: 0)
      try session.table("Numbered").update(zero) { encoder throws in try encoder.set(1, .link(zero))
      }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.contains(#""areKeys":true,"class":"Numbered","objects":5"#))
    #expect(text.contains(#""id":0,"values":{"number":"-9223372036854775808","#))
    #expect(
      text.contains(#""id":"18446744073709551615","values":{"number":"9223372036854775807","#))
    #expect(text.contains(#"{"number":0,"next":{"key":0}}"#))
  }

  @Test func `links lead forward, back and in circles`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    // 'Above' is dumped before 'Below', to which it links.
    let above = ClassSchema(
      name: "Above", properties: [PropertySchema(name: "below", type: .link(to: "Below"))])
    let below = ClassSchema(
      name: "Below", properties: [PropertySchema(name: "above", type: .link(to: "Above"))])
    try makeStore(at: path, [above, below]) { session in
      let (above, below) = (try session.table("Above"), try session.table("Below"))
      let target = try below.create([:], replacing: false)
      let source = try above.create(["below": .link(target)], replacing: false)
      try below.update(target) { encoder throws in try encoder.set(0, .link(source)) }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.split(separator: "\n").count == 3)
  }

  @Test func `an app opens a loaded store as it would the first one`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let text = try dump(folder.path("a.whimbrel"))
    let summary = try load(text, into: folder.path("b.whimbrel"))
    #expect(summary.classes == 2)
    #expect(summary.objects == 3)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "b.whimbrel"])
    try makeStore(at: folder.path("b.whimbrel"), [Sample.country, Sample.zone], version: 4) {
      let found = try $0.table("Zone").find("Asia/Kathmandu")
      #expect(found == ObjectID(rawValue: 2))
      #expect(try $0.table("Zone").find(3, equalTo: "europe") == [ObjectID(rawValue: 1)])
    }
  }

  @Test func `a large store is loaded in batches`() throws {
    let folder = try TestFolder()
    let schema = ClassSchema(
      name: "Number", properties: [PropertySchema(name: "number", type: .int, isIndexed: true)])
    try makeStore(at: folder.path("a.whimbrel"), [schema]) { session in
      for number in 0..<25_000 {
        _ = try session.table("Number").create(["number": .int(Int64(number))], replacing: false)
      }
    }
    try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
  }
}
