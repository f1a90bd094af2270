import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct QueryTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
  }

  private func run(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try ToolRun(["query", "a.whimbrel"] + arguments, in: folder)
    #expect(run.exitCode == 0, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    return run.output
  }

  @Test func `a query gives a table`() throws {
    let table = """
      identifier                     latitude  country.name
      America/Danmarkshavn  76.76666666666667  Greenland
      America/Thule         76.56666666666666  Greenland
      America/Resolute      74.69555555555556  Canada

      """
    let columns = ["--columns", "identifier,latitude,country.name"]
    let query = "latitude > 60 SORT(latitude DESC) LIMIT(3)"
    #expect(try run(["Zone where \(query)"] + columns) == table)
    #expect(try run(["Zone", query] + columns) == table)
  }

  @Test func `the columns that a query uses come after the key`() throws {
    let table = try run(["Zone where country.name == 'Andorra' SORT(isPopular)"])
    let titles = table.prefix { $0 != "\n" }.split(separator: " ")
    #expect(titles.prefix(4) == ["#", "identifier", "country", "isPopular"])
  }

  @Test func `a query gives lines of JSON and CSV`() throws {
    let query = ["Zone", "identifier ENDSWITH 'Andorra'"]
    #expect(
      try run(query + ["--json"]) == """
        {"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","countryCodes":"AD",\
        "latitude":42.5,"longitude":1.5166666666666666,"comments":"","country":{"key":"AD"},\
        "area":"europe","isPopular":false}}

        """)
    #expect(
      try run(query + ["--json", "--columns", "#, country.name,comments"]) == """
        {"#":1,"country.name":"Andorra","comments":""}

        """)
    #expect(
      try run(query + ["--csv", "--columns", "#, country.name,comments"]) == """
        #,country.name,comments
        1,Andorra,""

        """)
  }

  @Test func `a query gives one value`() throws {
    #expect(try run(["Zone where latitude > 60", "--count"]) == "20\n")
    #expect(try run(["Zone", "--count", "--json"]) == "312\n")
    #expect(try run(["Zone", "--max", "latitude"]) == "76.76666666666667\n")
    #expect(try run(["Zone", "--min", "country.name"]) == "Afghanistan\n")
    #expect(try run(["Zone", "--min", "country.name", "--json"]) == "\"Afghanistan\"\n")
    #expect(try run(["Zone where latitude > 90", "--avg", "latitude"]) == "nil\n")
    #expect(try run(["Zone where latitude > 90", "--avg", "latitude", "--json"]) == "null\n")
    #expect(try run(["Zone where latitude > 90", "--sum", "latitude"]) == "0.0\n")
  }

  @Test func `a query is explained`() throws {
    #expect(
      try run(["Zone where area == 'europe'", "--explain"]) == """
        Zone: 38 of 312 objects
        - index Zone.area: area == 'europe'
        - read: 38 index entries, no records

        """)
    #expect(
      try run(["Zone where area == 'europe'", "--explain", "--json"]).hasPrefix(
        """
        {
          "className" : "Zone",
          "conversions" : 0,
          "coreCount" : 1,
          "indexEntriesRead" : 38,

        """))
  }

  @Test func `nothing found is said`() throws {
    #expect(
      try run(["Zone where latitude > 90", "--columns", "identifier"]) == """
        identifier
        No objects.

        """)
    #expect(try run(["Zone where latitude > 90", "--json"]) == "")
  }

  @Test(arguments: [
    "Zone SORT(latitude ASC)", "Zone  sort(latitude ASC) limit(2)", "'Zone' LIMIT (2)",
    "Zone DISTINCT(area)", "Zone OFFSET(0)", "Zone FILTER(latitude < 100)",
  ])
  func `a query without a condition needs no where`(selection: String) throws {
    let found = try run([selection, "--json"])
    #expect(!found.isEmpty)
    if selection.contains("SORT") {
      #expect(found == (try run(["Zone where latitude < 100 SORT(latitude ASC)", "--json"])))
    }
    #expect(try ObjectSelection("Sort (x)").className == "Sort (x)")
  }

  @Test(arguments: [
    (
      ["Zone where latitude > "],
      """
      Error: Could not read the query: expected a value after '>'.
      latitude >
                ^
      Hint: A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path.

      """
    ),
    (
      ["Zone", "lattitude > 5"],
      """
      Error: Could not read the query: 'Zone' has no property 'lattitude'.
      lattitude > 5
      ^
      Hint: Did you mean 'latitude'?

      """
    ),
    (
      ["Zone latitude"],
      """
      Error: Could not understand 'Zone latitude': 'where' must follow the class.
      Hint: Write it as 'Zone where latitude > 60'.

      """
    ),
    (
      ["Zome where latitude > 60", "--count"],
      """
      Error: Could not find the class 'Zome': the schema does not have it.
      Hint: Did you mean 'Zone'?

      """
    ),
    (
      ["Zone", "--sum", "identifier"],
      """
      Error: Could not query 'Zone.identifier': 'sum' does not work with values of type 'string'.
      Hint: Choose a numeric property.

      """
    ),
    (
      ["Zone where latitude > 'x'"],
      """
      Error: Could not query 'Zone.latitude': 'double' cannot be compared with 'string'.
      Hint: Compare it with a number.

      """
    ),
  ])
  func `what cannot be asked is an error`(arguments: [String], errors: String) throws {
    let run = try ToolRun(["query", "a.whimbrel"] + arguments, in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output == "")
    #expect(run.errors == errors)
  }

  @Test(arguments: [
    ["Zone", "--count", "--max", "latitude"], ["Zone", "--count", "--csv"],
    ["Zone", "--explain", "--columns", "area"],
  ])
  func `answers that exclude each other are wrong usage`(arguments: [String]) throws {
    #expect(try ToolRun(["query", "a.whimbrel"] + arguments, in: folder).exitCode == 64)
  }
}
