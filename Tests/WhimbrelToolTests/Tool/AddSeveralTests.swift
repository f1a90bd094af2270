import Foundation
import Testing
import WhimbrelInspectionTestSupport

/// `whimbrel add` of several objects.
struct AddSeveralTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func add(_ input: String, _ arguments: String...) throws -> ToolRun {
    try ToolRun(["add", "a.whimbrel", "Country", "-"] + arguments, input: input, in: folder)
  }

  @Test(arguments: [
    "{\"code\":\"X1\",\"name\":\"One\"}\n\n{\"code\":\"X2\",\"name\":\"Two\"}\n",
    "[{\"code\":\"X1\",\"name\":\"One\"},\n {\"code\":\"X2\",\"name\":\"Two\"}]",
  ])
  func `lines and arrays are added in one go`(input: String) throws {
    let run = try add(input, "--write")
    #expect(run.errors == "")
    #expect(run.output.hasSuffix("Done: 2 added.\n"))
    #expect(
      try ToolRun(["query", "a.whimbrel", "Country", "--count"], in: folder).output == "3\n")
  }

  @Test(arguments: [
    ("{\"code\":\"X1\",\"name\":\"One\"}\n{\"code\":\"AD\",\"name\":\"Two\"}\n", 2),
    ("{\"code\":\"X1\",\"name\":\"One\"}\n\n{\"code\":\"X2\",\"nam\":\"Two\"}\n", 3),
    ("[\n{\"code\":\"X1\",\"name\":\"One\"},\n5]", 3),
    ("{\"code\":\"X1\",\"name\":\"One\"}\n{\"code\":\n", 2),
  ])
  func `a line that fails is named, and nothing is added`(input: String, line: Int) throws {
    let before = try dump(folder.path("a.whimbrel"))
    let run = try add(input, "--write")
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("line \(line)"), "\(run.errors)")
    #expect(run.errors.contains("'standard input'"))
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  @Test func `no object is wrong usage`() throws {
    #expect(try add("\n").exitCode == 64)
  }
}
