import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// Object IDs of classes with integer keys are beyond 2⁵³. A dump had them as numbers, and so had its
/// links: `jq` 1.6 and JavaScript rounded both, and nine regions had one ID.
struct KeyedLinkTests {
  let folder: TestFolder

  private static let classes = [
    ClassSchema(
      name: "Region",
      properties: [
        PropertySchema(name: "id", type: .int, isPrimaryKey: true),
        PropertySchema(name: "parent", type: .link(to: "Region")),
        PropertySchema(name: "capital", type: .link(to: "Town")),
        PropertySchema(name: "big", type: .int, isOptional: true),
      ]),
    ClassSchema(
      name: "Town",
      properties: [
        PropertySchema(name: "note", type: .link(to: "Note")),
        PropertySchema(name: "name", type: .string, isPrimaryKey: true),
        PropertySchema(name: "region", type: .link(to: "Region")),
        PropertySchema(name: "near", type: .list(of: ElementType(.link(to: "Town")))),
        PropertySchema(name: "regions", type: .set(of: ElementType(.link(to: "Region")))),
        PropertySchema(name: "byName", type: .map(of: ElementType(.link(to: "Town")))),
        PropertySchema(name: "any", type: .any),
      ]),
    ClassSchema(name: "Note", properties: [PropertySchema(name: "text", type: .string)]),
    ClassSchema(
      name: "Passport",
      properties: [
        PropertySchema(name: "uuid", type: .uuid, isPrimaryKey: true),
        PropertySchema(name: "next", type: .link(to: "Passport")),
      ]),
  ]

  private static let keys: [Int64] = [
    5, -8, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, .max, .min, 0, 17,
  ]

  init() throws {
    folder = try TestFolder()
    try makeStore(at: folder.path("a.whimbrel"), Self.classes) { session in
      let (regions, towns) = (try session.table("Region"), try session.table("Town"))
      var ids: [ObjectID] = []
      for key in Self.keys {
        ids.append(
          try regions.create(
            ["id": .int(key), "big": .int(key), "parent": ids.last.map { .link($0) } ?? .null],
            replacing: false))
      }
      let note = try session.table("Note").create(["text": "hello"], replacing: false)
      var townIDs: [ObjectID] = []
      for name in ["Zagreb", "a \"b\"\\", "Århus", "id:1", "#1", "null", ""] {
        townIDs.append(
          try towns.create(
            [
              "name": .string(name), "region": .link(ids[townIDs.count]), "note": .link(note),
              "near": .list(townIDs.reversed().map { .link($0) }),
              "regions": .list(ids.map { .link($0) }),
              "byName": .map(
                Dictionary(uniqueKeysWithValues: townIDs.map { ("k\($0)", .link($0)) })),
              "any": .list([
                .object(ObjectReference(classID: regions.resolved.id, id: ids[0])), .int(.max),
                .object(ObjectReference(classID: try session.table("Note").resolved.id, id: note)),
              ]),
            ], replacing: false))
      }
      // Region comes before Town: the link leads to an object that a dump has later.
      try regions.update(ids[0]) { try $0.set(2, .link(townIDs[1])) }
      let passports = try session.table("Passport")
      let first = try passports.create(["uuid": .uuid(UUID())], replacing: false)
      _ = try passports.create(["uuid": .uuid(UUID()), "next": .link(first)], replacing: false)
    }
  }

  /// The numbers in JSON that readers of doubles do not keep.
  private func inexactNumbers(_ text: String) -> [String] {
    let pattern = #/"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/#
    return text.matches(of: pattern).map { String($0.output) }.filter { token in
      guard !token.hasPrefix("\""), !token.contains("."), let number = Int64(token) else {
        return Int64(token) == nil && UInt64(token) != nil
      }
      return number.magnitude > 1 << 53
    }
  }

  @Test func `a dump names keys in links, and is the same after loading`() throws {
    let text = try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
    #expect(inexactNumbers(text) == [])
    #expect(text.contains(#""parent":{"key":5}"#))
    #expect(text.contains(#""parent":{"key":"9007199254740993"}"#))
    #expect(text.contains(#""id":"9223372036854775813","values":{"id":5,"#))
    #expect(text.contains(#""capital":{"key":"a \"b\"\\"},"big":5"#))
    #expect(text.contains(#""near":[{"key":"a \"b\"\\"},{"key":"Zagreb"}]"#))
    #expect(
      text.contains(
        #""any":{"list":[{"object":{"class":"Region","key":5}},{"int":"9223372036854775807"},"#
          + #"{"object":{"class":"Note","link":1}}]}"#))
    #expect(text.contains(#""note":{"link":1},"name":"Zagreb""#))
  }

  @Test func `a dump from a pipe is read twice, too`() throws {
    let text = try dump(folder.path("a.whimbrel"))
    let (output, exitCode) = try shell(
      "$whimbrel dump a.whimbrel | $whimbrel load - b.whimbrel && $whimbrel dump b.whimbrel",
      in: folder)
    #expect(exitCode == 0)
    #expect(output == text)
    let lines = try shell(
      "$whimbrel dump a.whimbrel | sed 's/\"key\":\"Zagreb\"/\"key\":\"Zagreb2\"/' "
        + "| $whimbrel load - c.whimbrel", in: folder)
    #expect(lines.exitCode == 1)
    #expect(lines.output.contains("no object of 'Town' has the primary key 'Zagreb2'"))
    #expect(lines.output.contains("at line 15"))
  }

  @Test func `a dump of version 1 makes the same store`() throws {
    let text = try dump(folder.path("a.whimbrel"))
    let session = try readOnlySession(folder.path("a.whimbrel"))
    var old = text.replacing(#""version":2"#, with: #""version":1"#)
    // What version 1 wrote for each link, and for each number.
    for (className, ids) in try ["Region", "Town", "Passport"].map({
      ($0, try session.table($0).objectIDs())
    }) {
      let table = try session.table(className)
      for id in ids {
        let position = try #require(table.resolved.primaryKeyIndex)
        let record = try #require(try table.record(id))
        let key = String(
          decoding: try table.value(position, of: record, id).json, as: UTF8.self)
        old = old.replacing(#"{"key":\#(key)}"#, with: #"{"link":\#(id.rawValue)}"#)
          .replacing(
            #"{"class":"\#(className)","key":\#(key)}"#,
            with: #"{"class":"\#(className)","link":\#(id.rawValue)}"#)
      }
    }
    #expect(!old.contains(#""key":5"#))
    for key in Self.keys {
      old = old.replacing("\"\(key)\"", with: "\(key)")
        .replacing(
          "\"\(ObjectID(clusteredKey: key).rawValue)\"", with: "\(ObjectID(clusteredKey: key))")
    }
    #expect(inexactNumbers(old).count > 20)
    try load(old, into: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == text)
  }

  @Test func `JSON of every verb is exact in readers that know doubles only`() throws {
    for arguments in [
      ["ls", "a.whimbrel", "Region", "--json"], ["ls", "a.whimbrel", "Town", "--json"],
      ["ls", "a.whimbrel", "Region", "--columns", "#,id,parent,big", "--json"],
      ["show", "a.whimbrel", "Region", "5", "--json"],
      ["show", "a.whimbrel", "Town", "Zagreb", "--json"],
      ["query", "a.whimbrel", "Region where id > 0", "--json"],
      ["query", "a.whimbrel", "Region", "--max", "id", "--json"],
      ["dump", "a.whimbrel"], ["check", "a.whimbrel", "--json"],
      ["set", "a.whimbrel", "Region", "5", "parent=17", "--json"],
      ["add", "a.whimbrel", "Region", "id=9007199254740999", "--json"],
      ["rm", "a.whimbrel", "Region", "9223372036854775807", "--json"],
    ] {
      let run = try ToolRun(arguments, in: folder)
      #expect(run.exitCode == 0, "\(arguments): \(run.errors)")
      #expect(inexactNumbers(run.output) == [], "\(arguments)")
    }
    let run = try ToolRun(
      ["query", "a.whimbrel", "Region where id == 17", "--json"], in: folder)
    #expect(run.output.contains(#""parent":{"key":0}"#))
  }

  @Test func `a difference of two stores names keys, as exactly`() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("a.whimbrel"), toPath: folder.path("b.whimbrel"))
    let edit = try ToolRun(
      ["set", "b.whimbrel", "Region", "17", "parent=9223372036854775807", "--write"], in: folder)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let run = try ToolRun(["diff", "a.whimbrel", "b.whimbrel", "--json"], in: folder)
    #expect(run.exitCode == 1)
    #expect(inexactNumbers(run.output) == [])
    #expect(run.output.contains(#"{"class":"Region","key":"9223372036854775807"}"#))
  }

  @Test(arguments: ["Region", "Town", "Note", "Passport"])
  func `CSV of ls and of dump is the same`(className: String) throws {
    let listed = try ToolRun(["ls", "a.whimbrel", className, "--csv"], in: folder)
    let dumped = try ToolRun(["dump", "a.whimbrel", "--csv", className], in: folder)
    #expect(listed.exitCode == 0, "\(listed.errors)")
    #expect(dumped.exitCode == 0, "\(dumped.errors)")
    #expect(listed.output == dumped.output)
    #expect(listed.output.count > 10)
  }

  @Test func `CSV with all kinds of links is read again`() throws {
    let csv = try ToolRun(["dump", "a.whimbrel", "--csv", "Town"], in: folder).output
    try Data(csv.utf8).write(to: folder.url.appending(path: "towns.csv"))
    let before = try dump(folder.path("a.whimbrel"))
    let run = try ToolRun(
      [
        "load", "--from", "csv", "towns.csv", "a.whimbrel", "--class", "Town", "--merge", "replace",
      ],
      in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  @Test func `a merge finds the objects that links name, in the dump and in the store`() throws {
    let text = try dump(folder.path("a.whimbrel"))
    let lines = text.split(separator: "\n").filter { line in
      !line.hasPrefix(#"{"class":"Region""#)
    }
    // Without its regions, which the store has; and the others under new IDs.
    let part = lines.joined(separator: "\n").replacing(
      #""class":"Region","objects":9"#, with: #""class":"Region""#)
    let merge = StoreMerge(
      path: try write(part, "part.jsonl"), into: folder.path("a.whimbrel"), policy: .replace)
    let summary = try merge.run()
    #expect(summary.classes.first { $0.className == "Town" }?.replaced == 7)
    #expect(try integrityFindings(folder.path("a.whimbrel")) == [])
    let towns = try ToolRun(["dump", "a.whimbrel", "--csv", "Town"], in: folder).output
    #expect(towns.contains("Zagreb,5,"))
  }

  private func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    return folder.path(name)
  }

  @Test func `a key that no object has, or of a class without keys, is an error with its place`()
    throws
  {
    let text = try dump(folder.path("a.whimbrel"))
    for (old, new, reason) in [
      (#""note":{"link":1}"#, #""note":{"key":1}"#, "class 'Note' has no primary key"),
      (#""parent":{"key":5}"#, #""parent":{"key":6}"#, "which is not in the dump"),
      (
        #""parent":{"key":5}"#, #""parent":{"key":"x"}"#,
        "'Region' is 'int', but the value is a string"
      ),
      (#""capital":{"key":"a \"b\"\\"}"#, #""capital":{"key":"x"}"#, "no object of 'Town'"),
      (#""region":{"key":5}"#, #""region":{"name":5}"#, "write a link as"),
      (#""region":{"key":5}"#, #""region":5"#, "the value is a number"),
    ] {
      #expect(text.contains(old), "\(old)")
      let path = folder.path("x.whimbrel")
      let error = #expect(throws: InspectionError.self) {
        try load(text.replacing(old, with: new, maxReplacements: 1), into: path)
      }
      #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `thousands of keys are found, whatever order they come in`() throws {
    let path = folder.path("many.whimbrel")
    try makeStore(at: path, Self.classes) { session in
      let towns = try session.table("Town")
      var ids: [ObjectID] = []
      for number in 0..<5_000 {
        let name = String(repeating: "é", count: number % 7) + "town \(number)"
        ids.append(try towns.create(["name": .string(name)], replacing: false))
      }
      var generator = SeededGenerator(seed: 3)
      for id in ids {
        let near = (0..<3).map { _ in
          ids.randomElement(using: &generator).map { .link($0) } ?? PropertyValue.null
        }
        try towns.update(id) { try $0.set(3, .list(near)) }
      }
    }
    try expectRoundTrip(of: path, in: folder)
  }
}
