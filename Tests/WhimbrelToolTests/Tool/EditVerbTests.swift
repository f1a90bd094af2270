import Foundation
import Testing
import WhimbrelInspectionTestSupport

struct EditVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  /// Runs a verb first without `--write`, which leaves the file as it is, and then with it.
  private func run(
    _ arguments: [String], input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = folder.contents("a.whimbrel")
    let preview = try ToolRun(arguments, input: input, in: folder)
    #expect(preview.exitCode == 0, sourceLocation: sourceLocation)
    #expect(folder.contents("a.whimbrel") == before, sourceLocation: sourceLocation)
    let done = try ToolRun(arguments + ["--write"], input: input, in: folder)
    #expect(done.exitCode == 0, sourceLocation: sourceLocation)
    #expect(done.errors + preview.errors == "", sourceLocation: sourceLocation)
    #expect(folder.contents("a.whimbrel") != before, sourceLocation: sourceLocation)
    let lines = [preview, done].map { $0.output.split(separator: "\n").dropLast() }
    #expect(lines[0] == lines[1], sourceLocation: sourceLocation)
    return preview.output
      + (done.output.split(separator: "\n").last.map(String.init) ?? "") + "\n"
  }

  @Test func `set changes an object`() throws {
    #expect(
      try run(["set", "a.whimbrel", "Zone", "Asia/Kathmandu", "latitude=-5", "country=AD"]) == """
        ~ Zone Asia/Kathmandu
            latitude: 27.75 → -5.0
            country: null → AD
        Would change 1. Add '--write' to apply the changes.
        Done: 1 changed.

        """)
  }

  @Test func `set changes all objects that a query finds`() throws {
    #expect(
      try run(["set", "a.whimbrel", "Zone", "--where", "latitude > 0", "comments=", "--json"])
        == #"""
        {"change":"changed","class":"Zone","key":"Asia/Kathmandu","properties":[{"property":"comments","old":"a \"b\"","new":""}]}
        {"added":0,"removed":0,"changed":1,"same":1,"written":false}
        {"added":0,"removed":0,"changed":1,"same":1,"written":true}

        """#)
  }

  @Test func `add adds an object from standard input`() throws {
    let json =
      #"{"identifier": "Europe/Paris", "latitude": 48.5, "country": "AD", "area": "europe"}"#
    #expect(
      try run(["add", "a.whimbrel", "Zone", "-"], input: json + "\n") == """
        + Zone Europe/Paris, object ID 3
            identifier: "Europe/Paris"
            latitude: 48.5
            country: AD
            area: "europe"
            comments: ""
        Would add 1. Add '--write' to apply the changes.
        Done: 1 added.

        """)
  }

  @Test func `rm removes objects`() throws {
    #expect(
      try run(["rm", "a.whimbrel", "Country", "AD", "--json"]) == """
        {"change":"removed","class":"Country","key":"AD","effects":[\
        {"unlinks":{"class":"Zone","key":"Europe/Andorra"},"property":"country"}]}
        {"added":0,"removed":1,"changed":0,"same":0,"written":false}
        {"added":0,"removed":1,"changed":0,"same":0,"written":true}

        """)
  }

  @Test func `a copy stands at its name only when it is whole, and takes nobody's place`() throws {
    try Data("mine".utf8).write(to: folder.url.appending(path: "b.whimbrel"))
    let before = try dump(folder.path("a.whimbrel"))
    let arguments = ["rm", "a.whimbrel", "Zone", "--where", "TRUEPREDICATE", "--write", "--backup"]
    let refused = try ToolRun(arguments + ["b.whimbrel"], in: folder)
    #expect(refused.exitCode == 1)
    #expect(
      refused.errors == """
        Error: Could not copy the store 'a.whimbrel' to 'b.whimbrel': the file already exists.
        Hint: Choose a path that does not exist yet, on a disk with enough space. The store was not changed.

        """)
    #expect(folder.contents("b.whimbrel") == Data("mine".utf8))
    let missing = try ToolRun(arguments + ["no/b.whimbrel"], in: folder)
    #expect(missing.errors.contains("its folder does not exist"))
    #expect(try dump(folder.path("a.whimbrel")) == before)
    // Nothing is left of the temporary name.
    _ = try ToolRun(arguments + ["c.whimbrel"], in: folder)
    #expect(try folder.names().filter { !$0.hasSuffix("-lock") }.count == 3)
    #expect(try dump(folder.path("c.whimbrel")) == before)
  }

  // It removed all objects.
  @Test(arguments: ["", " "]) func `an empty query changes nothing`(query: String) throws {
    let before = try dump(folder.path("a.whimbrel"))
    for arguments in [["rm", "a.whimbrel", "Zone"], ["set", "a.whimbrel", "Zone", "comments=x"]] {
      let run = try ToolRun(arguments + ["--where", query, "--write"], in: folder)
      #expect(run.exitCode == 64)
      #expect(
        run.errors.contains("The query is empty. For all objects, write '--where TRUEPREDICATE'."))
    }
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  @Test func `a copy is made before`() throws {
    let arguments = [
      "rm", "a.whimbrel", "Zone", "--where", "TRUEPREDICATE", "--write", "--backup", "b.whimbrel",
    ]
    #expect(try ToolRun(arguments, in: folder).output.hasSuffix("Done: 2 removed.\n"))
    let diff = try ToolRun(["diff", "b.whimbrel", "a.whimbrel"], in: folder)
    #expect(
      diff.output == """
        Zone: 2 removed
        - Zone Asia/Kathmandu
        - Zone Europe/Andorra

        """)
  }

  @Test(arguments: [
    (
      ["set", "a.whimbrel", "Zone", "Asia/Kathmandu", "area=africa"],
      """
      Error: Could not set 'Zone.area': the value is not one of the enum's cases: 'europe', 'asia'.
      Hint: Give it the raw value of a case, or add the case.

      """
    ),
    (
      ["set", "a.whimbrel", "Zone", "Asia/Kathmandu", "latitude=north"],
      """
      Error: Could not understand 'north': this is not a number.
      Hint: Property 'Zone.latitude' holds 'double'.

      """
    ),
    (
      ["rm", "a.whimbrel", "Zone", "Asia/Katmandu"],
      """
      Error: Could not find the object 'Asia/Katmandu' of class 'Zone': no object has this primary \
      key, 'identifier'.
      Hint: List the objects with 'whimbrel ls'. Name an object by its primary key, or by its object \
      ID, such as 'id:17'.

      """
    ),
    (
      ["add", "b.whimbrel", "Zone"],
      """
      Error: Could not open the store at 'b.whimbrel': the file does not exist.
      Hint: Check the path. 'whimbrel load' creates a store from a dump.

      """
    ),
  ])
  func `errors leave the file as it is`(arguments: [String], words: String) throws {
    let before = folder.contents("a.whimbrel")
    for arguments in [arguments, arguments + ["--write"]] {
      let run = try ToolRun(arguments, in: folder)
      #expect(run.exitCode == 1)
      #expect(run.output == "")
      #expect(run.errors == words)
    }
    #expect(folder.contents("a.whimbrel") == before)
  }

  /// The closed pipe rolled the changes back, and the exit code was that of success.
  @Test(arguments: [
    "set a.whimbrel Country AD name=new", "rm a.whimbrel Country AD",
    "add a.whimbrel Country code=XK name=Kosovo",
  ])
  func `changes are made if the reader of the output closes the pipe`(arguments: String) throws {
    let before = try folder.run("dump", "a.whimbrel")
    let command = "\"$whimbrel\" \(arguments) --write"
    let result = try shell(
      "{ sleep 0.3; \(command); echo $? > code; } | true; cat code", in: folder)
    #expect(result.output == "0\n")
    #expect(try folder.run("dump", "a.whimbrel") != before)
  }

  @Test(arguments: [
    ["set", "a.whimbrel", "Zone"], ["set", "a.whimbrel", "Zone", "x"],
    ["set", "a.whimbrel", "Zone", "--where", "TRUEPREDICATE"], ["rm", "a.whimbrel", "Zone"],
    ["rm", "a.whimbrel", "Zone", "x", "--where", "y"],
    ["rm", "a.whimbrel", "Zone", "x", "--backup", "y"],
  ])
  func `wrong usage ends with exit code 64`(arguments: [String]) throws {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("Usage: whimbrel"))
  }
}
