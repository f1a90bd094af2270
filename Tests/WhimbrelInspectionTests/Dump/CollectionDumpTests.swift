import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct CollectionDumpTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("a.whimbrel")
  }

  /// Makes a store of one class 'Thing' and objects of values; returns the lines of
  /// the objects in its dump.
  private func lines(
    _ properties: [PropertySchema], _ objects: [[String: PropertyValue]]
  ) throws -> [String] {
    try makeStore(at: path, [ClassSchema(name: "Thing", properties: properties)]) { session in
      for values in objects {
        _ = try session.table("Thing").create(values, replacing: false)
      }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    return text.split(separator: "\n").dropFirst().map { line in
      String(line.drop { $0 != "v" }.dropFirst(#"values":"#.count).dropLast())
    }
  }

  @Test func `lists, sets and maps are arrays and objects`() throws {
    let found = try lines(
      [
        PropertySchema(name: "list", type: .list(of: ElementType(.int8, isOptional: true))),
        PropertySchema(name: "set", type: .set(of: ElementType(.string))),
        PropertySchema(name: "map", type: .map(of: ElementType(.double, isOptional: true))),
      ],
      [
        [:],
        [
          "list": [3, .null, 3, .int(-128)], "set": ["b", "a", "b"], "map": ["x": .null, "a": 0.5],
        ],
        ["list": [.null], "set": [""], "map": ["a\u{0}\"\n\\": .double(.nan)]],
      ])
    #expect(
      found == [
        #"{"list":[],"set":[],"map":{}}"#,
        #"{"list":[3,null,3,-128],"set":["a","b"],"map":{"a":0.5,"x":null}}"#,
        #"{"list":[null],"set":[""],"map":{"a\u0000\"\n\\":"nan"}}"#,
      ])
  }

  @Test func `members of maps stand in the order of their names in normal form C`() throws {
    let found = try lines(
      [PropertySchema(name: "map", type: .map(of: ElementType(.int)))],
      [["map": ["z": 1, "e\u{301}": 2, "Z": 3, "日本": 4, "👩‍👩‍👧‍👦": 5, "\u{1}": 6, "f": 7]]])
    #expect(
      found == [
        #"{"map":{"\u0001":6,"Z":3,"f":7,"z":1,"e\#u{301}":2,"日本":4,"👩‍👩‍👧‍👦":5}}"#
      ])
  }

  static let elementTypes: [ElementType] = PropertyType.scalars.flatMap { type in
    type == .any
      ? [ElementType(type)] : [ElementType(type), ElementType(type, isOptional: true)]
  }

  @Test(arguments: elementTypes)
  func `collections of every type come back`(element: ElementType) throws {
    let values =
      TypeEdges.all.first { $0.type == element.type }?.values.filter { value in
        // The long text takes long, several times.
        if case .string(let text) = value { text.utf8.count < 10_000 } else { true }
      } ?? []
    let all = values + (element.isOptional ? [.null] : [])
    let map = Dictionary(uniqueKeysWithValues: all.enumerated().map { ("name \($0)", $1) })
    let properties = [
      PropertySchema(name: "list", type: .list(of: element)),
      PropertySchema(name: "set", type: .set(of: element)),
      PropertySchema(name: "map", type: .map(of: element)),
    ]
    let repeated = Array(repeatElement(all, count: 100).joined())
    _ = try lines(
      properties,
      [
        [:], ["list": .list(all), "set": .list(all), "map": .map(map)], ["list": .list(repeated)],
      ])
    let text = try dump(path)
    try load(text, into: folder.path("b.whimbrel"))
    let session = try readOnlySession(folder.path("b.whimbrel"))
    defer { session.close() }
    let (table, id) = (try session.table("Thing"), ObjectID(rawValue: 2))
    let record = try #require(try table.record(id))
    #expect(try table.value(0, of: record, id).isIdentical(to: .list(all)))
    #expect(try table.value(1, of: record, id).isIdentical(to: .list(all.sortedAsSet())))
    #expect(try table.value(2, of: record, id).isIdentical(to: .map(map)))
  }

  @Test func `long collections come back, and are written piece by piece`() throws {
    let numbers = (0..<3_000).map { PropertyValue.int(Int64($0)) }
    let texts = (0..<3_000).map {
      PropertyValue.string(String(repeating: "ä\"", count: $0 % 8 * ($0 % 90)))
    }
    let map = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("\($0)", $1) })
    let found = try lines(
      [
        PropertySchema(name: "numbers", type: .list(of: ElementType(.int))),
        PropertySchema(name: "texts", type: .list(of: ElementType(.string))),
        PropertySchema(name: "set", type: .set(of: ElementType(.int))),
        PropertySchema(name: "map", type: .map(of: ElementType(.string))),
      ],
      [["numbers": .list(numbers), "texts": .list(texts), "set": .list(numbers), "map": .map(map)]])
    #expect(found[0].hasPrefix(#"{"numbers":[0,1,2,3"#))
    var largest = 0
    try StoreDump(StoreInspector(path: path)).write { piece in
      largest = max(largest, piece.count)
      #expect(String(validating: piece, as: UTF8.self) != nil)
    }
    #expect(largest < 80_000)
  }

  @Test(.takesLong) func `long texts come back, alone and in collections`() throws {
    func text(_ count: Int) -> PropertyValue {
      .string(String(repeating: "0123456\n", count: count / 8))
    }
    _ = try lines(
      [
        PropertySchema(name: "text", type: .string),
        PropertySchema(name: "any", type: .any),
        PropertySchema(name: "list", type: .list(of: ElementType(.string))),
      ],
      [
        ["text": text(3_000_000)],
        [
          "text": "", "any": [text(1_000_000)], "list": ["", text(500_000), text(8), text(65_536)],
        ],
      ])
  }

  @Test func `records of old layouts have the collections that were added since`() throws {
    let schema = ClassSchema(name: "Thing", properties: [])
    try makeStore(at: path, [schema]) { _ = try $0.table("Thing").create([:], replacing: false) }
    let later = ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "list", type: .list(of: ElementType(.int))),
        PropertySchema(name: "map", type: .map(of: ElementType(.any))),
        PropertySchema(name: "any", type: .any),
      ])
    try makeStore(at: path, [later], version: 2)
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(text.contains(#""values":{"list":[],"map":{},"any":null}"#))
  }

  @Test func `links in collections lead forward, back, to the same and to themselves`() throws {
    // 'Above' is dumped before 'Below', to which it links.
    let below = ElementType(.link(to: "Below"))
    let above = ClassSchema(
      name: "Above",
      properties: [
        PropertySchema(name: "list", type: .list(of: below)),
        PropertySchema(name: "set", type: .set(of: below)),
        PropertySchema(name: "map", type: .map(of: below)),
        PropertySchema(name: "any", type: .any),
      ])
    let other = ClassSchema(
      name: "Below",
      properties: [
        PropertySchema(name: "all", type: .list(of: ElementType(.link(to: "Above")))),
        PropertySchema(name: "peers", type: .set(of: below)),
      ])
    try makeStore(at: path, [above, other]) { session in
      let (above, below) = (try session.table("Above"), try session.table("Below"))
      let targets = try (0..<3).map { _ in
        PropertyValue.link(try below.create([:], replacing: false))
      }
      let source = try above.create(
        [
          "list": .list(targets + targets), "set": .list(targets), "map": ["a": targets[1]],
          "any": .object(
            ObjectReference(classID: below.resolved.id, id: ObjectID(rawValue: 3))),
        ], replacing: false)
      try below.update(ObjectID(rawValue: 2)) { encoder throws in
        try encoder.set(0, [.link(source), .link(source)])
        try encoder.set(1, .list(targets))
      }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(
      text.contains(
        #"{"list":[{"link":1},{"link":2},{"link":3},{"link":1},{"link":2},{"link":3}],"#
          + #""set":[{"link":1},{"link":2},{"link":3}],"map":{"a":{"link":2}},"#
          + #""any":{"object":{"class":"Below","link":3}}}"#))
  }

  /// Sets keep objects by the number of their class, and a load gives new numbers.
  @Test func `a set of objects of classes that are numbered anew is dumped the same`() throws {
    func thing(_ name: String) -> ClassSchema {
      ClassSchema(
        name: name,
        properties: [PropertySchema(name: "set", type: .set(of: ElementType(.any)))])
    }
    // 'Zone' gets the first number, and 'Area' the last.
    try makeStore(at: path, [thing("Zone")])
    try makeStore(at: path, [thing("Zone"), thing("Middle")], version: 2)
    try makeStore(at: path, ["Zone", "Middle", "Area"].map(thing), version: 3) { session in
      let objects = try ["Zone", "Middle", "Area"].flatMap { name in
        let table = try session.table(name)
        return try (0..<2).map { _ in
          let id = try table.create([:], replacing: false)
          return PropertyValue.object(ObjectReference(classID: table.resolved.id, id: id))
        }
      }
      let lists = objects.map { PropertyValue.list([$0]) }
      let maps = objects.map { PropertyValue.map(["a": $0]) }
      let values: [PropertyValue] = [.null, 1, "x", [], ["z"]] + objects + lists + maps
      for name in ["Zone", "Area"] {
        try session.table(name).update(ObjectID(rawValue: 1)) { encoder throws in
          try encoder.set(0, .list(values))
        }
      }
    }
    let text = try expectRoundTrip(of: path, in: folder)
    #expect(
      text.contains(
        #"[null,{"int":1},{"string":"x"},{"object":{"class":"Area","link":1}},"#
          + #"{"object":{"class":"Area","link":2}},{"object":{"class":"Middle","link":1}},"#))
    #expect(text.contains(#"{"list":[]},{"list":[{"string":"z"}]},{"list":[{"object":"#))
  }

  @Test func `elements of a set may be given in any order and more than once`() throws {
    _ = try lines(
      [PropertySchema(name: "set", type: .set(of: ElementType(.int)))], [["set": [1, 2, 3]]])
    let text = try dump(path)
    let other = text.replacing("[1,2,3]", with: "[3,1,2,2,3]")
    try load(other, into: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == text)
  }
}
