import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct LoadVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func load(
    _ source: String, _ arguments: String..., input: String = "", exitCode: Int32 = 0
  ) throws -> ToolRun {
    let run = try ToolRun(["load", source] + arguments, input: input, in: folder)
    #expect(run.exitCode == exitCode, "\(run.errors)")
    return run
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  @Test func `a merge says what it has done, or would do`() throws {
    let text = try dump(folder.path("a.whimbrel"))
      .replacing("Asia/Kathmandu", with: "Asia/Tokyo")
    for mode in [["--dry-run"], []] {
      let run = try ToolRun(
        ["load", "-", "a.whimbrel", "--merge", "update"] + mode, input: text, in: folder)
      #expect(
        run.output
          == (mode.isEmpty
            ? "Country: 1 updated\nZone: 1 added, 1 updated\n"
            : "Country: would update 1\nZone: would add 1, would update 1\n"))
      #expect(run.errors == "")
      #expect(run.exitCode == 0)
    }
    let json = try load("-", "a.whimbrel", "--merge", "keep", "--json", input: text).output
    #expect(
      json == """
        {
          "classes" : [
            {
              "added" : 0,
              "class" : "Country",
              "kept" : 1,
              "replaced" : 0,
              "updated" : 0
            },
            {
              "added" : 0,
              "class" : "Zone",
              "kept" : 2,
              "replaced" : 0,
              "updated" : 0
            }
          ],
          "notes" : [

          ]
        }

        """)
    #expect(
      try load("-", "a.whimbrel", "--merge", "fail", input: text, exitCode: 1).errors == """
        Error: Could not load 'standard input': line 2: the object 'AD' of class 'Country' is \
        already in the store.
        Hint: Use '--merge keep', 'replace' or 'update' instead of 'fail'. Nothing was changed.

        """)
  }

  @Test func `a merge that fails changes nothing`() throws {
    let before = try dump(folder.path("a.whimbrel"))
    let text = before.replacing("Europe/Andorra", with: "x").replacing("42.5", with: "\"no\"")
    let run = try load("-", "a.whimbrel", "--merge", "replace", input: text, exitCode: 1)
    #expect(
      run.errors == """
        Error: Could not load 'standard input': line 3, column 62: this is not a number, in \
        'Zone.latitude'.
        Hint: Correct the file, or create it again. Nothing was changed.

        """)
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  /// The hint said that no store was created, although the store was there before.
  @Test func `a merge of an incomplete dump says that nothing was changed`() throws {
    let before = try dump(folder.path("a.whimbrel"))
    let text = before.split(separator: "\n").prefix(3).joined(separator: "\n")
    let run = try load("-", "a.whimbrel", "--merge", "replace", input: text, exitCode: 1)
    #expect(
      run.errors == """
        Error: Could not load the dump of 'standard input': it has 1 of the 2 objects of class \
        'Zone' that its first line announces.
        Hint: Create the dump again, or remove 'objects' from the first line if objects are \
        missing on purpose. Nothing was changed.

        """)
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  @Test func `CSV goes into a store that is there, or into a new one`() throws {
    try write("code;name\nFR;France\n", "c.csv")
    #expect(
      try load(
        "c.csv", "a.whimbrel", "--from", "csv", "--class", "Country", "--merge", "fail",
        "--separator", ";"
      ).output == "Country: 1 added\n")
    try write(
      String(
        decoding: StoreInspector(path: folder.path("a.whimbrel")).schema.json(), as: UTF8.self),
      "schema.json")
    #expect(
      try load(
        "-", "b.whimbrel", "--from", "csv", "--class", "Country", "--schema", "schema.json",
        "--map", "iso=code", input: "iso,name\nFR,France\n"
      ).output == "Country: 1 added\n")
    #expect(
      try load(
        "-", "b.whimbrel", "--from", "csv", "--class", "Country", "--merge", "fail",
        input: "iso,name\nFR,France\n", exitCode: 1
      ).errors.hasSuffix("Hint: The properties are 'code', 'name'.\n"))
  }

  @Test func `an export of Realm Studio needs no schema`() throws {
    try write(RealmExports.circular, "export.json")
    let run = try load(
      "export.json", "b.whimbrel", "--from", "realm", "--primary-key", "Zone.identifier",
      "--primary-key", "Country.code")
    #expect(run.output == "Country: 2 added\nNote: 3 added\nStation: 3 added\nZone: 2 added\n")
    #expect(
      run.errors
        == "Note: The schema was guessed from the values. 'whimbrel schema --swift' shows it.\n")
  }

  @Test func `what an export has lost is named`() throws {
    try write(RealmExports.flatted, "export.json")
    try write(String(decoding: RealmSample.schema.json(), as: UTF8.self), "schema.json")
    let arguments = [
      "load", "export.json", "b.whimbrel", "--from", "realm", "--schema", "schema.json",
    ]
    let refused = try ToolRun(arguments, in: folder)
    #expect(refused.exitCode == 1)
    #expect(
      refused.errors == """
        Error: Could not load 'export.json' without loss:
          - Zone 'Europe/Andorra', 'flag': data, which this version of Realm Studio does not export
        Hint: Use '--allow-loss' to load the rest. Nothing was changed.

        """)
    let allowed = try ToolRun(arguments + ["--allow-loss"], in: folder)
    #expect(allowed.exitCode == 0)
    #expect(
      allowed.errors == """
        Note: Lost: Zone 'Europe/Andorra', 'flag': data, which this version of Realm Studio does \
        not export.

        """)
  }

  @Test func `options that do not go together are wrong usage`() throws {
    for arguments in [
      ["--dry-run"], ["--schema", "x"], ["--from", "csv"], ["--from", "json"],
      ["--from", "csv", "--class", "Zone", "--merge", "keep", "--key", "x"],
      ["--from", "realm", "--merge", "keep", "--schema", "x"], ["--merge", "ask"],
      ["--from", "realm", "--primary-key", "Zone"], ["--separator", ";"],
      // These were passed over: the class had no primary key.
      ["--from", "csv", "--class", "Zone", "--primary-key", "Zone.identifier"],
      ["--from", "json", "--class", "Zone", "--allow-loss"],
      ["--from", "json", "--class", "Zone", "--separator", ";"],
      ["--from", "realm", "--class", "Zone"], ["--from", "realm", "--map", "a=b"],
    ] {
      let run = try ToolRun(["load", "x", "b.whimbrel"] + arguments, in: folder)
      #expect(run.exitCode == 64, "\(arguments)")
    }
  }

  // The error required '--from', which was there.
  @Test(arguments: ["--dry-run", "--json", "--ignore-unknown"])
  func `a dump that is not merged has no options of a merge`(option: String) throws {
    let run = try load("x", "b.whimbrel", "--from", "dump", option, exitCode: 64)
    #expect(run.errors.contains("or '--from' with another format than 'dump'"), "\(run.errors)")
  }
}
