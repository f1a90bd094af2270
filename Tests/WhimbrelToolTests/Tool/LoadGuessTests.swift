import Foundation
import Testing
import WhimbrelInspectionTestSupport

/// `whimbrel load` of CSV and JSON without a schema.
struct LoadGuessTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `what was guessed is said beside the result`() throws {
    let run = try ToolRun(
      ["load", "--from", "csv", "-", "a.whimbrel", "--class", "City", "--key", "id"],
      input: "id,name,zip\n1,Bern,03000\n2,,01200\n", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == "City: 2 added\n")
    #expect(
      run.errors == """
        The schema was guessed from 2 rows. Use '--schema' for another one.
        property   type              missing  because
        City.id    int, primary key        0
        City.name  string?                 1  "Bern" in line 2
        City.zip   string                  0  "03000" in line 2

        """)
    #expect(try folder.names() == ["a.whimbrel"])
  }

  /// The tool read the pipe for the schema, and then waited for ever for another writer.
  @Test func `a pipe is read once, for the schema and the objects`() throws {
    let result = try shell(
      """
      mkfifo pipe
      echo '[{"id":1},{"id":2.5}]' > pipe &
      timeout -s KILL 600 "$whimbrel" load --from json pipe a.whimbrel --class City 2> guess
      """, in: folder)
    #expect(result.output == "City: 2 added\n" && result.exitCode == 0)
    #expect(folder.contents("guess") != nil)
  }

  @Test(arguments: ["json", "jsonl"])
  func `a dry run only guesses`(format: String) throws {
    let run = try ToolRun(
      ["load", "--from", format, "-", "a.whimbrel", "--class", "City", "--dry-run"],
      input: #"[{"id":1},{"id":2.5}]"#, in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == "City: would add 2\n")
    #expect(run.errors.contains("City.id   double"))
    #expect(try folder.names().isEmpty)
  }

  @Test func `a store that is there is not touched`() throws {
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let before = folder.contents("a.whimbrel")
    let run = try ToolRun(
      ["load", "--from", "csv", "missing.csv", "a.whimbrel", "--class", "City"], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("a file with that name already exists"))
    #expect(folder.contents("a.whimbrel") == before)
  }

  @Test func `a schema that is given counts`() throws {
    let schema = """
      {"classes": [{"name": "City", "properties": [
        {"name": "id", "type": "string", "primaryKey": true},
        {"name": "founded", "type": "date", "optional": true}]}], "schemaVersion": 3}
      """
    try Data(schema.utf8).write(to: folder.url.appending(path: "schema.json"))
    let run = try ToolRun(
      ["load", "--from", "csv", "-", "a.whimbrel", "--class", "City", "--schema", "schema.json"],
      input: "id,founded\n1,2024-02-29T12:00:00+02:00\n", in: folder)
    #expect(run.errors == "")
    #expect(run.output == "City: 1 added\n")
    let shown = try ToolRun(["ls", "a.whimbrel", "City", "--csv"], in: folder).output
    #expect(shown == "id,founded\n1,2024-02-29T10:00:00Z\n")
  }

  @Test(arguments: [
    (#"{"twins":[{"name":"Bonn"},null]}"#, "'twins' holds '[<Twin>]'", "an element is null"),
    (#"{"twins":[5]}"#, "'twins' holds '[<Twin>]'", "an element is a number"),
    (
      #"{"named":{"a":{"name":"Bonn"},"b":7}}"#, "'named' holds '[string: <Twin>]'",
      "the value of 'b' is a number"
    ),
    (#"{"twins":5}"#, "'twins' holds '[<Twin>]'", "the value is a number"),
  ])
  func `an element that is not an embedded object is named`(
    line: String, property: String, problem: String
  ) throws {
    let schema = """
      {"classes": [{"name": "City", "properties": [
        {"name": "twins", "type": "[<Twin>]"}, {"name": "named", "type": "[string: <Twin>]"}]},
        {"name": "Twin", "embedded": true, "properties": [{"name": "name", "type": "string"}]}],
        "schemaVersion": 1}
      """
    try Data(schema.utf8).write(to: folder.url.appending(path: "schema.json"))
    let run = try ToolRun(
      ["load", "--from", "json", "-", "a.whimbrel", "--class", "City", "--schema", "schema.json"],
      input: line, in: folder)
    #expect(run.exitCode == 1)
    #expect(
      run.errors.hasPrefix(
        "Error: Could not load 'standard input': line 1, City number 1: "
          + "\(property), embedded objects, but \(problem).\n"),
      "\(run.errors)")
    #expect(try folder.names() == ["schema.json"])
  }
}
