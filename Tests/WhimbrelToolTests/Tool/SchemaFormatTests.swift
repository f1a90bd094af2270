import Foundation
import Testing
import WhimbrelInspection

/// `whimbrel help schema.json`.
struct SchemaFormatTests {
  @Test func `the example of the page is a schema`() throws {
    let folder = try TestFolder()
    let run = try ToolRun(["help", "schema.json"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    try Recording.expect(run.output, at: "Tool/Pages/schema.json.txt")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex(of: "{"))
    let last = try #require(lines.firstIndex(of: "}"))
    let example = lines[first...last].joined(separator: "\n")
    let shown = try ToolRun(["schema", "-", "--json"], input: example, in: folder)
    #expect(shown.exitCode == 0, "\(shown.errors)")
    try Data(example.utf8).write(to: folder.url.appending(path: "schema.json"))
    let loaded = try ToolRun(
      [
        "load", "--from", "json", "-", "a.whimbrel", "--class", "City", "--schema", "schema.json",
      ], input: #"{"id": 1, "name": "Bern", "mayor": {"name": "Ann"}, "names": {"fr": "Berne"}}"#,
      in: folder)
    #expect(loaded.errors == "")
    #expect(loaded.output == "City: 1 added\nMayor: 1 added\n")
    // Every key that the page explains is one that schemas have.
    let every = try String(contentsOf: Recording.url("Tool/Schemas/Every.json"), encoding: .utf8)
    for line in lines where line.hasPrefix("  ") && !line.hasPrefix("   ") {
      let name = line.split(separator: " ").first ?? ""
      guard
        ["bool", "string", "<Country>", "[int]", "{string}", "[string:"].contains(name) == false,
        !name.hasPrefix("\""), !"{}[]".contains(name.prefix(1))
      else { continue }
      #expect(every.contains("\"\(name)\""), "\(name)")
    }
  }
}
