import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `whimbrel schema` of two schemas, and `whimbrel plan`.
struct SchemaVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    for version in 1...4 {
      try FileManager.default.copyItem(
        at: Recording.url("../SampleStores/Zones.v\(version).whimbrel"),
        to: folder.url.appending(path: "v\(version).whimbrel"))
    }
    // An overview makes one, of which there is nothing to say here.
    try Data(json("v4.whimbrel").utf8).write(to: folder.url.appending(path: "v4.json"))
  }

  private func json(_ store: String) throws -> String {
    try ToolRun(["schema", store, "--json"], in: folder).output
  }

  @Test func `the exit code says whether schemas differ`() throws {
    let same = try ToolRun(["schema", "v4.whimbrel", "v4.json"], in: folder)
    #expect(same.exitCode == 0)
    #expect(same.output + same.errors == "")
    let different = try ToolRun(["schema", "v3.whimbrel", "v4.json"], in: folder)
    #expect(different.exitCode == 1)
    #expect(different.errors == "")
    #expect(
      different.output == """
        schema version 3 to 4
        instant     Property 'Zone.comments' has been made required.
        instant     The default value of property 'Zone.comments' has changed.
        needs code  Property 'Zone.area' has been added.
                    A migration block or rule must set it for every object.
        instant     Property 'Zone.isPopular' has been added.

        """)
    let trouble = try ToolRun(["schema", "v3.whimbrel", "v5.json"], in: folder)
    #expect(trouble.exitCode == 2)
    #expect(
      trouble.errors.hasPrefix(
        "Error: Could not read the schema 'v5.json': the file does not exist."))
    #expect(try ToolRun(["schema", "v5.json"], in: folder).exitCode == 1)
  }

  @Test func `a schema comes from standard input too`() throws {
    let text = try json("v3.whimbrel")
    let shown = try ToolRun(["schema", "-", "--json"], input: text, in: folder)
    #expect(shown.exitCode == 0)
    #expect(shown.output == text)
    #expect(try ToolRun(["schema", "-", "v3.whimbrel"], input: text, in: folder).exitCode == 0)
    let bad = try ToolRun(["schema", "-"], input: "{}", in: folder)
    #expect(bad.exitCode == 1)
    #expect(
      bad.errors == """
        Error: Could not read the schema 'standard input': 'schemaVersion' is missing.
        Hint: Give a store, or a file that 'whimbrel schema --json' wrote.

        """)
  }

  @Test func `models and a diagram are written`() throws {
    for form in ["swift", "mermaid"] {
      let run = try ToolRun(["schema", "v4.whimbrel", "--\(form)"], in: folder)
      #expect(run.exitCode == 0 && run.errors == "")
      try Recording.expect(run.output, at: "WhimbrelToolTests/Tool/Schemas/Zones.v4.\(form).txt")
    }
  }

  @Test func `a plan says what a migration needs`() throws {
    let run = try ToolRun(["plan", "v3.whimbrel", "v4.json"], in: folder)
    #expect(run.exitCode == 1 && run.errors == "")
    #expect(
      run.output == """
        From version 3 to 4:
          instant     Property 'Zone.comments' has been made required.
          instant     The default value of property 'Zone.comments' has changed.
          needs code  Property 'Zone.area' has been added. (312 objects, about 36 KiB)
                      A migration block or rule must set it for every object.
          instant     Property 'Zone.isPopular' has been added.
        About 36 KiB would be written.
        Rules cannot make all changes while the app runs:
          Property 'Zone.area' has no default, which objects get if the rule does not set it.

        """)
    let json = try ToolRun(["plan", "v3.whimbrel", "v4.json", "--json"], in: folder).output
    #expect(json.contains(#""ready" : false"#) && !json.contains("findings"))
    #expect(json.contains(#""canRunOnline" : false"#))
    let before = folder.contents("v3.whimbrel")
    #expect(try ToolRun(["plan", "v3.whimbrel", "v4.json", "--check"], in: folder).exitCode == 1)
    #expect(folder.contents("v3.whimbrel") == before)
  }

  @Test func `a plan says when there is nothing to do, and when it cannot be done`() throws {
    let nothing = try ToolRun(["plan", "v4.whimbrel", "v4.json", "--check"], in: folder)
    #expect(nothing.exitCode == 0)
    #expect(
      nothing.output == """
        Nothing to do: the store is at version 4.

        No data is in the way.

        """)
    let impossible = try ToolRun(["plan", "v4.whimbrel", "v3.whimbrel"], in: folder)
    #expect(impossible.exitCode == 1)
    #expect(!impossible.output.contains("Rules"))
    #expect(
      impossible.output.hasPrefix(
        "From version 4 to 3, which is impossible: a schema version never goes down.\n"))
    let higher = try ToolRun(
      ["plan", "v4.whimbrel", "v3.whimbrel", "--to-version", "5"], in: folder)
    #expect(higher.output.hasPrefix("From version 4 to 5:\n"))
    #expect(try ToolRun(["plan", "v4.whimbrel", "v9.json"], in: folder).exitCode == 2)
  }

  @Test func `a check names the objects that are in the way`() throws {
    var zone = try SchemaExport(json: Data(json("v3.whimbrel").utf8))
    zone = SchemaExport(
      schemaVersion: 4,
      classes: zone.classes.map { entry in
        SchemaExport.ClassExport(
          name: entry.name,
          properties: entry.properties.map { property in
            var property = property
            if property.name == "comments" { property.isOptional = false }
            return property
          })
      })
    try zone.json().write(to: folder.url.appending(path: "strict.json"))
    let run = try ToolRun(["plan", "v3.whimbrel", "strict.json", "--check"], in: folder)
    #expect(run.exitCode == 1)
    let lines = run.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "In the data:"))
    #expect(lines.count == start + 7)
    #expect(lines[start + 1].hasPrefix("  'Zone.comments' of object "))
    #expect(lines[start + 1].hasSuffix(" is nil, and is required now."))
    #expect(lines[start + 6].hasPrefix("    and "))
  }
}
