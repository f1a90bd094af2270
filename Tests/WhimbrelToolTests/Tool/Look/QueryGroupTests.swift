import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `whimbrel query --group-by` and `--arg`.
struct QueryGroupTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
  }

  private func run(_ arguments: [String], exitCode: Int32 = 0) throws -> ToolRun {
    let run = try ToolRun(["query", "a.whimbrel"] + arguments, in: folder)
    #expect(run.exitCode == exitCode, "\(run.errors)")
    return run
  }

  @Test func `objects are counted for each value`() throws {
    let query = ["Zone where latitude > 55", "--group-by", "area"]
    #expect(
      try run(query).output == """
        area      count
        america      19
        asia         10
        europe        5
        atlantic      1

        """)
    let values = ["--max", "latitude", "--avg", "latitude", "--limit", "2"]
    #expect(
      try run(query + values).output.hasPrefix(
        "area     count       max latitude       avg latitude\n"))
    #expect(try run(query + values).output.hasSuffix("Left out: 2 groups after these.\n"))
    let lines = try run(query + ["--json", "--min", "identifier"]).output.split(separator: "\n")
    #expect(
      lines.first
        == #"{"area":"america","count":19,"min identifier":"America/Anchorage"}"#)
    #expect(try run(query + ["--csv", "--limit", "1"]).output == "area,count\namerica,19\n")
  }

  @Test func `the number of objects does not have the name of the value`() throws {
    let boxes = #"[{"id":1,"count":5},{"id":2,"count":5}]"#
    try Data(boxes.utf8).write(to: folder.url.appending(path: "boxes.json"))
    let load = ["load", "--from", "json", "boxes.json", "boxes.whimbrel", "--key", "id"]
    #expect(try ToolRun(load + ["--class", "Box"], in: folder).exitCode == 0)
    for (format, expected) in [
      ("--json", #"{"count":5,"objects":2}"#), ("--csv", "count,objects\n5,2"),
    ] {
      let query = ["query", "boxes.whimbrel", "Box", "--group-by", "count", format]
      #expect(try ToolRun(query, in: folder).output == expected + "\n")
    }
  }

  @Test func `a link and nil are groups, and sums agree with those of all`() throws {
    let groups = try QueryGroups(
      ObjectSelection("Zone"), by: "country", [(.sum, "latitude")],
      of: StoreInspector(path: folder.path("a.whimbrel")))
    #expect(groups.groups.reduce(0) { $0 + $1.count } == 312)
    #expect(groups.groups.first?.text == "Country US")
    // Programs join by the key, as in all other JSON and CSV.
    let lines = String(decoding: groups.jsonLines(limit: 1), as: UTF8.self)
    #expect(lines.hasPrefix(#"{"country":{"key":"US"},"count":"#), "\(lines)")
    #expect(String(decoding: groups.csv(limit: 1), as: UTF8.self).contains("\nUS,"))
    let sum = groups.groups.reduce(0.0) { sum, group in
      guard case .double(let part) = group.values[0] else { return sum }
      return sum + part
    }
    let whole = try ObjectQuery(
      ObjectSelection("Zone"), of: StoreInspector(path: folder.path("a.whimbrel"))
    ).value(.sum, of: "latitude")
    guard case .double(let expected) = whole else {
      Issue.record("the sum is no number")
      return
    }
    #expect(abs(sum - expected) < 1e-6)
  }

  @Test func `an object is in the group of each element, and NaN are one`() throws {
    let path = folder.path("b.whimbrel")
    let thing = ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
        PropertySchema(name: "size", type: .double),
      ])
    try makeStore(at: path, [thing]) { session in
      let table = try session.table("Thing")
      for tags: PropertyValue in [["a", "b", "a"], ["b"], []] {
        _ = try table.create(["tags": tags, "size": .double(.nan)], replacing: false)
      }
    }
    let inspector = try StoreInspector(path: path)
    let groups = try QueryGroups(ObjectSelection("Thing"), by: "tags", of: inspector).groups
    #expect(groups.map(\.text) == ["b", "nil", "a"])
    #expect(groups.map(\.count) == [2, 1, 1])
    let sizes = try QueryGroups(ObjectSelection("Thing"), by: "size", of: inspector).groups
    #expect(sizes.map(\.count) == [3])
  }

  /// −0 had a group of its own, although queries and DISTINCT do not distinguish it from 0.
  @Test func `the group of 0 includes −0`() throws {
    let path = folder.path("b.whimbrel")
    let thing = ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "size", type: .double), PropertySchema(name: "weight", type: .float),
        PropertySchema(name: "day", type: .date),
      ])
    try makeStore(at: path, [thing]) { session in
      let table = try session.table("Thing")
      for zero in [-0.0, 0, 0] {
        let values: [String: PropertyValue] = [
          "size": .double(zero), "weight": .float(Float(zero)),
          "day": .date(Date(timeIntervalSinceReferenceDate: zero)),
        ]
        _ = try table.create(values, replacing: false)
      }
    }
    let inspector = try StoreInspector(path: path)
    for name in ["size", "weight", "day"] {
      let groups = try QueryGroups(ObjectSelection("Thing"), by: name, of: inspector).groups
      #expect(groups.map(\.count) == [3], "\(name)")
      #expect(groups.first?.text.hasPrefix("-") == false, "\(name)")
    }
  }

  @Test(arguments: [
    (["Zone where identifier == $0", "--arg", "Europe/Andorra"], "1"),
    (["Zone where area == $1 AND latitude > $0", "--arg", "60", "--arg", "europe"], "1"),
    (["Zone where latitude BETWEEN {$0, $1}", "--arg", "-90", "--arg", "90"], "312"),
    (["Zone where identifier IN {$0, $1}", "--arg", "Europe/Paris", "--arg", "x"], "1"),
    (["Zone where country == $0", "--arg", "AD"], "1"),
    (["Zone where country == $0", "--arg", "null"], "0"),
    (["Zone where country.name == %@", "--arg", "Norway"], "0"),
    (
      ["Zone where comments CONTAINS $0 OR country.name == $1", "--arg", "'", "--arg", "Andorra"],
      "1"
    ),
    (["Zone where isPopular == $0 AND latitude < $1", "--arg", "true", "--arg", "-89"], "0"),
    // Nothing in an argument is a part of the query.
    (["Zone where identifier == $0", "--arg", "' OR TRUEPREDICATE OR '"], "0"),
    (["Zone where identifier == $0 AND latitude < 0", "--arg", "null"], "0"),
    (["Zone where identifier == $0", "--arg", "--count"], "0"),
    (["Zone where latitude + $0 > 150", "--arg", "100"], "62"),
    (["Zone where SELF == $0", "--arg", "Europe/Paris"], "1"),
    (["Zone where SELF IN $0", "--arg", #"["Europe/Paris","Asia/Tokyo"]"#], "2"),
    // An array of JSON is a list behind IN and BETWEEN, and a text elsewhere.
    (["Zone where identifier IN $0", "--arg", #"["Europe/Paris","Asia/Tokyo","x"]"#], "2"),
    (["Zone where country IN $0", "--arg", #"["AD"]"#], "1"),
    (["Zone where NOT identifier IN $0 AND latitude > $1", "--arg", "[]", "--arg", "90"], "0"),
    (["Zone where identifier IN $0", "--arg", "[]"], "0"),
    (["Zone where country.code IN[c] $0", "--arg", #"[null,"ad"]"#], "1"),
    (["Zone where latitude BETWEEN $0", "--arg", "[-90, 90]"], "312"),
    (["Zone where isPopular IN $0 AND latitude < -60", "--arg", "[true, false]"], "7"),
    (["Zone where identifier == $0", "--arg", "[1]"], "0"),
    (["Zone where identifier == $0 OR identifier IN {$1}", "--arg", "[]", "--arg", "[2]"], "0"),
  ])
  func `arguments have the type of what they are compared with`(
    arguments: [String], count: String
  ) throws {
    #expect(try run(arguments + ["--count"]).output == count + "\n", "\(arguments)")
  }

  /// An argument as the key of a map was taken for one that the query does not use. If the query
  /// also compared something with it, the key was a placeholder, and no object was found.
  @Test(arguments: [
    ("names[$0] == $1", ["de", "Norwegen"], 1),
    ("names[$0] == $1", ["de", "x"], 0),
    ("names[$0] == 'Norwegen' OR code == $0", ["de"], 2),
    ("links[$0].names[$0] == $1", ["de", "Norwegen"], 1),
    ("links[$0].@count == 1 AND NOT names[$1] == nil", ["de", "["], 1),
    ("SUBQUERY(links, $link, $link.names[$0] == $1).@count > 0", ["de", "Norwegen"], 1),
  ])
  func `an argument may be the key of a map`(
    query: String, arguments: [String], count: Int
  ) throws {
    let path = folder.path("b.whimbrel")
    let country = ClassSchema(
      name: "Country",
      properties: [
        PropertySchema(name: "code", type: .string),
        PropertySchema(name: "names", type: .map(of: ElementType(.string))),
        PropertySchema(name: "links", type: .map(of: ElementType(.link(to: "Country")))),
      ])
    try makeStore(at: path, [country]) { session in
      let table = try session.table("Country")
      let norway = try table.create(
        ["code": "NO", "names": .map(["de": "Norwegen"])], replacing: false)
      _ = try table.create(
        ["code": "de", "names": .map(["[": "x"]), "links": .map(["de": .link(norway)])],
        replacing: false)
    }
    var selection = ObjectSelection(className: "Country", query: query)
    selection.arguments = arguments
    #expect(try ObjectQuery(selection, of: StoreInspector(path: path)).count() == count)
  }

  @Test(arguments: [
    (["Zone where latitude > $0", "--arg", "north"], "Argument $0 is compared with"),
    (["Zone where latitude > $0"], "there is no argument for '$0'"),
    (["Zone where latitude > 5", "--arg", "1"], "does not compare anything with $0"),
    (["Zone where identifier IN $0", "--arg", "x"], "the argument after IN is not a list"),
    (["Zone where latitude IN $0", "--arg", #"[1,"north"]"#], "Argument $0 is compared with"),
    (["Zone", "--arg", "1"], "does not compare anything with $0"),
    (["Zone where country == $0", "--arg", "XX"], "Could not find the object 'XX'"),
  ])
  func `arguments that do not fit are errors`(arguments: [String], message: String) throws {
    let run = try run(arguments, exitCode: 1)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test(arguments: [["--count"], ["--explain"], ["--columns", "area"], ["--offset", "1"]])
  func `groups exclude other answers`(arguments: [String]) throws {
    _ = try run(["Zone", "--group-by", "area"] + arguments, exitCode: 64)
  }
}
