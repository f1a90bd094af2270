import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `whimbrel help schema.json`.
struct SchemaFormatTests {
  @Test func `the example of the page is a schema`() throws {
    let folder = try TestFolder()
    let run = try ToolRun(["help", "schema.json"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    try Recording.expect(run.output, at: "WhimbrelToolTests/Tool/Pages/schema.json.txt")
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
    let every = try String(
      contentsOf: Recording.url("WhimbrelToolTests/Tool/Schemas/Every.json"), encoding: .utf8)
    for line in lines where line.hasPrefix("  ") && !line.hasPrefix("   ") {
      let name = line.split(separator: " ").first ?? ""
      guard
        ["bool", "string", "<Country>", "[int]", "{string}", "[string:"].contains(name) == false,
        !name.hasPrefix("\""), !"{}[]".contains(name.prefix(1))
      else { continue }
      #expect(every.contains("\"\(name)\""), "\(name)")
    }
  }

  /// JavaScript and jq 1.6 round whole numbers beyond 2⁵³.
  @Test func `defaults beyond 2⁵³ are strings, and numbers are read too`() throws {
    let folder = try TestFolder()
    func schema(_ numbers: [String]) -> String {
      let properties = numbers.enumerated().map { index, number in
        """
        {"name": "p\(index)", "type": "int", "default": {"value": {"int": \(number)}}}
        """
      }
      return """
        {"schemaVersion": 1, "classes": [{"name": "A", "properties": [\(properties.joined(separator: ","))]}]}
        """
    }
    let numbers = ["9007199254740992", "9007199254740993", "-9223372036854775808", "5"]
    let given = try ToolRun(["schema", "-", "--json"], input: schema(numbers), in: folder)
    #expect(given.exitCode == 0, "\(given.errors)")
    for text in ["\"9007199254740993\"", "\"-9223372036854775808\"", " : 9007199254740992", " : 5"]
    {
      #expect(given.output.contains(text), "\(given.output)")
    }
    let again = try ToolRun(["schema", "-", "--json"], input: given.output, in: folder)
    #expect(again.output == given.output)
    try Data(given.output.utf8).write(to: folder.url.appending(path: "schema.json"))
    let loaded = try ToolRun(
      ["load", "--from", "json", "-", "a.whimbrel", "--class", "A", "--schema", "schema.json"],
      input: "{}", in: folder)
    #expect(loaded.errors == "")
    #expect(
      try ToolRun(["ls", "a.whimbrel", "A", "--csv"], in: folder).output
        == "p0,p1,p2,p3\n" + numbers.joined(separator: ",") + "\n")
    #expect(try ToolRun(["schema", "a.whimbrel", "--json"], in: folder).output == given.output)
    let wrong = try ToolRun(["schema", "-"], input: schema(["\"5x\""]), in: folder)
    #expect(wrong.exitCode == 1)
    #expect(wrong.errors.contains("whole number"), "\(wrong.errors)")
  }
}
