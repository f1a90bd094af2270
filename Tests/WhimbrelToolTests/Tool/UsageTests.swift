import Foundation
import Testing
import WhimbrelInspection

struct UsageTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `the version is that of the library`() throws {
    let run = try ToolRun(["--version"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == "whimbrel \(StoreInspector.libraryVersion)\n")
  }

  @Test(arguments: [
    ["inform", "a.whimbrel"], ["info"], ["info", "a", "b"], ["info", "a", "--yaml"], ["load", "a"],
  ])
  func `wrong usage has its own exit code`(arguments: [String]) throws {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == 64)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("Error: "))
    #expect(run.errors.contains("Usage: whimbrel"))
  }

  @Test func `no arguments show the help`() throws {
    let run = try ToolRun([], in: folder)
    let help = try ToolRun(["--help"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == help.output)
  }
}
