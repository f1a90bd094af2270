import Foundation
import Testing
import WhimbrelInspectionTestSupport

/// `whimbrel diff` against dumps.
struct DumpDiffTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let text = try dump(folder.path("a.whimbrel"))
    try Data(text.utf8).write(to: folder.url.appending(path: "a.jsonl"))
    let changed = text.replacing("Asia/Kathmandu", with: "Asia/Tokyo")
    try Data(changed.utf8).write(to: folder.url.appending(path: "b.jsonl"))
  }

  @Test func `either side may be a dump`() throws {
    for arguments in [
      ["a.whimbrel", "a.jsonl"], ["a.jsonl", "a.whimbrel"], ["a.jsonl", "a.jsonl"],
    ] {
      let run = try ToolRun(["diff"] + arguments, in: folder)
      #expect(run.exitCode == 0, "\(arguments): \(run.output)\(run.errors)")
    }
    let run = try ToolRun(["diff", "a.whimbrel", "b.jsonl"], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("Asia/Tokyo"))
    let input = try String(contentsOfFile: folder.path("b.jsonl"), encoding: .utf8)
    let piped = try ToolRun(["diff", "a.whimbrel", "-"], input: input, in: folder)
    #expect(piped.output == run.output)
    #expect(piped.exitCode == 1)
  }

  @Test func `a folder is a dump, too`() throws {
    _ = try ToolRun(["dump", "a.whimbrel", "--folder", "dump"], in: folder)
    #expect(try ToolRun(["diff", "dump", "a.whimbrel"], in: folder).exitCode == 0)
  }

  // Editors on Windows write it. The first line was not JSON.
  @Test func `a dump and a schema may begin with a byte order mark`() throws {
    let dump = try String(contentsOfFile: folder.path("a.jsonl"), encoding: .utf8)
    let schema = try ToolRun(["schema", "a.whimbrel", "--json"], in: folder).output
    for (name, text) in [("marked.jsonl", dump), ("schema.json", schema)] {
      try Data("\u{FEFF}\(text)".utf8).write(to: folder.url.appending(path: name))
    }
    for arguments in [
      ["load", "marked.jsonl", "c.whimbrel"], ["load", "-", "d.whimbrel"],
      ["diff", "marked.jsonl", "a.whimbrel"], ["schema", "a.whimbrel", "schema.json"],
    ] {
      let run = try ToolRun(arguments, input: "\u{FEFF}\(dump)", in: folder)
      #expect(run.exitCode == 0, "\(arguments): \(run.errors)")
    }
  }

  @Test func `a bad dump is trouble`() throws {
    try Data("{\"x\":1}\n".utf8).write(to: folder.url.appending(path: "c.jsonl"))
    let run = try ToolRun(["diff", "a.whimbrel", "c.jsonl"], in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("'c.jsonl'"))
    #expect(try ToolRun(["diff", "-", "-"], in: folder).exitCode == 64)
  }
}
