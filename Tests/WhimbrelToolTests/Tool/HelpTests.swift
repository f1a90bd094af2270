import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// The help of the tool and of each verb, as files in the folder `Help`: see ``Recording``.
struct HelpTests {
  @Test(arguments: [""] + ToolVerbs.all)
  func `the help says what a verb does`(verb: String) throws {
    let run = try ToolRun((verb.isEmpty ? [] : [verb]) + ["--help"], in: TestFolder())
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    try Recording.expect(
      run.output, at: "WhimbrelToolTests/Tool/Help/\(verb.isEmpty ? "whimbrel" : verb).txt")
  }

  // The examples set a property that no class has, and added an object without required values.
  @Test(arguments: ["set", "add", "rm"])
  func `each example of a verb that edits works on a sample store`(verb: String) throws {
    let folder = try TestFolder()
    try FileManager.default.moveItem(
      atPath: try folder.copySampleStore("Zones.v7"), toPath: folder.path("zones.whimbrel"))
    try Data(#"{"code": "XX", "name": "X"}"#.utf8).write(to: folder.url.appending(path: "new.json"))
    let start = "  whimbrel \(verb) zones.whimbrel "
    let examples = try ToolRun([verb, "--help"], in: folder).output.split(separator: "\n")
      .filter { $0.hasPrefix(start) }
    #expect(examples.count >= 2)
    for example in examples {
      let run = try shell("\"$whimbrel\"\(example.dropFirst("  whimbrel".count))", in: folder)
      #expect(run.exitCode == 0, "\(example): \(run.output)")
    }
  }

  @Test func `there is help of no other verb`() throws {
    #expect(ToolVerbs.all.count >= 20)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Recording.url("WhimbrelToolTests/Tool/Help").path)
    #expect(files.sorted() == (["whimbrel"] + ToolVerbs.all).map { "\($0).txt" }.sorted())
  }
}
