import Foundation
import Testing
import WhimbrelInspectionTestSupport

struct LsTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v1", as: "v1.whimbrel")
    try folder.copySampleStore("Zones.v4", as: "v4.whimbrel")
    try folder.copySampleStore("Formats/1.Zones.v3", as: "old.whimbrel")
  }

  /// Runs the tool and expects success, and silence on standard error.
  private func run(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try ToolRun(["ls"] + arguments, in: folder)
    #expect(run.exitCode == 0, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    return run.output
  }

  @Test func `without a class the classes are listed`() throws {
    #expect(
      try run(["v4.whimbrel"]) == """
        class    objects  properties  primary key
        Country      249           2  code
        Zone         312           8  identifier

        """)
    #expect(
      try run(["v4.whimbrel", "--csv"]) == """
        name,objects,properties,primaryKey
        Country,249,2,code
        Zone,312,8,identifier

        """)
    #expect(
      try run(["v1.whimbrel", "--json"]) == """
        [
          {
            "name" : "Zone",
            "objects" : 312,
            "primaryKey" : "name",
            "properties" : 4
          }
        ]

        """)
  }

  @Test func `objects are listed as wide as the terminal, and what has no room is named`() throws {
    #expect(
      try run(["v4.whimbrel", "Zone", "--limit", "5"]) == """
        #  identifier      countryCodes              latitude           longitude  comments  country
        1  Europe/Andorra  AD                            42.5  1.5166666666666666            Country AD
        2  Asia/Dubai      AE,OM,RE,SC,TF                25.3                55.3  Crozet    Country AE
        3  Asia/Kabul      AF              34.516666666666666                69.2            Country AF
        4  Europe/Tirane   AL              41.333333333333336  19.833333333333332            Country AL
        5  Asia/Yerevan    AM               40.18333333333333                44.5            Country AM
        Left out: 307 objects after these; see '--offset', '--limit'.
        Left out: 2 columns (area, isPopular); see '--wide', '--columns'.

        """)
  }

  @Test func `an older schema and an older format are listed too`() throws {
    #expect(
      try run(["v1.whimbrel", "Zone", "--offset", "309"]) == """
          #  name                 countryCodes  coordinates  comments
        310  Pacific/Efate        VU            -1740+16825  nil
        311  Pacific/Apia         WS            -1350-17144  nil
        312  Africa/Johannesburg  ZA,LS,SZ      -2615+02800  nil
        Left out: the first 309 objects; see '--offset', '--limit'.

        """)
    let before = folder.contents("old.whimbrel")
    #expect(
      try run(["old.whimbrel", "Zone", "--limit", "1", "--columns", "identifier,country.name"])
        == """
        identifier      country.name
        Europe/Andorra  Andorra
        Left out: 311 objects after these; see '--offset', '--limit'.

        """)
    #expect(folder.contents("old.whimbrel") == before)
  }

  @Test func `nothing is left out of JSON and CSV`() throws {
    #expect(
      try run(["v4.whimbrel", "Zone", "--json"])
        == ToolRun(["dump", "v4.whimbrel"], in: folder).output
        .split(separator: "\n").dropFirst().filter { $0.hasPrefix(#"{"class":"Zone""#) }
        .joined(separator: "\n") + "\n")
    let csv = try run(["v4.whimbrel", "Zone", "--csv"])
    #expect(
      csv.hasPrefix(
        """
        identifier,countryCodes,latitude,longitude,comments,country,area,isPopular
        Europe/Andorra,AD,42.5,1.5166666666666666,"",AD,europe,false
        Asia/Dubai,"AE,OM,RE,SC,TF",25.3,55.3,Crozet,AE,asia,false

        """))
    #expect(csv.split(separator: "\n").count == 313)
  }

  @Test func `wide tables have all columns`() throws {
    let lines = try run(["v4.whimbrel", "Zone", "--wide"]).split(separator: "\n")
    #expect(lines.count == 313)
    #expect(lines[0].hasSuffix("  area        isPopular"))
    #expect(!lines.contains { $0.contains("…") })
  }

  @Test func `no objects are said to be none`() throws {
    #expect(
      try run(["v1.whimbrel", "Zone", "--offset", "400"]) == """
        #  name  countryCodes  coordinates  comments
        No objects after the first 400.

        """)
  }

  @Test(arguments: [
    (
      ["v4.whimbrel", "Zon"], "Could not find the class 'Zon': the schema does not have it.",
      "Did you mean 'Zone'?"
    ),
    (
      ["v4.whimbrel", "Zone", "--columns", "identifer"],
      "Could not understand 'identifer': 'Zone' has no property 'identifer'.",
      "Did you mean 'identifier'?"
    ),
    (
      ["v4.whimbrel", "Zone", "--columns", "identifier,country.nme"],
      "Could not understand 'country.nme': 'Country' has no property 'nme'.",
      "Did you mean 'name'?"
    ),
  ])
  func `a wrong name is an error`(arguments: [String], message: String, hint: String) throws {
    let run = try ToolRun(["ls"] + arguments, in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output == "")
    #expect(run.errors == "Error: \(message)\nHint: \(hint)\n")
  }

  @Test(arguments: [
    ["v4.whimbrel", "Zone", "--json", "--csv"], ["v4.whimbrel", "--limit", "3"],
    ["v4.whimbrel", "Zone", "--limit=-1"], ["v4.whimbrel", "Zone", "--csv", "--wide"],
  ])
  func `options that contradict each other are wrong usage`(arguments: [String]) throws {
    let run = try ToolRun(["ls"] + arguments, in: folder)
    #expect(run.exitCode == 64)
    #expect(run.output == "")
  }
}
