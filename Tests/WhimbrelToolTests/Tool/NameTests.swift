import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport

/// Classes and properties may have names with blanks, hyphens and any other signs, as in Realm.
struct NameTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    let origin = ClassSchema(
      name: "link origin",
      properties: [
        PropertySchema(name: "a key", type: .string, isPrimaryKey: true),
        PropertySchema(name: "link-count", type: .int, isIndexed: true),
        PropertySchema(name: "x.y=z", type: .string, isOptional: true),
        PropertySchema(name: "to, from", type: .link(to: "a.b where `c`")),
      ])
    let target = ClassSchema(
      name: "a.b where `c`",
      properties: [
        PropertySchema(name: "日本 語", type: .int, isPrimaryKey: true),
        PropertySchema(name: "\"quoted\"", type: .string),
      ])
    try makeStore(at: folder.path("a.whimbrel"), [origin, target]) { session in
      let link = try session.table(target.name).create(
        ["日本 語": 7, "\"quoted\"": "x"], replacing: false)
      let table = try session.table(origin.name)
      for (key, count) in [("one", 1), ("two", 2)] {
        _ = try table.create(
          [
            "a key": .string(key), "link-count": .int(Int64(count)), "x.y=z": "text",
            "to, from": .link(link),
          ], replacing: false)
      }
    }
  }

  @Test(arguments: [
    "link origin where `link-count` == 1", "\"link origin\" where `link-count` == 1",
    "'link origin' where `a key` == 'one'", "`link origin` where link\\-count == 1",
    "link origin WHERE `link-count` < 2 AND `x.y=z` == 'text'",
    "link origin where a\\ key == 'one'",
    "link origin where `to, from`.`日本 語` == 7 AND `link-count` == 1",
  ])
  func `queries take quoted names`(selection: String) throws {
    if selection.contains("link\\-count") {
      let run = try ToolRun(["query", "a.whimbrel", selection, "--count"], in: folder)
      #expect(run.exitCode != 0)
    } else {
      #expect(try folder.run("query", "a.whimbrel", selection, "--count") == "1\n")
    }
  }

  @Test func `a class whose name has the word where stands in quotes`() throws {
    let name = "\"a.b where `c`\""
    #expect(try folder.run("query", "a.whimbrel", "\(name) where `日本 語` == 7", "--count") == "1\n")
    #expect(try folder.run("query", "a.whimbrel", name, "--count") == "1\n")
    #expect(
      try folder.run("query", "a.whimbrel", "a.b where `c`", "`日本 語` == 7", "--count") == "1\n")
    let links = "@links.`link origin`.`to, from`.@count == 2"
    #expect(try folder.run("query", "a.whimbrel", "\(name) where \(links)", "--count") == "1\n")
  }

  @Test func `a text where a name is meant is explained`() throws {
    let run = try ToolRun(
      ["query", "a.whimbrel", "link origin where \"link-count\" == 1"], in: folder)
    #expect(run.exitCode != 0)
    #expect(run.errors.contains("`link-count`"), "\(run.errors)")
  }

  @Test func `columns, objects and changes take quoted names`() throws {
    #expect(
      try folder.run(
        "ls", "a.whimbrel", "link origin", "--columns", "a key, `to, from`.`日本 語`", "--csv")
        == "a key,\"`to, from`.`日本 語`\"\none,7\ntwo,7\n")
    #expect(try folder.run("show", "a.whimbrel", "link origin", "one").contains("x.y=z"))
    let change = try folder.run(
      "set", "a.whimbrel", "link origin", "one", "link-count=5", "x.y=z=a=b", "--write")
    #expect(change.contains("link-count: 1 → 5") && change.contains("\"a=b\""), "\(change)")
    #expect(
      try folder.run("set", "a.whimbrel", "link origin", "one", "'x.y=z'=c", "--write").contains(
        "\"c\""))
  }

  @Test func `dumps, CSV and schemas keep such names`() throws {
    let dump = try folder.run("dump", "a.whimbrel")
    try Data(dump.utf8).write(to: folder.url.appending(path: "a.jsonl"))
    _ = try folder.run("load", "a.jsonl", "b.whimbrel")
    #expect(try folder.run("dump", "b.whimbrel") == dump)
    _ = try folder.run("dump", "a.whimbrel", "--folder", "folder")
    _ = try folder.run("load", "folder", "c.whimbrel")
    #expect(try folder.run("diff", "a.whimbrel", "c.whimbrel") == "")

    let csv = try folder.run("dump", "a.whimbrel", "--csv", "link origin")
    #expect(csv.hasPrefix("a key,link-count,x.y=z,\"to, from\"\n"), "\(csv)")
    let targets = try folder.run("dump", "a.whimbrel", "--csv", "\"a.b where `c`\"")
    #expect(targets.hasPrefix("日本 語,\"\"\"quoted\"\"\"\n"), "\(targets)")
    try Data(csv.replacing("x.y=z", with: "column=1").utf8)
      .write(to: folder.url.appending(path: "a.csv"))
    try Data(folder.run("schema", "a.whimbrel", "--json").utf8)
      .write(to: folder.url.appending(path: "schema.json"))
    _ = try folder.run("set", "a.whimbrel", "link origin", "one", "link-count=9", "--write")
    _ = try folder.run(
      "load", "--from", "csv", "a.csv", "a.whimbrel", "--class", "link origin", "--merge", "update",
      "--map", "'column=1'=x.y=z")
    #expect(try folder.run("diff", "a.whimbrel", "b.whimbrel") == "")
  }

  @Test func `options of a class and a property take such names`() throws {
    _ = try folder.run("set", "a.whimbrel", "link origin", "one", "x.y=z=other", "--write")
    _ = try folder.run("dump", "a.whimbrel", "-o", "old.jsonl")
    _ = try folder.run("load", "old.jsonl", "b.whimbrel")
    _ = try folder.run("set", "b.whimbrel", "link origin", "one", "x.y=z=new", "--write")
    for name in ["link origin.x.y=z", "'link origin'.'x.y=z'", "`link origin`.x.y=z"] {
      #expect(try folder.run("diff", "a.whimbrel", "b.whimbrel", "--ignore", name) == "")
    }
    _ = try folder.run(
      "anonymize", "a.whimbrel", "c.whimbrel", "--random-key", "--keep-values",
      "a.b where `c`.\"quoted\"", "--keep-values", "link origin.*")
    #expect(try folder.run("diff", "a.whimbrel", "c.whimbrel") == "")
    _ = try folder.run("prune", "a.whimbrel", "d.whimbrel", "--drop", "link origin.x.y=z")
    #expect(!(try folder.run("schema", "d.whimbrel", "--json").contains("x.y=z")))
  }
}
