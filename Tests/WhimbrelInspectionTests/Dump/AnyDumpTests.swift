import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct AnyDumpTests {
  let folder: TestFolder
  let path: String
  static let schema = ClassSchema(
    name: "Note",
    properties: [
      PropertySchema(name: "value", type: .any),
      PropertySchema(name: "values", type: .list(of: ElementType(.any))),
    ])

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  /// The dump of a store with one object.
  private func dump(of values: [String: PropertyValue]) throws -> String {
    try makeStore(at: path, [Self.schema]) { session in
      _ = try session.table("Note").create(values, replacing: false)
    }
    return try expectRoundTrip(of: path, in: folder)
  }

  /// A list in a list in a list …
  private func nested(_ depth: Int) -> PropertyValue {
    (0..<depth).reduce("deep") { inner, level in level % 2 == 0 ? [inner] : ["a": inner] }
  }

  static let spellings: [(value: PropertyValue, text: String)] = [
    (.null, "null"), (true, #"{"bool":true}"#), (.int(.min), #"{"int":"-9223372036854775808"}"#),
    (.float(0.1), #"{"float":0.1}"#), (.float(-0.0), #"{"float":"-0"}"#),
    (.double(0.1), #"{"double":0.1}"#), (.double(.nan), #"{"double":"nan"}"#),
    ("a\"", #"{"string":"a\""}"#), (.data(Data([0, 1, 2])), #"{"data":"AAEC"}"#),
    (.date(Date(timeIntervalSinceReferenceDate: 0.5)), #"{"date":"2001-01-01T00:00:00.5Z"}"#),
    (.decimal(Decimal(sign: .minus, exponent: -1, significand: 15)), #"{"decimal":"-1.5"}"#),
    (
      .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
      #"{"uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"}"#
    ),
    (
      .objectId(ObjectId(high: 1, low: 255)), #"{"objectId":"0000000000000001000000ff"}"#
    ),
    ([], #"{"list":[]}"#), ([1, .null, [2]], #"{"list":[{"int":1},null,{"list":[{"int":2}]}]}"#),
    ([:], #"{"map":{}}"#), (["b": 1, "": .null], #"{"map":{"":null,"b":{"int":1}}}"#),
  ]

  @Test(arguments: spellings)
  func `a value says its kind`(value: PropertyValue, text: String) throws {
    let dump = try dump(of: ["value": value, "values": [value, value]])
    #expect(dump.contains(#""values":{"value":\#(text),"values":[\#(text),\#(text)]}"#))
  }

  @Test func `lists and maps may be nested 100 levels deep`() throws {
    let text = try dump(of: ["value": nested(100), "values": [nested(100)]])
    #expect(text.contains(#"{"string":"deep"}"#))
  }

  /// The smallest stack that a thread has by default, on any system.
  @Test func `the deepest value takes little of a thread's memory`() throws {
    let text = try dump(of: ["value": nested(100), "values": [nested(100)]])
    let copy = folder.path("b.whimbrel")
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      _ = try? load(text, into: copy)
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    #expect(try WhimbrelInspectionTestSupport.dump(copy) == text)
  }

  @Test func `one level more is an error`() throws {
    let text = try dump(of: ["value": ["deep"]])
    func wrapped(_ levels: Int) -> String {
      let heads = String(repeating: #"{"list":["#, count: levels)
      let tails = String(repeating: "]}", count: levels)
      return text.replacing(
        #"{"list":[{"string":"deep"}]}"#, with: heads + #"{"string":"deep"}"# + tails)
    }
    try load(wrapped(100), into: folder.path("b.whimbrel"))
    for (levels, reason) in [
      (101, "lists and maps are nested more than 100 levels deep"),
      (100_000, "the value is nested too deeply"),
    ] {
      let error = #expect(throws: InspectionError.self) {
        try load(wrapped(levels), into: folder.path("c.whimbrel"))
      }
      #expect(error?.line == 2)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `names of maps may be anything`() throws {
    let long = String(repeating: "x", count: 20_000)
    let names = ["", "\u{0}", "\"", "\n", "\\", "{\"a\":1}", "é", "名前", long]
    let map = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyValue.string($0)) })
    let text = try dump(of: ["value": .map(map)])
    #expect(text.contains(#"{"map":{"":{"string":""},"\u0000":{"string":"\u0000"},"\n":"#))
  }

  @Test func `an object of a class that is not there is an error`() throws {
    let lost = PropertyValue.object(
      ObjectReference(classID: ClassID(rawValue: 99), id: ObjectID(rawValue: 1)))
    for (position, value) in [(0, lost), (0, [["a": lost]]), (1, [1, lost])] {
      let path = folder.path("\(UUID().uuidString).whimbrel")
      try makeStore(at: path, [Self.schema]) { session in
        let table = try session.table("Note")
        let id = try table.create([:], replacing: false)
        try table.update(id) { encoder throws in try encoder.set(position, value) }
      }
      let error = #expect(throws: StoreError.self) { try WhimbrelInspectionTestSupport.dump(path) }
      #expect(error?.code == .damaged)
      #expect(
        error?.message.contains(
          "object 1 of class 'Note' cannot be read: it leads to an object of class 99, "
            + "which does not exist") == true, "\(error?.message ?? "")")
    }
  }
}
