import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct DiffVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    for version in 1...4 {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../SampleStores/Zones.v\(version).whimbrel")
      try copyStore(file.standardizedFileURL.path, folder.path("v\(version).whimbrel"))
    }
  }

  /// Runs the tool and expects no errors.
  private func run(
    _ arguments: [String], exitCode: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == exitCode, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    return run.output
  }

  @Test func `the same store says nothing, with 0`() throws {
    #expect(try run(["diff", "v4.whimbrel", "v4.whimbrel"], exitCode: 0) == "")
    #expect(try run(["diff", "v4.whimbrel", "v4.whimbrel", "--stat"], exitCode: 0) == "")
    #expect(
      try run(["diff", "v4.whimbrel", "v4.whimbrel", "--json"], exitCode: 0) == """
        {"class":"Country","added":0,"removed":0,"changed":0,"same":249}
        {"class":"Zone","added":0,"removed":0,"changed":0,"same":312}

        """)
  }

  /// The closed pipe made the answer 0.
  @Test(
    .takesLong,
    arguments: [
      ("diff v3.whimbrel v4.whimbrel", 1), ("diff v3.whimbrel v4.whimbrel --json", 1),
      ("diff v4.whimbrel v4.whimbrel --json", 0), ("schema v3.whimbrel v4.whimbrel", 1),
      ("plan v4.whimbrel v1.whimbrel", 1), ("coverage v4.whimbrel --at-least 1", 1),
    ])
  func `the answer is the same if the reader of the output closes the pipe`(
    arguments: String, exitCode: Int
  ) throws {
    let result = try shell(
      "{ sleep 0.3; \"$whimbrel\" \(arguments); echo $? > code; } | true; cat code", in: folder)
    #expect(result.output == "\(exitCode)\n")
  }

  @Test func `versions 3 and 4 differ by what version 4 computed`() throws {
    let versions = ["diff", "v3.whimbrel", "v4.whimbrel"]
    let schema = """
      schema version 3 → 4
      Property 'Zone.comments' has been made required.
      The default value of property 'Zone.comments' has changed.
      Property 'Zone.area' has been added.
      Property 'Zone.isPopular' has been added.

      """
    #expect(
      try run(versions + ["--limit", "2"], exitCode: 1) == schema + """
        Zone: 312 changed
        ~ Zone Africa/Abidjan
            area: + "africa"
        ~ Zone Africa/Algiers
            area: + "africa"
        … 310 more

        """)
    #expect(
      try run(versions + ["--ignore", "Zone.area", "--class", "Zone"], exitCode: 1)
        == schema.split(separator: "\n").filter { !$0.contains("area") && !$0.contains("version") }
        .joined(separator: "\n") + "\n")
    #expect(
      try run(versions + ["--stat"], exitCode: 1) == schema + """
        class    added  removed  changed  same
        Country      0        0        0   249
        Zone         0        0      312     0

        """)
    #expect(
      try run(versions + ["--json", "--stat"], exitCode: 1) == #"""
        {"schemaVersion":{"old":3,"new":4}}
        {"schemaChange":{"class":"Zone","kind":"madeRequired","property":"comments"},"text":"Property 'Zone.comments' has been made required."}
        {"schemaChange":{"class":"Zone","kind":"defaultChanged","property":"comments"},"text":"The default value of property 'Zone.comments' has changed."}
        {"schemaChange":{"class":"Zone","kind":"propertyAdded","property":"area"},"text":"Property 'Zone.area' has been added."}
        {"schemaChange":{"class":"Zone","kind":"propertyAdded","property":"isPopular"},"text":"Property 'Zone.isPopular' has been added."}
        {"class":"Country","added":0,"removed":0,"changed":0,"same":249}
        {"class":"Zone","added":0,"removed":0,"changed":312,"same":0}

        """#)
  }

  @Test func `versions 1 and 4 have the same zones under another name of the key`() throws {
    let text = try run(["diff", "v1.whimbrel", "v4.whimbrel", "--limit", "1"], exitCode: 1)
    #expect(
      text == """
        schema version 1 → 4
        Class 'Country' has been added.
        Property 'Zone.coordinates' has been removed.
        Property 'Zone.name' has been renamed to 'identifier'.
        Property 'Zone.latitude' has been added.
        Property 'Zone.longitude' has been added.
        Property 'Zone.comments' has been made required.
        The default value of property 'Zone.comments' has changed.
        Property 'Zone.country' has been added.
        Property 'Zone.area' has been added.
        Property 'Zone.isPopular' has been added.
        Country: 249 added
        + Country AD
        … 248 more
        Zone: 312 changed
        ~ Zone Africa/Abidjan
            latitude: + 5.316666666666666
            longitude: + -4.033333333333333
            country: + CI
            area: + "africa"
        … 311 more

        """)
  }

  @Test(arguments: [
    ["diff", "v1.whimbrel", "no.whimbrel"], ["diff", "v1.whimbrel", "v2.whimbrel", "--class", "X"],
  ])
  func `trouble ends with exit code 2`(arguments: [String]) throws {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == 2)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("Error: Could not "))
  }

  @Test(arguments: [
    ["diff", "v1.whimbrel"], ["diff", "a", "b", "c"], ["diff", "a", "b", "--limit", "-1"],
  ])
  func `wrong usage ends with exit code 64`(arguments: [String]) throws {
    #expect(try ToolRun(arguments, in: folder).exitCode == 64)
  }
}
