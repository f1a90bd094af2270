import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct PruneVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v4")
  }

  private func run(_ arguments: String...) throws -> ToolRun { try ToolRun(arguments, in: folder) }

  @Test func `prune shows what was kept`() throws {
    let run = try run("prune", "Zones.v4.whimbrel", "small.whimbrel")
    #expect(run.errors == "")
    #expect(run.exitCode == 0)
    let bytes = folder.contents("small.whimbrel")?.count ?? 0
    #expect(
      run.output == """
        class    objects  kept  facets  kept
        Country      249    15       7     7
        Zone         312    16      32    32

        Kept 31 of 561 objects; 151552 bytes became \(bytes).
        Every facet is kept.

        """)
  }

  @Test func `a dry run writes nothing`() throws {
    let run = try run("prune", "Zones.v4.whimbrel", "--dry-run", "--per-class", "20", "--json")
    #expect(run.exitCode == 0)
    #expect(try folder.names() == ["Zones.v4.whimbrel"])
    #expect(run.output.contains("\"perClass\" : 20,\n"))
    #expect(run.output.contains("    \"Zone.area: case europe\",\n"))
    #expect(!run.output.contains("keptBytes"))
  }

  @Test func `all options work together`() throws {
    let run = try run(
      "prune", "Zones.v4.whimbrel", "--in-place", "--per-class", "4", "--keep",
      "Zone where latitude > 70", "--drop", "Zone.comments", "--links", "depth:1",
      "--limit-bytes", "100000", "--allow-loss", "Zone.area: case asia")
    #expect(run.errors == "")
    #expect(run.exitCode == 0)
    #expect(run.output.hasSuffix("Every facet is kept.\n"))
    #expect(try !dump(folder.path("Zones.v4.whimbrel")).contains("comments"))
  }

  @Test func `a size that cannot be is an error`() throws {
    let run = try run("prune", "Zones.v4.whimbrel", "b.whimbrel", "--limit-bytes", "10000")
    #expect(run.exitCode == 1)
    #expect(run.output == "")
    #expect(
      run.errors.hasPrefix("Error: Could not prune the store into 'b.whimbrel': the 31 objects"))
    #expect(run.errors.contains("\nHint: Allow more bytes, drop properties with '--drop'"))
    #expect(try !folder.names().contains("b.whimbrel"))
  }

  @Test(arguments: [
    ["prune", "a"], ["prune", "a", "b", "--in-place"], ["prune", "a", "b", "--dry-run"],
    ["prune", "a", "b", "--links", "some"], ["prune", "a", "b", "--per-class=-1"],
    ["coverage"], ["coverage", "a", "--at-least", "90"],
  ])
  func `wrong usage ends with exit code 64`(arguments: [String]) throws {
    #expect(try ToolRun(arguments, in: folder).exitCode == 64)
  }

  @Test func `coverage shows what is missing`() throws {
    try folder.copySampleStore("Zones.v3")
    let run = try run("coverage", "Zones.v3.whimbrel", "Zones.v4.whimbrel")
    #expect(run.errors == "")
    #expect(run.exitCode == 0)
    #expect(
      run.output == """
        Country  2 of 3
          (class)  ✓ many objects
          name     · empty  ✓ non-ASCII

        Zone  19 of 25
          (class)       ✓ many objects
          countryCodes  · empty  · non-ASCII
          latitude      · zero
          longitude     · zero
          comments      ✓ default  ✓ other  ✓ empty  ✓ non-ASCII
          country       · nil  ✓ linked  ✓ fan-in none  ✓ fan-in one  ✓ fan-in many
          area          ✓ case africa  ✓ case america  ✓ case antarctica  ✓ case asia  \
        ✓ case atlantic  ✓ case australia  ✓ case europe  ✓ case indian  ✓ case pacific
          isPopular     · true  ✓ false

        21 of 28 facets of schema version 4 are covered: 75 %.

        Missing:
          Country with name empty
          Zone with countryCodes empty
          Zone with non-ASCII characters in countryCodes
          Zone with latitude = 0
          Zone with longitude = 0
          Zone with country = nil
          Zone with isPopular = true

        """)
  }

  @Test func `coverage answers by its exit code`() throws {
    #expect(try run("coverage", "Zones.v4.whimbrel", "--at-least", "0.75").exitCode == 0)
    let run = try run("coverage", "Zones.v4.whimbrel", "--at-least", "0.9", "--json")
    #expect(run.exitCode == 1)
    #expect(run.errors == "")
    #expect(run.output.contains("\"fraction\" : 0.75,"))
    #expect(try self.run("coverage", "none.whimbrel").exitCode == 2)
    let schema = try self.run("schema", "Zones.v4.whimbrel", "--json").output
    try Data(schema.utf8).write(to: folder.url.appending(path: "schema.json"))
    let given = try self.run("coverage", "Zones.v4.whimbrel", "--schema", "schema.json", "--json")
    #expect(given.output == run.output)
    let ofStore = try self.run(
      "coverage", "Zones.v4.whimbrel", "--schema", "Zones.v4.whimbrel", "--json")
    #expect(ofStore.output == run.output)
    try Data("{}".utf8).write(to: folder.url.appending(path: "bad.json"))
    let bad = try self.run("coverage", "Zones.v4.whimbrel", "--schema", "bad.json")
    #expect(bad.exitCode == 2)
    #expect(
      bad.errors == """
        Error: Could not read the schema 'bad.json': 'schemaVersion' is missing.
        Hint: Give a store, or a file that 'whimbrel schema --json' wrote.

        """)
  }
}
