import Foundation
import Testing
import WhimbrelInspectionTestSupport

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

  @Test func `there is help of no other verb`() throws {
    #expect(ToolVerbs.all.count >= 20)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Recording.url("WhimbrelToolTests/Tool/Help").path)
    #expect(files.sorted() == (["whimbrel"] + ToolVerbs.all).map { "\($0).txt" }.sorted())
  }
}
