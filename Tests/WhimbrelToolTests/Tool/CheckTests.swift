import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct CheckTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  /// Changes a byte of the text of an object, so that its checksum is wrong.
  private func damage() throws {
    let url = URL(filePath: folder.path("a.whimbrel"))
    var data = try Data(contentsOf: url)
    let used = UsedBytes(data)
    let record = try #require(
      used.parts.first { $0.what == "value of 'c2.g1'" && $0.range.count > 40 })
    data[record.range.lowerBound + 20] ^= 1
    try data.write(to: url)
  }

  @Test func `a healthy store has no findings`() throws {
    let report = try StoreCheck(path: folder.path("a.whimbrel")).run()
    for arguments in [[], ["--quick"]] {
      let run = try ToolRun(["check", "a.whimbrel"] + arguments, in: folder)
      #expect(
        run.output == """
          a.whimbrel: nothing is wrong (3 objects in 2 classes, \(report.pages.used) pages in use, \
          \(report.pages.free) free)

          """)
      #expect(run.errors == "")
      #expect(run.exitCode == 0)
    }
    let run = try ToolRun(["check", "a.whimbrel", "--json"], in: folder)
    let read = try StoreCheck.Report(json: Data(run.output.utf8))
    #expect(read.path == "a.whimbrel")
    #expect(read.classes == report.classes)
    #expect(read.isSound)
  }

  @Test func `findings say what and where`() throws {
    try damage()
    let run = try ToolRun(["check", "a.whimbrel"], in: folder)
    #expect(run.output.hasPrefix("object 1 of class 'Zone': its checksum is wrong\n"))
    #expect(run.output.contains("\na.whimbrel: 1 finding (3 objects"))
    #expect(run.exitCode == 1)
    let quick = try ToolRun(["check", "a.whimbrel", "--quick", "--json"], in: folder)
    #expect(quick.exitCode == 1)
    let finding = try #require(try StoreCheck.Report(json: Data(quick.output.utf8)).findings.first)
    #expect(finding.kind == "record")
    #expect(finding.className == "Zone")
    #expect(finding.object == 1)
  }

  /// The closed pipe made the answer 0: nothing is wrong, nothing was lost.
  @Test(
    .takesLong,
    arguments: ["check a.whimbrel", "check a.whimbrel --json", "salvage a.whimbrel b.whimbrel"])
  func `the answer is the same if the reader of the output closes the pipe`(
    arguments: String
  ) throws {
    try damage()
    let result = try shell(
      "{ sleep 0.3; \"$whimbrel\" \(arguments) 2> errors; echo $? > code; } | true; cat code",
      in: folder)
    #expect(result.output == "1\n")
  }

  // The check ended with an error, and the hint was to run the check.
  @Test func `a damaged number of objects is a finding, and the objects are checked`() throws {
    let url = URL(filePath: folder.path("a.whimbrel"))
    var data = try Data(contentsOf: url)
    let key = Data("c2.g1#".utf8)
    let number = try #require(
      UsedBytes(data).parts.first { part in
        part.what == "value of ''" && data[..<part.range.lowerBound].suffix(key.count) == key
      })
    data[number.range.lowerBound + 9] ^= 1
    try data.write(to: url)
    let run = try ToolRun(["check", "a.whimbrel"], in: folder)
    #expect(
      run.output.hasPrefix(
        "class 'Zone': its separately stored number of objects is wrong\n"
          + "a.whimbrel: 1 finding (3 objects in 2 classes"))
    #expect(run.exitCode == 1)
  }

  // The last page was that of the free list, and was reported once for its transactions.
  @Test func `a page beyond the end of the file is one finding`() throws {
    let url = URL(filePath: folder.path("a.whimbrel"))
    let data = try Data(contentsOf: url)
    let used = UsedBytes(data)
    let root = try #require(used.roots["free"])
    // The pages behind it are missing as well, and each is found once.
    try data.prefix(root * used.pageSize).write(to: url)
    let run = try ToolRun(["check", "a.whimbrel"], in: folder)
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("page \(root): ") }
    #expect(lines.count == 1)
    #expect(run.exitCode == 1)
  }

  @Test func `what cannot be checked is trouble`() throws {
    let missing = try ToolRun(["check", "none.whimbrel"], in: folder)
    #expect(missing.exitCode == 2)
    #expect(missing.output == "")
    #expect(missing.errors.hasPrefix("Error: Could not open the store at 'none.whimbrel'"))
    try Data("text".utf8).write(to: folder.url.appending(path: "text"))
    #expect(try ToolRun(["check", "text"], in: folder).exitCode == 2)
    #expect(try ToolRun(["check"], in: folder).exitCode == 64)
  }

  @Test func `salvage says what was lost`() throws {
    try damage()
    let run = try ToolRun(["salvage", "a.whimbrel", "b.whimbrel"], in: folder)
    #expect(
      run.output == """
        class    kept  by table  by search  lost  links lost
        Country     1         1          0     0           0
        Zone        1         1          0     1           0
        damaged objects of 'Zone': id:1
        Not everything could be saved.

        """)
    #expect(run.errors == "")
    #expect(run.exitCode == 1)
    let json = try ToolRun(["salvage", "a.whimbrel", "j.whimbrel", "--json"], in: folder)
    #expect(json.output.contains("\"id:1\""))
    #expect(try ToolRun(["check", "b.whimbrel"], in: folder).exitCode == 0)
    let again = try ToolRun(["salvage", "b.whimbrel", "c.whimbrel"], in: folder)
    #expect(again.output.hasSuffix("Nothing was lost.\n"))
    #expect(again.exitCode == 0)
    let refused = try ToolRun(["salvage", "a.whimbrel", "b.whimbrel"], in: folder)
    #expect(refused.exitCode == 2)
    #expect(
      refused.errors == """
        Error: Could not salvage a store into 'b.whimbrel': a file with that name already exists.
        Hint: Choose another name, or move the file away first.

        """)
    try Data(count: 50_000).write(to: folder.url.appending(path: "zeros"))
    let none = try ToolRun(["salvage", "zeros", "d.whimbrel"], in: folder)
    #expect(none.exitCode == 2)
    #expect(none.errors.hasPrefix("Error: Could not salvage the store 'zeros': its catalog"))
  }

  // The error said that the new file does not exist, and that 'whimbrel load' creates a store.
  @Test(arguments: ["salvage", "compact"])
  func `a new store in a folder that is missing names the folder`(verb: String) throws {
    let run = try ToolRun([verb, "a.whimbrel", "none/b.whimbrel"], in: folder)
    #expect(
      run.errors == """
        Error: Could not create the store at 'none/b.whimbrel': its folder 'none' does not exist.
        Hint: Create the folder first.

        """)
    #expect(run.exitCode == (verb == "salvage" ? 2 : 1))
  }

  @Test func `compact says what was gained`() throws {
    let run = try ToolRun(["compact", "a.whimbrel", "b.whimbrel"], in: folder)
    let (before, after) = (folder.contents("a.whimbrel"), folder.contents("b.whimbrel"))
    let sizes = (before?.count ?? 0, after?.count ?? 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("before  ") && lines[1].contains(" \(sizes.0) "))
    #expect(lines[2].hasPrefix("after ") && lines[2].contains(" \(sizes.1) "))
    #expect(lines[3] == "The new file has \(sizes.1 * 100 / sizes.0) % of the old size.")
    #expect(run.exitCode == 0)
    let again = try ToolRun(["compact", "a.whimbrel", "b.whimbrel"], in: folder)
    #expect(again.exitCode == 1)
    #expect(again.errors.contains("a file with that name already exists"))
    let inPlace = try ToolRun(["compact", "a.whimbrel", "--in-place", "--json"], in: folder)
    #expect(inPlace.exitCode == 0)
    #expect(inPlace.output.contains("\"leftTables\" : ["))
    #expect(folder.contents("a.whimbrel") == after)
  }
}
